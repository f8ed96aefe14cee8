// Instants in PostgreSQL: timestamps to the millisecond there, epoch milliseconds everywhere else.
import { timestamp } from 'drizzle-orm/pg-core'

export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export function dateOrNull(instant: number | null): Date | null {
  return instant === null ? null : new Date(instant)
}

export function msOrNull(date: Date | null): number | null {
  return date === null ? null : date.getTime()
}

/** SQL: the epoch milliseconds of a column. */
export const inMs = (column: string) => `round(date_part('epoch', ${column}) * 1000)`
