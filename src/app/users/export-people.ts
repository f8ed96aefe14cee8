// Exports all people in order of id: as CSV that can be imported again, or as one JSON object per line. The last line of both
// says that it is the end, so that a file that was cut off is known to be incomplete.
import { csvLine } from '../../domain/formats/csv.ts'
import { END_OF_EXPORT } from '../../domain/formats/people-table.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { User } from '../../domain/users/user.ts'
import { FIELD_NAMES } from '../../domain/users/user-fields.ts'
import type { UserStore } from '../../ports/store.ts'

export const EXPORT_FORMATS = ['csv', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** How many people are read with one query. */
const STEP = 500
/** A page ends after this many characters: below 6 MB in UTF-8, which is the most that AWS Lambda returns. */
const PAGE_CHARACTERS = 1_000_000
/** The most people in a page: 20 queries of the 1,000 that a Worker may send to D1 in one call. */
export const MOST_IN_PAGE = 10_000
/** The fields of a person, in the order of an export. */
const COLUMNS = ['id', 'externalId', ...FIELD_NAMES.filter((name) => name !== 'externalId')] as const

type ExportOptions = {
  format: ExportFormat
  /** The last id of the page before; null to begin. */
  cursor?: string | null
}

/**
 * Streams all people after the cursor. Not a snapshot: a person who changes during the export appears as before or as after the
 * change.
 */
export async function* exportPeople(
  store: UserStore,
  options: ExportOptions,
  onStep?: (people: number) => void,
): AsyncGenerator<string> {
  let people = 0
  for await (const piece of piecesOf(store, options, () => STEP)) {
    people += piece.people
    yield piece.text
    onStep?.(people)
  }
}

/** A part of an export. All pages joined are one file; only the last has the end. */
type ExportPage = { text: string; nextCursor: string | null }

/** Holds the whole page, so that the caller gets all of it or an error. */
export async function exportPage(
  store: UserStore,
  { limit, ...options }: ExportOptions & { limit: number },
): Promise<ExportPage> {
  const page: ExportPage = { text: '', nextCursor: null }
  let left = Math.min(limit, MOST_IN_PAGE)
  for await (const piece of piecesOf(store, options, () => Math.min(STEP, left))) {
    page.text += piece.text
    page.nextCursor = piece.nextCursor
    left -= piece.people
    if (left <= 0 || page.text.length >= PAGE_CHARACTERS) break
  }
  return page
}

async function* piecesOf(
  store: UserStore,
  { format, cursor: from = null }: ExportOptions,
  limit: () => number,
): AsyncGenerator<ExportPage & { people: number }> {
  const { line, end, head } = FORMATS[format]
  let cursor = from
  do {
    const { items, nextCursor } = await store.listUsers({ limit: limit(), cursor })
    const lines = items.map(line).join('')
    const text = `${cursor === null ? head : ''}${lines}${nextCursor === null ? end : ''}`
    yield { text, nextCursor, people: items.length }
    cursor = nextCursor
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

const FORMATS: Record<ExportFormat, { head: string; line: (user: User) => string; end: string }> = {
  csv: {
    head: csvLine(COLUMNS),
    line: csvOf,
    end: csvLine(COLUMNS.map((_, at) => (at === 0 ? END_OF_EXPORT : ''))),
  },
  json: { head: '', line: jsonOf, end: '{"end":true}\n' },
}
