// Closes the days that have ended in every timezone: counts what became of the messages that were due, once and for good.
import { accountOf, unaccounted } from '../../domain/ledger/account.ts'
import { dayAfter, dayName, endOfDay } from '../../domain/ledger/day.ts'
import type { LedgerDeps, MayContinue } from './ledger-deps.ts'
import { countMissed, sumOf } from './missed.ts'

export async function closeDays(
  { store, clock, telemetry }: LedgerDeps,
  mayContinue: MayContinue = () => true,
): Promise<void> {
  const now = clock.now()
  const [newest] = await store.listLedgerDays({ to: dayName(now), limit: 1 })
  let day = newest === undefined ? await store.firstLedgerDay() : dayAfter(newest.day)
  while (day !== null && endOfDay(day) <= now) {
    const counts = accountOf(await store.countDay({ day, now }))
    const present = await countMissed(store, now)
    const missed = sumOf({ ...present, UNACCOUNTED: unaccounted(counts) })
    const closed = { ...counts, day, missed, closedAt: clock.now() }
    if (await store.closeLedgerDay(closed)) telemetry({ kind: 'ledger', ...closed })
    day = dayAfter(day)
    if (!(await mayContinue())) return
  }
}
