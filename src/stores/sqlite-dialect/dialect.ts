// Conditions in SQLite's SQL.
import { sql } from 'drizzle-orm'
import type { Dialect } from '../shared/database.ts'
import { REPLAY_SQL } from './events/replay.ts'

export const dialect: Dialect = {
  isOneOf: (column, values) => sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  replaySql: REPLAY_SQL,
}
