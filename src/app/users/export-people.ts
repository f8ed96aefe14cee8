// Exports all people in order of id, a page at a time: as CSV that can be imported again, or as one JSON object per
// line.
import { csvLine } from '../../domain/formats/csv.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { User } from '../../domain/users/user.ts'
import type { UserStore } from '../../ports/store.ts'

export const EXPORT_FORMATS = ['csv', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const PAGE = 500
const COLUMNS = [
  'id',
  'externalId',
  'firstName',
  'lastName',
  'dateOfBirth',
  'timezone',
  'email',
  'language',
] as const

/** Not a snapshot: a person who changes during the export appears as before or as after the change. */
export async function* exportPeople(
  store: UserStore,
  format: ExportFormat,
  onPage?: (people: number) => void,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(COLUMNS)
  const line = format === 'csv' ? csvOf : jsonOf
  let [cursor, people]: [string | null, number] = [null, 0]
  do {
    const page = await store.listUsers({ limit: PAGE, cursor })
    people += page.items.length
    yield page.items.map(line).join('')
    onPage?.(people)
    cursor = page.nextCursor
  } while (cursor !== null)
}

function csvOf(user: User): string {
  return csvLine(COLUMNS.map((name) => user[name]))
}

function jsonOf(user: User): string {
  const fields = Object.fromEntries(COLUMNS.map((name) => [name, user[name]]))
  const [createdAt, updatedAt] = [formatInstant(user.createdAt), formatInstant(user.updatedAt)]
  return `${JSON.stringify({ ...fields, createdAt, updatedAt, version: user.version })}\n`
}
