// Lines of a day, and the day as Terce closes it.
import { addLine, hashOfDay, NO_PREVIOUS } from '../../../../src/domain/ledger/day-hash.ts'
import {
  countLine,
  type LedgerColumn,
  noCounts,
  type StoredLine,
} from '../../../../src/domain/ledger/line.ts'
import type { ClosedDay } from '../../../../src/ports/store.ts'

/** Lines of a day; of one occasion if it is given. */
export function linesOf(day: string, columns: readonly LedgerColumn[], occasionId?: string): StoredLine[] {
  return columns.map((column, i) => ({
    day,
    number: i + 1,
    column,
    reason: column === 'excused' ? 'PAUSED' : null,
    occasionId: occasionId ?? crypto.randomUUID(),
    eventId: crypto.randomUUID(),
    occurrence: day,
    dueAt: Date.parse(day) + i,
    expectedAt: null,
    settledAt: column === 'delivered' ? Date.parse(day) + i + 250 : null,
    attempt: column === 'delivered' ? 1 : null,
    entry: column === 'excused' ? 12 : null,
    because: null,
    carriedFrom: null,
  }))
}

/** `previous`: the hash of the day before. */
export function closedDay(day: string, lines: readonly StoredLine[], previous = NO_PREVIOUS): ClosedDay {
  const counts = noCounts()
  for (const line of lines) countLine(counts, line)
  const totals = { ...counts, day, people: 1_000 }
  const hash = hashOfDay(lines.reduce(addLine, previous), totals)
  return { ...totals, tzVersion: '2026a', hash, closedAt: Date.parse(day) + 129_600_000 }
}
