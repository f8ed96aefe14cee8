// Compares the tables of a schema with those that the code reads and writes, where the migrations cannot be read.
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../tables/postgres.ts'
import type { Connection } from '../connection.ts'

/** The columns that the schema does not have, as `table.column`. */
export async function missingColumns(connection: Connection): Promise<string[]> {
  const tables = Object.values(schema).filter((one) => is(one, PgTable))
  const needed = tables.flatMap((table) =>
    Object.values(getTableColumns(table)).map(({ name }) => `${getTableName(table)}.${name}`),
  )
  const rows = await connection.query({
    text: `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = $1`,
    values: [connection.schema],
  })
  const present = new Set(rows.map(([name]) => name))
  return needed.filter((name) => !present.has(name))
}
