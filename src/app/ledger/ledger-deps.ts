// The dependencies of closing a day, and of reporting it.
import type { HistoryStore, LedgerStore, ZoneStore } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'

export type LedgerDeps = Pick<AppDeps, 'clock' | 'telemetry' | 'planner'> & {
  store: LedgerStore & Pick<ZoneStore, 'listZones'> & Pick<HistoryStore, 'listEvents'>
}

/** Throws unless the receiver accepts the report. `key`: the same for each attempt. */
export type PostReport = (key: string, report: object) => Promise<void>

/** `postReport`: null without LEDGER_URL. */
export type ReportDeps = Pick<AppDeps, 'clock' | 'telemetry'> & {
  store: Pick<LedgerStore, 'listLedgerDays' | 'markLedgerReported' | 'markLedgerAlarm' | 'openLedgerDay'>
  postReport: PostReport | null
}
