// Conditions in SQLite's SQL.
import { sql } from 'drizzle-orm'
import type { Dialect } from '../shared/database.ts'

export const dialect: Dialect = {
  isOneOf: (column, values) => sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
}
