// Instants in PostgreSQL: timestamps to the millisecond there, epoch milliseconds everywhere else.
import type { Connection } from './connection.ts'

/** SQL: the epoch milliseconds of a column. */
export const inMs = (column: string) => `round(date_part('epoch', ${column}) * 1000)`

/** SQL: the instant of a parameter in epoch milliseconds. */
export const atMs = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`

/** The clock of the database, in epoch milliseconds. */
export async function readClock({ query }: Pick<Connection, 'query'>): Promise<number> {
  const [row] = await query({ text: `SELECT ${inMs('clock_timestamp()')}`, values: [] })
  return row![0] as number
}
