// A line as the stores insert it, and the columns of a day that a page adds to.
import { VANISHED } from '../../../domain/ledger/account/erased.ts'
import { COUNTS, countLine, noCounts, type StoredLine } from '../../../domain/ledger/line.ts'

export const LINE_COLUMNS = [
  ...(['day', 'number', 'place', 'reason', 'occasion_id', 'event_id', 'occurrence', 'due_at'] as const),
  ...(['settled_at', 'attempt', 'entry', 'because', 'carried_from'] as const),
] as const

export function lineRow(line: StoredLine): (string | number | null)[] {
  const { day, number, column, reason, occasionId, eventId, occurrence, dueAt } = line
  const { settledAt, attempt, entry, because, carriedFrom } = line
  const what = [day, number, column, reason, occasionId, eventId, occurrence, dueAt]
  return [...what, settledAt, attempt, entry, because, carriedFrom]
}

/** Columns of a day to which a page adds, with the numbers that it adds. */
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
