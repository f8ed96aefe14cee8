// Conditions in PostgreSQL's SQL.
import { is, sql } from 'drizzle-orm'
import { PgUUID } from 'drizzle-orm/pg-core'
import type { Dialect } from '../shared/database.ts'
import { REPLAY_SQL } from './events/replay.ts'

export const dialect: Dialect = {
  isOneOf: (column, values) =>
    sql`${column} = ANY (${sql.param(values)}::${sql.raw(is(column, PgUUID) ? 'uuid[]' : 'text[]')})`,
  contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
  replaySql: REPLAY_SQL,
}
