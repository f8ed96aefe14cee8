// Lists users by a filter, in order of id, in a bounded time: a filter that few users match is looked up by its index, and any
// other is tried on the users in the order of the list, so many for each call.
import { and, asc, desc, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import { parseSearch } from '../../../domain/users/search.ts'
import type { Page, UserFilter, UserQuery } from '../../../ports/query.ts'
import type { Shared, Tables } from '../database.ts'
import { toPage } from '../page.ts'
import { matches } from './filter.ts'

export type UserRow = Tables['users']['$inferSelect']

const BOUNDS = {
  /** A filter with more matches is found often enough in the order of the list. */
  few: 5_000,
  /** How many users are read in the order of the list, until the page is full. */
  steps: [2_000, 4_000, 8_000] as readonly number[],
}

export async function listRows(shared: Shared, query: UserQuery, bounds = BOUNDS): Promise<Page<UserRow>> {
  const { limit, cursor, order } = query
  const { reader, tables } = shared
  const { users } = tables
  const [inOrder, after, until] = order === 'newest' ? ([desc, lt, gte] as const) : ([asc, gt, lte] as const)
  const filter = matches(shared, query)
  const later = (than: string | null) => (than === null ? undefined : after(users.id, than))
  const select = (where: SQL | undefined, most: number) =>
    reader.select().from(users).where(where).orderBy(inOrder(users.id)).limit(most)
  const all = async (few?: SQL) => toPage(await select(and(few, filter, later(cursor)), limit + 1), limit)
  if (query.ids !== undefined || query.externalId !== undefined || filter === undefined) return all()
  const found: UserRow[] = []
  let from = cursor
  for (const [index, size] of bounds.steps.entries()) {
    if (index === 1) {
      const few = await lookUp(shared, query, bounds.few)
      if (few !== null) return all(few)
    }
    const { id: end = null } = (await idAt(later(from), size)) ?? {}
    const part = and(later(from), end === null ? undefined : until(users.id, end))
    // The limit keeps the database from another index. The end alone decides who is in the part, so the limit may be larger.
    const ids = sql`SELECT users.id FROM ${users} WHERE ${part ?? sql`true`} ORDER BY ${inOrder(users.id)} LIMIT ${2 * size}`
    found.push(...(await select(and(sql`users.id IN (${ids})`, filter), limit + 1 - found.length)))
    if (found.length > limit) return toPage(found, limit)
    from = end
    if (end === null) break
  }
  return { items: found, nextCursor: from }

  /** The last id of a part of this size; undefined if fewer users are left. */
  async function idAt(where: SQL | undefined, size: number) {
    const one = reader.select({ id: users.id }).from(users).where(where).orderBy(inOrder(users.id))
    const [last] = await one.limit(1).offset(size - 1)
    return last
  }
}

/** The condition by which an index finds few users, among whom are all who match; null if there are more. */
async function lookUp(shared: Shared, filter: UserFilter, few: number): Promise<SQL | null> {
  for (const candidates of candidatesOf(shared, filter)) {
    const some = sql`SELECT 1 FROM (${candidates}) AS candidates LIMIT ${few + 1}`
    const [found] = await shared.reader
      .select({ count: sql<number>`count(*)`.mapWith(Number) })
      .from(sql`(${some}) AS limited`)
    if (found!.count <= few) return sql`users.id IN (${candidates})`
  }
  return null
}

function candidatesOf(shared: Shared, filter: UserFilter): SQL[] {
  const { tables, dialect } = shared
  const { users, occasions, events } = tables
  const { search, timezone, type, paused, failed, dueBefore } = filter
  const selects: (SQL | null)[] = [
    ...(search === undefined ? [] : foundBy(shared, search)),
    type === undefined || type === 'BIRTHDAY'
      ? null
      : sql`SELECT user_id FROM ${occasions} WHERE type = ${type} AND type <> 'BIRTHDAY'`,
    paused ? sql`SELECT user_id FROM ${occasions} WHERE paused_at IS NOT NULL` : null,
    failed
      ? sql`SELECT o.user_id FROM ${sql.raw(dialect.replaySql.settledTable)} AS e
          JOIN ${occasions} AS o ON o.id = e.occasion_id WHERE e.failure_code IS NOT NULL`
      : null,
    dueBefore === undefined
      ? null
      : sql`SELECT o.user_id FROM ${events} AS e JOIN ${occasions} AS o ON o.id = e.occasion_id
          WHERE ${dialect.isInLane('e')} AND e.wake_at < ${sql.param(dueBefore, events.wakeAt)}`,
    timezone === undefined ? null : sql`SELECT id FROM ${users} WHERE timezone = ${timezone}`,
  ]
  return selects.filter((select) => select !== null)
}

function foundBy({ dialect: { search }, tables: { users } }: Shared, text: string): SQL[] {
  const { terms, ids } = parseSearch(text)
  const byWords = search.candidates(terms.toSorted((a, b) => b.whole.length - a.whole.length))
  if (ids === null) return byWords
  const byId = sql`SELECT id FROM ${users} WHERE id BETWEEN ${ids.first} AND ${ids.last}`
  return byWords.map((words) => sql`${words} UNION ALL ${byId}`)
}
