// Closed days of the ledger in a database that the product reads.
import { type LedgerLine, makeLine, type StoredLine } from '../../../src/domain/ledger/line.ts'
import type { ClosedDay } from '../../../src/ports/store.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { closedDay } from '../../app/ledger/support/ledger-days.ts'
import { DAY, HOUR, newId } from '../../support/fixtures.ts'

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The last days that have ended in every timezone, oldest first. */
export function endedDays(count: number, now: number): string[] {
  const last = now - DAY - 12 * HOUR
  return Array.from({ length: count }, (_, i) => dateOf(last - (count - 1 - i) * DAY))
}

/** A delivery at 09:00 UTC, four seconds after it was due, unless other fields are given. The occasion must exist. */
export function deliveryLine(day: string, occasionId: string, over: Partial<LedgerLine> = {}): StoredLine {
  const dueAt = Date.parse(day) + 9 * HOUR
  const delivery = { eventId: newId(dueAt), dueAt, settledAt: dueAt + 4_000, attempt: 1 }
  const line = makeLine('delivered', null, { occasionId, occurrence: day.slice(0, 4), ...delivery })
  return { ...line, ...over, day, number: 0 }
}

/** The line of a person who was erased after the day was closed. */
export function erased({ column, reason, carriedFrom, day, number }: StoredLine): StoredLine {
  return { ...makeLine(column, reason, { carriedFrom }), day, number }
}

/** Closes the days, chained to each other. `days` are in order, each with its lines, which are numbered here. */
export async function closeDays(
  database: string,
  days: readonly { day: string; lines: readonly StoredLine[] }[],
): Promise<ClosedDay[]> {
  const store = openSqliteStore(database)
  const closed: ClosedDay[] = []
  for (const { day, lines } of days) {
    const numbered = lines.map((line, i) => ({ ...line, number: i + 1 }))
    const one = closedDay(day, numbered, closed.at(-1)?.hash)
    const page = { day, from: null, to: 'done', people: one.people, lines: numbered, newlySeen: [] }
    await store.openLedgerDay({ day, startedAt: Date.parse(day) })
    await store.saveAccountPage(page)
    await store.closeLedgerDay(one)
    closed.push(one)
  }
  await store.close()
  return closed
}
