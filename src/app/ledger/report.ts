// Tells others about the days: the address that the operator chose gets a report of each, and metrics have what is unexplained.
import type { DayReport } from '../../domain/ledger/day-hash.ts'
import { COUNTS, type LedgerCounts } from '../../domain/ledger/line.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { LedgerDay, LedgerStore } from '../../ports/store.ts'
import type { UnsoundDays } from '../../ports/telemetry.ts'
import { hashBefore } from './day-hash.ts'
import type { ReportDeps } from './ledger-deps.ts'
import { postOverdue, unclosedDays } from './overdue.ts'
import { ALL_DAYS } from './stored-day.ts'

/**
 * Posts the alarm of a day that is overdue, then each closed day that was not accepted before, the oldest first. A day is marked
 * after its report was accepted, so that none is lost; two processes at once may post one twice. Never throws: the next check
 * retries. `mayContinue` is asked before each request but the first.
 */
export async function reportDays(deps: ReportDeps, mayContinue: () => boolean): Promise<void> {
  const { store, clock, telemetry, postReport } = deps
  if (postReport === null) return
  const failed = (error: unknown): true => {
    telemetry({ kind: 'error', operation: 'ledger-report', error, retryInMs: null })
    return true
  }
  const hasPosted = await postOverdue(deps).catch(failed)
  try {
    const due = (await store.listLedgerDays({ only: 'unreported', limit: ALL_DAYS })).reverse()
    for (const day of due) {
      if ((hasPosted || day !== due[0]) && !mayContinue()) return
      await postReport(`ledger-${day.day}`, reportOf(day, await hashBefore(store, day.day)))
      await store.markLedgerReported(day.day, clock.now())
    }
  } catch (error) {
    failed(error)
  }
}

function reportOf(closed: LedgerDay, previous: string): DayReport {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, closed[name]])) as LedgerCounts
  return { day: closed.day, people: closed.people, ...counts, hash: closed.hash!, previous }
}

/** A later sound day does not end the alarm of a metric; only time does, because a closed day never changes. */
const ALARM_MS = 7 * DAY_MS

/** The unexplained and surplus lines of the days that were closed within the last week, and the days that are not closed. */
export async function sumUnsound(
  store: Pick<LedgerStore, 'listLedgerDays'>,
  now: number,
): Promise<UnsoundDays> {
  const sums = { unexplained: 0, surplus: 0, unclosedDays: (await unclosedDays(store, now))?.count ?? 0 }
  for (const day of await store.listLedgerDays({ only: 'unsound', limit: ALL_DAYS })) {
    if (day.closedAt! < now - ALARM_MS) continue
    sums.unexplained += day.unexplained
    sums.surplus += day.surplus
  }
  return sums
}
