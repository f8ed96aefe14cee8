// Tells others about closed days: the address that the operator chose gets a report of each, and a metric has what is unexplained.
import type { DayReport } from '../../domain/ledger/day-hash.ts'
import { COUNTS, type LedgerCounts } from '../../domain/ledger/line.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { LedgerDay, LedgerStore } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { hashBefore } from './day-hash.ts'
import { ALL_DAYS } from './stored-day.ts'

/** Throws unless the receiver accepts the report. */
export type PostReport = (report: DayReport) => Promise<void>

/** `postReport`: null without LEDGER_URL. */
export type ReportDeps = Pick<AppDeps, 'clock' | 'telemetry'> & {
  store: Pick<LedgerStore, 'listLedgerDays' | 'markLedgerReported'>
  postReport: PostReport | null
}

/**
 * Posts each closed day that was not accepted before, the oldest first. A day is marked after its report was accepted, so that none
 * is lost; two processes at once may post one twice. Never throws: the next check retries. `mayContinue` is asked before each report
 * but the first.
 */
export async function reportDays(deps: ReportDeps, mayContinue: () => boolean): Promise<void> {
  const { store, clock, telemetry, postReport } = deps
  if (postReport === null) return
  try {
    const due = (await store.listLedgerDays({ only: 'unreported', limit: ALL_DAYS })).reverse()
    for (const day of due) {
      if (day !== due[0] && !mayContinue()) return
      await postReport(reportOf(day, await hashBefore(store, day.day)))
      await store.markLedgerReported(day.day, clock.now())
    }
  } catch (error) {
    telemetry({ kind: 'error', operation: 'ledger-report', error, retryInMs: null })
  }
}

function reportOf(closed: LedgerDay, previous: string): DayReport {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, closed[name]])) as LedgerCounts
  return { day: closed.day, people: closed.people, ...counts, hash: closed.hash!, previous }
}

/** A later sound day does not end the alarm of a metric; only time does, because a closed day never changes. */
const ALARM_MS = 7 * DAY_MS

/** The unexplained and surplus lines of the days that were closed within the last week. */
export async function sumUnsound(
  store: Pick<LedgerStore, 'listLedgerDays'>,
  now: number,
): Promise<Pick<LedgerCounts, 'unexplained' | 'surplus'>> {
  const sums = { unexplained: 0, surplus: 0 }
  for (const day of await store.listLedgerDays({ only: 'unsound', limit: ALL_DAYS })) {
    if (day.closedAt! < now - ALARM_MS) continue
    sums.unexplained += day.unexplained
    sums.surplus += day.surplus
  }
  return sums
}
