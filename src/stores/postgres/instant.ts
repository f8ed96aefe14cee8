// Instants in PostgreSQL: timestamps to the millisecond there, epoch milliseconds everywhere else.
import { customType } from 'drizzle-orm/pg-core'

export const instant = customType<{ data: number; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: (text) => Date.parse(text),
  toDriver: (instant) => new Date(instant).toISOString(),
})

/** SQL: the epoch milliseconds of a column. */
export const inMs = (column: string) => `round(date_part('epoch', ${column}) * 1000)`

/** SQL: the instant of a parameter in epoch milliseconds. */
export const atMs = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`
