// A day of the ledger that was closed a moment ago, with two unexplained messages and a surplus one.
import { dayName } from '../../../src/domain/ledger/day.ts'
import { noCounts } from '../../../src/domain/ledger/line.ts'
import { DAY_MS } from '../../../src/domain/time/calendar.ts'
import type { LedgerStore } from '../../../src/ports/store.ts'

/** Yesterday: a ledger that begins with it has no other day to close. */
export const UNSOUND_DAY = dayName(Date.now() - DAY_MS)

export async function closeUnsoundDay(
  store: Pick<LedgerStore, 'openLedgerDay' | 'closeLedgerDay'>,
): Promise<void> {
  const closedAt = Date.now()
  const counts = { ...noCounts(), owed: 9, delivered: 7, unexplained: 2, surplus: 1 }
  await store.openLedgerDay({ day: UNSOUND_DAY, startedAt: closedAt })
  await store.closeLedgerDay({
    ...counts,
    day: UNSOUND_DAY,
    people: 9,
    hash: 'a',
    tzVersion: '2026f',
    closedAt,
  })
}
