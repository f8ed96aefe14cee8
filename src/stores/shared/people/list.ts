// Lists users by a filter and in an order, in a bounded time: a filter that few users match is looked up by its index, and
// any other is tried on the users in the order of the list, so many for each call.
import { and, type SQL, sql } from 'drizzle-orm'
import { parseSearch } from '../../../domain/users/search.ts'
import type { Page, UserFilter, UserQuery } from '../../../ports/query.ts'
import type { Shared, Tables } from '../database.ts'
import { matches } from './filter.ts'
import { type UserOrder, userOrder } from './order.ts'

export type UserRow = Tables['users']['$inferSelect']
type Row = { user: UserRow; key: string | number | null }

const BOUNDS = {
  /** A filter with more matches is found often enough in any order. */
  few: 5_000,
  /** How many users are read in the order of the list, until the page is full. */
  steps: [2_000, 4_000, 8_000] as readonly number[],
}

export async function listRows(shared: Shared, query: UserQuery, bounds = BOUNDS): Promise<Page<UserRow>> {
  const { limit, cursor } = query
  const order = userOrder(shared, query.sort)
  const filter = matches(shared, query)
  const all = async (condition?: SQL) => {
    const after = cursor === null ? undefined : order.after(cursor)
    const rows = await select(shared, order, { where: and(condition, filter, after), limit: limit + 1 })
    return pageOf(rows, order, query, null)
  }
  const isOfFew = query.ids !== undefined || query.externalId !== undefined
  if (isOfFew || (filter === undefined && query.sort !== 'dueAt')) return all()
  const [first, ...further] = bounds.steps
  const begun = await scan(shared, order, { filter, limit, steps: [first!], from: cursor, rows: [] })
  if (begun.from === null || begun.rows.length > limit) return pageOf(begun.rows, order, query, begun.from)
  const few = await lookUp(shared, query, bounds.few)
  if (few !== null) return all(few)
  const done = await scan(shared, order, { filter, limit, steps: further, ...begun })
  return pageOf(done.rows, order, query, done.from)
}

/** What was found, and the cursor from which the search goes on; null at the end of the list. */
type Progress = { rows: Row[]; from: string | null }

async function scan(
  shared: Shared,
  order: UserOrder,
  how: Progress & { filter: SQL | undefined; limit: number; steps: readonly number[] },
): Promise<Progress> {
  const { filter, limit, steps } = how
  const rows = [...how.rows]
  let { from } = how
  for (const size of steps) {
    const { ids, end } = await order.part(from, size)
    const where = and(sql`users.id IN (${ids})`, filter, from === null ? undefined : order.after(from))
    rows.push(...(await select(shared, order, { where, limit: limit + 1 - rows.length })))
    from = end
    if (end === null || rows.length > limit) break
  }
  return { rows, from }
}

async function select(
  { reader, tables: { users } }: Shared,
  { key, by }: UserOrder,
  { where, limit }: { where: SQL | undefined; limit: number },
): Promise<Row[]> {
  return reader
    .select({ user: users, key })
    .from(users)
    .where(where)
    .orderBy(...by)
    .limit(limit)
}

/** `end` is where the search for further rows continues. */
function pageOf(
  rows: Row[],
  order: UserOrder,
  { limit, withPlaces }: UserQuery,
  end: string | null,
): Page<UserRow> {
  const placeOf = ({ user, key }: Row) => order.placeOf({ id: user.id, key })
  const shown = rows.slice(0, limit)
  return {
    items: shown.map(({ user }) => user),
    nextCursor: rows.length > limit ? placeOf(shown.at(-1)!) : end,
    ...(withPlaces && { places: shown.map(placeOf) }),
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
          WHERE e.wake_at < ${sql.param(dueBefore, events.wakeAt)}`,
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
