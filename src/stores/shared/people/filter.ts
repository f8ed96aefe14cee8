// The conditions of a filter on users. Each refers to the row of the table `users`.
import { and, type Column, eq, or, type SQL, sql } from 'drizzle-orm'
import { parseSearch } from '../../../domain/users/search.ts'
import type { UserFilter } from '../../../ports/query.ts'
import type { Shared, Tables } from '../database.ts'
import { failureState } from '../events/failures.ts'

export function matches(shared: Shared, filter: UserFilter): SQL | undefined {
  const { tables, dialect } = shared
  const { users, events } = tables
  const { ids, search, timezone, externalId, type, paused, failed, dueBefore } = filter
  return and(
    ids === undefined ? undefined : dialect.isOneOf(users.id, ids),
    timezone === undefined ? undefined : eq(users.timezone, timezone),
    externalId === undefined ? undefined : eq(users.externalId, externalId),
    search === undefined ? undefined : found(dialect, search),
    type === undefined ? undefined : sql`EXISTS (${occasionOf(tables)} AND o.type = ${type})`,
    paused === undefined ? undefined : sql`${paused ? sql`EXISTS` : sql`NOT EXISTS`} (${pausedOf(tables)})`,
    failed === undefined ? undefined : hasFailed(shared),
    dueBefore === undefined
      ? undefined
      : sql`EXISTS (SELECT 1 ${openEventsOf(tables)} AND e.wake_at < ${sql.param(dueBefore, events.wakeAt)})`,
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
  return sql`EXISTS (SELECT 1 FROM ${shared.tables.users} WHERE ${and(sql`users.id = ${userId}`, matches(shared, filter))})`
}

const occasionOf = ({ occasions }: Tables) => sql`SELECT 1 FROM ${occasions} AS o WHERE o.user_id = users.id`
const pausedOf = (tables: Tables) => sql`${occasionOf(tables)} AND o.paused_at IS NOT NULL`

const openEventsOf = ({ occasions, events }: Tables) =>
  sql`FROM ${occasions} AS o JOIN ${events} AS e ON e.occasion_id = o.id
    WHERE o.user_id = users.id AND e.wake_at IS NOT NULL AND e.replay_of IS NULL`

function hasFailed({ tables: { occasions }, dialect: { replaySql } }: Shared): SQL {
  return sql`EXISTS (SELECT 1 FROM ${occasions} AS o JOIN ${sql.raw(replaySql.settledTable)} AS e ON e.occasion_id = o.id
    WHERE o.user_id = users.id AND e.failure_code IS NOT NULL
      AND ${sql.raw(failureState(replaySql, 'e'))} IN ('unresolved', 'replaying'))`
}
