// The orders of a list of users: what each sorts by, and how a page continues after the one before it.
import { asc, desc, gt, lt, type SQL, sql } from 'drizzle-orm'
import { formatPlace, parsePlace, type UserPlace, type UserSort } from '../../../domain/users/user-list.ts'
import type { Tables } from '../database.ts'
import { NEXT_DUE } from './filter.ts'

export type UserOrder = {
  /** The value that users are sorted by before their id; null where the id alone decides. */
  key: SQL<string | number | null>
  by: SQL[]
  /** True for users after the place that the cursor marks. */
  after(cursor: string): SQL
  placeOf(row: { user: { id: string }; key: string | number | null }): string
}

export function userOrder({ users, events }: Tables, sort: UserSort): UserOrder {
  const [inOrder, after, sign] = sort.startsWith('-') ? [desc, lt, sql.raw('<')] : [asc, gt, sql.raw('>')]
  switch (sort) {
    case 'createdAt':
    case '-createdAt':
      return {
        key: sql`NULL`,
        by: [inOrder(users.id)],
        after: (cursor) => after(users.id, placeAt(cursor, 'createdAt').id),
        placeOf: ({ user: { id } }) => formatPlace({ by: 'createdAt', id }),
      }
    case 'name':
    case '-name':
      return {
        key: sql`${users.searchName}`,
        by: [inOrder(users.searchName), inOrder(users.id)],
        after: (cursor) => {
          const { name, id } = placeAt(cursor, 'name')
          return sql`(${users.searchName}, ${users.id}) ${sign} (${name}, ${id})`
        },
        placeOf: ({ user: { id }, key }) => formatPlace({ by: 'name', id, name: key as string }),
      }
    case 'dueAt':
      return {
        key: NEXT_DUE.mapWith(events.wakeAt),
        // Users without a message to come are the last ones.
        by: [sql`${NEXT_DUE} IS NULL`, sql`${NEXT_DUE}`, asc(users.id)],
        after: (cursor) => {
          const { dueAt, id } = placeAt(cursor, 'dueAt')
          if (dueAt === null) return sql`${NEXT_DUE} IS NULL AND ${users.id} > ${id}`
          const at = sql.param(dueAt, events.wakeAt)
          return sql`(${NEXT_DUE} IS NULL OR (${NEXT_DUE}, ${users.id}) > (${at}, ${id}))`
        },
        placeOf: ({ user: { id }, key }) => formatPlace({ by: 'dueAt', id, dueAt: key as number | null }),
      }
  }
}

function placeAt<By extends UserPlace['by']>(cursor: string, by: By): Extract<UserPlace, { by: By }> {
  const place = parsePlace(cursor)
  if (place?.by !== by) throw new Error(`The cursor is not of a list by ${by}.`)
  return place as Extract<UserPlace, { by: By }>
}
