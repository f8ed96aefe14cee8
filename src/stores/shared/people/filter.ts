// The conditions of a filter on users. Each refers to the row of the table `users`.
import { and, type Column, eq, or, type SQL, sql } from 'drizzle-orm'
import { parseSearch } from '../../../domain/users/search.ts'
import type { UserFilter } from '../../../ports/query.ts'
import type { Shared } from '../database.ts'
import { failureState } from '../failures.ts'

export function matches({ tables, dialect }: Shared, filter: UserFilter): SQL | undefined {
  const { users, events } = tables
  const { ids, search, timezone, externalId, type, paused, failed, dueBefore } = filter
  return and(
    ids === undefined ? undefined : dialect.isOneOf(users.id, ids),
    timezone === undefined ? undefined : eq(users.timezone, timezone),
    externalId === undefined ? undefined : eq(users.externalId, externalId),
    search === undefined ? undefined : found(dialect, search),
    type === undefined ? undefined : sql`EXISTS (${OCCASION} AND o.type = ${type})`,
    paused === undefined ? undefined : paused ? sql`EXISTS (${PAUSED})` : sql`NOT EXISTS (${PAUSED})`,
    failed === undefined ? undefined : sql.raw(hasFailed(dialect.replaySql)),
    dueBefore === undefined
      ? undefined
      : sql`EXISTS (${OPEN_EVENT} AND e.wake_at < ${sql.param(dueBefore, events.wakeAt)})`,
  )
}

function found({ search }: Shared['dialect'], text: string): SQL | undefined {
  const { terms, ids } = parseSearch(text)
  if (terms.length === 0) return sql`false`
  const byWords = and(...terms.map(search.matches))
  return ids === null ? byWords : or(byWords, sql`users.id BETWEEN ${ids.first} AND ${ids.last}`)
}

/** True if the user with this id matches. */
export function ofPeople(shared: Shared, userId: Column, filter: UserFilter): SQL {
  return sql`EXISTS (SELECT 1 FROM users WHERE ${and(sql`users.id = ${userId}`, matches(shared, filter))})`
}

const OCCASION = sql.raw('SELECT 1 FROM occasions AS o WHERE o.user_id = users.id')
const PAUSED = sql`${OCCASION} AND o.paused_at IS NOT NULL`

const OPEN_EVENTS = `FROM occasions AS o JOIN events AS e ON e.occasion_id = o.id
  WHERE o.user_id = users.id AND e.wake_at IS NOT NULL AND e.replay_of IS NULL`
const OPEN_EVENT = sql.raw(`SELECT 1 ${OPEN_EVENTS}`)

/** SQL: when the next message of a user may be sent; null if none is planned. */
export const NEXT_DUE = sql.raw(`(SELECT min(e.wake_at) ${OPEN_EVENTS})`)

function hasFailed(replaySql: Shared['dialect']['replaySql']): string {
  return `EXISTS (SELECT 1 FROM occasions AS o JOIN ${replaySql.settledTable} AS e ON e.occasion_id = o.id
    WHERE o.user_id = users.id AND e.failure_code IS NOT NULL
      AND ${failureState(replaySql, 'e')} IN ('unresolved', 'replaying'))`
}
