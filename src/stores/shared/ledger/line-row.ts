// A line as the stores insert it, and the columns of a day that a page adds to.
import { getTableColumns } from 'drizzle-orm'
import { VANISHED } from '../../../domain/ledger/account/erased.ts'
import { COUNTS, countLine, noCounts, rankOf, type StoredLine } from '../../../domain/ledger/line.ts'
import type { Tables } from '../database.ts'

/** The column of each field, with its type in an array of PostgreSQL. */
const LINE = {
  day: ['day', 'text'],
  number: ['number', 'int'],
  column: ['place', 'text'],
  reason: ['reason', 'text'],
  occasionId: ['occasion_id', 'uuid'],
  eventId: ['event_id', 'uuid'],
  occurrence: ['occurrence', 'text'],
  dueAt: ['due_at', 'instant'],
  expectedAt: ['expected_at', 'instant'],
  settledAt: ['settled_at', 'instant'],
  attempt: ['attempt', 'int'],
  entry: ['entry', 'bigint'],
  because: ['because', 'text'],
  carriedFrom: ['carried_from', 'text'],
} as const satisfies Record<keyof StoredLine, unknown>

const FIELDS = Object.keys(LINE) as (keyof StoredLine)[]
export const LINE_TYPES = { ...Object.fromEntries(Object.values(LINE)), rank: 'int' } as const
export const LINE_COLUMNS = Object.keys(LINE_TYPES).join(', ')

/** The columns of a line as it was saved. The rank follows from them. */
export function lineFields(lines: Tables['ledgerLines']) {
  const { rank: _, ...fields } = getTableColumns(lines)
  return fields
}

export const lineRow = (line: StoredLine) => [...FIELDS.map((field) => line[field]), rankOf(line)]

/** The counters of `ledger_days` that a page raises, and by how much. */
export function additions(page: { people: number; lines: readonly StoredLine[] }): [string, number][] {
  const counts = noCounts()
  for (const line of page.lines) countLine(counts, line)
  return [['people', page.people], ...COUNTS.map((name): [string, number] => [name, counts[name]])]
}

/**
 * Whether the occasion of a line (ref) exists, if it should: what the account read before a deletion must not be written after
 * it. The line of an occasion that vanished is written in any case. Not EXISTS, for which PostgreSQL may read all occasions.
 */
export const isAllowed = (schema: string) => `(ref.occasion_id IS NULL OR ref.reason = '${VANISHED}'
    OR (SELECT 1 FROM ${schema}occasions AS o WHERE o.id = ref.occasion_id) = 1)`
