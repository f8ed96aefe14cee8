// The orders of a list of users: what each sorts by, how a page continues after the one before it, and how a bounded part
// of the list is read.
import { and, asc, desc, gt, lte, type SQL, sql } from 'drizzle-orm'
import { formatPlace, parsePlace, type UserPlace, type UserSort } from '../../../domain/users/user-list.ts'
import type { Shared, Tables } from '../database.ts'
import { nextDue } from './filter.ts'

type Key = string | number | null

/** A part of the list: a select of the ids of its users, and the cursor of its end; null for the last part. */
export type Part = { ids: SQL; end: string | null }

export type UserOrder = {
  /** The value that users are sorted by before their id; null where the id alone decides. */
  key: SQL<Key> | SQL.Aliased<Key>
  by: SQL[]
  /** True for users after the place that the cursor marks. */
  after(cursor: string): SQL
  placeOf(row: { id: string; key: Key }): string
  /** The part of about `size` users after the cursor. */
  part(cursor: string | null, size: number): Promise<Part>
}

export function userOrder(shared: Shared, sort: UserSort | undefined): UserOrder {
  if (sort === 'dueAt') return byDue(shared)
  const order = plainOrder(shared.tables, sort)
  return { ...order, part: (cursor, size) => partOf(shared, order, cursor, size) }
}

function plainOrder(tables: Tables, sort: Exclude<UserSort, 'dueAt'> | undefined): PlainOrder {
  if (sort === undefined) return byId(tables)
  return sort === 'createdAt' || sort === '-createdAt' ? byCreation(tables, sort) : byName(tables, sort)
}

type PlainOrder = Omit<UserOrder, 'part'> & {
  /** True for users up to the place that the cursor marks. */
  until(cursor: string): SQL
}

function byCreation({ users }: Tables, sort: '-createdAt' | 'createdAt'): PlainOrder {
  const [inOrder, after, until] = sort === 'createdAt' ? [asc, '>', '<='] : [desc, '<', '>=']
  const compared = (operator: string, cursor: string) => {
    const { createdAt, id } = placeAt(cursor, 'createdAt')
    return sql`(${users.createdAt}, ${users.id}) ${sql.raw(operator)} (${sql.param(createdAt, users.createdAt)}, ${id})`
  }
  return {
    key: sql<number>`${users.createdAt}`.mapWith(users.createdAt),
    by: [inOrder(users.createdAt), inOrder(users.id)],
    after: (cursor) => compared(after, cursor),
    until: (cursor) => compared(until, cursor),
    placeOf: ({ id, key }) => formatPlace({ by: 'createdAt', id, createdAt: key as number }),
  }
}

/** The order of exports, of changes of many people, and of users without a message to come. */
function byId({ users }: Tables): PlainOrder {
  return {
    key: sql`NULL`,
    by: [asc(users.id)],
    after: (id) => gt(users.id, id),
    until: (id) => lte(users.id, id),
    placeOf: ({ id }) => id,
  }
}

function byName({ users }: Tables, sort: '-name' | 'name'): PlainOrder {
  const [inOrder, after, until] = sort === 'name' ? [asc, '>', '<='] : [desc, '<', '>=']
  const compared = (operator: string, cursor: string) => {
    const { name, id } = placeAt(cursor, 'name')
    return sql`(${users.searchText}, ${users.id}) ${sql.raw(operator)} (${name}, ${id})`
  }
  return {
    key: sql`${users.searchText}`,
    by: [inOrder(users.searchText), inOrder(users.id)],
    after: (cursor) => compared(after, cursor),
    until: (cursor) => compared(until, cursor),
    placeOf: ({ id, key }) => formatPlace({ by: 'name', id, name: key as string }),
  }
}

/**
 * The limit in the select keeps the database from using another index than the one of the order. It is larger than the part:
 * the end alone decides who is in it, also if users were created or deleted since the end was read.
 */
async function partOf(
  { reader, tables: { users } }: Shared,
  { key, by, after, until, placeOf }: PlainOrder,
  cursor: string | null,
  size: number,
): Promise<Part> {
  const where = cursor === null ? sql`true` : after(cursor)
  const order = sql.join(by, sql`, `)
  const [last] = await reader
    .select({ id: users.id, key })
    .from(users)
    .where(where)
    .orderBy(...by)
    .limit(1)
    .offset(size - 1)
  const end = last === undefined ? null : placeOf(last)
  const part = and(where, end === null ? undefined : until(end))
  const ids = sql`SELECT users.id FROM ${users} WHERE ${part} ORDER BY ${order} LIMIT ${2 * size}`
  return { ids, end }
}

/** Users without a message to come are the last ones. */
function byDue(shared: Shared): UserOrder {
  const { users, events } = shared.tables
  const due = nextDue(shared.tables)
  const placeOf: UserOrder['placeOf'] = ({ id, key }) =>
    formatPlace({ by: 'dueAt', id, dueAt: key as number | null })
  return {
    key: sql<number | null>`${due}`.mapWith(events.wakeAt).as('due'),
    by: [sql`due NULLS LAST`, asc(users.id)],
    after: (cursor) => {
      const { dueAt, id } = placeAt(cursor, 'dueAt')
      if (dueAt === null) return sql`${due} IS NULL AND ${users.id} > ${id}`
      return sql`(${due} IS NULL OR (${due}, ${users.id}) > (${sql.param(dueAt, events.wakeAt)}, ${id}))`
    },
    placeOf,
    part: async (cursor, size) => {
      const place = cursor === null ? null : placeAt(cursor, 'dueAt')
      if (place !== null && place.dueAt === null) {
        const { ids, end } = await partOf(shared, byId(shared.tables), place.id, size)
        return { ids, end: end && placeOf({ id: end, key: null }) }
      }
      return partByDue(shared, place, { size, placeOf })
    },
  }
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The users of the open events in order of their instants. Events of one instant are in one part, however many they are. */
async function partByDue(
  { reader, tables: { events, occasions } }: Shared,
  from: { dueAt: number | null; id: string } | null,
  { size, placeOf }: { size: number } & Pick<UserOrder, 'placeOf'>,
): Promise<Part> {
  const at = (instant: number) => sql.param(instant, events.wakeAt)
  // The end of a part has the last id: all users of its instant were in it.
  const isLater = sql.raw(from?.id === LAST_ID ? '>' : '>=')
  const begin =
    from === null ? sql`events.wake_at IS NOT NULL` : sql`events.wake_at ${isLater} ${at(from.dueAt!)}`
  // As in nextDue: a replay is not the next message of a user.
  const since = sql`${begin} AND events.replay_of IS NULL`
  const [last] = await reader
    .select({ wakeAt: events.wakeAt })
    .from(events)
    .where(since)
    .orderBy(asc(events.wakeAt))
    .limit(1)
    .offset(size - 1)
  const wakeAt = last?.wakeAt ?? null
  const until = wakeAt === null ? sql`true` : sql`events.wake_at <= ${at(wakeAt)}`
  const ids = sql`SELECT o.user_id FROM ${events} JOIN ${occasions} AS o ON o.id = events.occasion_id
    WHERE ${since} AND ${until}`
  const end = wakeAt === null ? { id: FIRST_ID, key: null } : { id: LAST_ID, key: wakeAt }
  return { ids, end: placeOf(end) }
}

function placeAt<By extends UserPlace['by']>(cursor: string, by: By): Extract<UserPlace, { by: By }> {
  const place = parsePlace(cursor)
  if (place?.by !== by) throw new Error(`The cursor is not of a list by ${by}.`)
  return place as Extract<UserPlace, { by: By }>
}
