// Runs a statement that reads a whole table, which takes longer than other queries may.

import type { Parameter } from '../arrays.ts'
import type { Connection, Query, Row } from '../connection.ts'

const NO_TIMEOUT_MS = 2 ** 31 - 1

export async function queryLong(
  { client }: Pick<Connection, 'client'>,
  { text, values }: Query,
): Promise<Row[]> {
  const query = {
    text,
    values: values as Parameter[],
    rowMode: 'array' as const,
    query_timeout: NO_TIMEOUT_MS,
  }
  return (await client.query<Row>(query)).rows
}
