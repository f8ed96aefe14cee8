// A line as the stores insert it, and the columns of a day that a page adds to.
import { getTableColumns } from 'drizzle-orm'
import { VANISHED } from '../../../domain/ledger/account/erased.ts'
import { COUNTS, countLine, noCounts, rankOf, type StoredLine } from '../../../domain/ledger/line.ts'
import type { Columns } from '../columns/columns.ts'
import type { Tables } from '../database.ts'

export const LINE = {
  day: ['text', (line) => line.day],
  number: ['int', (line) => line.number],
  place: ['text', (line) => line.column],
  reason: ['text', (line) => line.reason],
  occasion_id: ['uuid', (line) => line.occasionId],
  event_id: ['uuid', (line) => line.eventId],
  occurrence: ['text', (line) => line.occurrence],
  due_at: ['instant', (line) => line.dueAt],
  expected_at: ['instant', (line) => line.expectedAt],
  settled_at: ['instant', (line) => line.settledAt],
  attempt: ['int', (line) => line.attempt],
  entry: ['bigint', (line) => line.entry],
  because: ['text', (line) => line.because],
  carried_from: ['text', (line) => line.carriedFrom],
  rank: ['int', rankOf],
} satisfies Columns<StoredLine>

/** The columns of a line as it was saved. The rank follows from them. */
export function lineFields(lines: Tables['ledgerLines']) {
  const { rank: _, ...fields } = getTableColumns(lines)
  return fields
}

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
