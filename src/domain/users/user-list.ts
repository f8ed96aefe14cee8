// The orders in which users are listed, and the cursors that mark a place in them.
import { parseUuid } from '../events/uuid.ts'

export const USER_SORTS = ['createdAt', '-createdAt', 'name', '-name', 'dueAt'] as const
export type UserSort = (typeof USER_SORTS)[number]

/** The last user of a page: its id and the value that it was sorted by. */
export type UserPlace =
  | { by: 'createdAt'; id: string; createdAt: number }
  | { by: 'name'; id: string; name: string }
  /** Null: the user has no message to come. */
  | { by: 'dueAt'; id: string; dueAt: number | null }

/** `<id>+<epoch milliseconds>`, `<id>=<folded name>` or `<id>@<epoch milliseconds>`. */
export function formatPlace(place: UserPlace): string {
  switch (place.by) {
    case 'createdAt':
      return `${place.id}+${place.createdAt}`
    case 'name':
      return `${place.id}=${place.name}`
    case 'dueAt':
      return `${place.id}@${place.dueAt ?? ''}`
  }
}

const ID_LENGTH = 36
const FIRST_INSTANT = Date.UTC(1900, 0)
const LAST_INSTANT = Date.UTC(9999, 11, 31)

export function parsePlace(text: string): UserPlace | null {
  const id = parseUuid(text.slice(0, ID_LENGTH))
  const [mark, value] = [text.charAt(ID_LENGTH), text.slice(ID_LENGTH + 1)]
  if (id === null) return null
  // A name with a control character, and an instant before 1900 or after 9999, are in no database.
  if (mark === '=') return /\p{Cc}/u.test(value) ? null : { by: 'name', id, name: value }
  if (mark === '@' && value === '') return { by: 'dueAt', id, dueAt: null }
  const at = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (!(at >= FIRST_INSTANT && at <= LAST_INSTANT)) return null
  if (mark === '+') return { by: 'createdAt', id, createdAt: at }
  return mark === '@' ? { by: 'dueAt', id, dueAt: at } : null
}

/** The value by which a sort orders users. */
export function sortedBy(sort: UserSort): UserPlace['by'] {
  return sort.replace('-', '') as UserPlace['by']
}
