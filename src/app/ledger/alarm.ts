// The alarm of the ledger: closed days with unexplained or surplus lines, which must have none. The address that the operator chose is
// told of each such day once; a metric has the sum of a week.
import type { LedgerCounts } from '../../domain/ledger/line.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { LedgerDay, LedgerStore } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { ALL_DAYS } from './stored-day.ts'

/** The body of the request, without personal data. */
export type LedgerAlarm = LedgerCounts & { text: string; day: string; closedAt: string; people: number }

/** Throws unless the receiver accepts the alarm. */
export type PostAlarm = (alarm: LedgerAlarm) => Promise<void>

/** `postAlarm`: null without LEDGER_ALARM_URL. */
export type AlarmDeps = Pick<AppDeps, 'clock' | 'telemetry'> & {
  store: Pick<LedgerStore, 'listLedgerDays' | 'markLedgerAlarm'>
  postAlarm: PostAlarm | null
}

/**
 * Posts the alarm of each unsound day that was not accepted before, the oldest first. A day is marked after its alarm was accepted,
 * so that none is lost; two processes at once may post one twice. Never throws: the next check retries. `mayContinue` is asked
 * before each alarm but the first.
 */
export async function raiseAlarms(deps: AlarmDeps, mayContinue: () => boolean): Promise<void> {
  const { store, clock, telemetry, postAlarm } = deps
  if (postAlarm === null) return
  try {
    const unsound = await store.listLedgerDays({ unsound: true, limit: ALL_DAYS })
    const due = unsound.filter(({ alarmedAt }) => alarmedAt === null).reverse()
    for (const day of due) {
      if (day !== due[0] && !mayContinue()) return
      await postAlarm(alarmOf(day))
      await store.markLedgerAlarm(day.day, clock.now())
    }
  } catch (error) {
    telemetry({ kind: 'error', operation: 'ledger-alarm', error, retryInMs: null })
  }
}

function alarmOf(stored: LedgerDay): LedgerAlarm {
  const { day, people, owed, delivered, late, early, failed, excused, open, unexplained, surplus, carried } =
    stored
  const text = `Terce: the account of ${day} has ${unexplained} unexplained and ${surplus} surplus messages.`
  const closedAt = formatInstant(stored.closedAt!)
  const counts = { owed, delivered, late, early, failed, excused, open, unexplained, surplus, carried }
  return { text, day, closedAt, people, ...counts }
}

/** A later sound day does not end the alarm of a metric; only time does, because a closed day never changes. */
const ALARM_MS = 7 * DAY_MS

/** The unexplained and surplus lines of the days that were closed within the last week. */
export async function sumUnsound(
  store: Pick<LedgerStore, 'listLedgerDays'>,
  now: number,
): Promise<Pick<LedgerCounts, 'unexplained' | 'surplus'>> {
  const sums = { unexplained: 0, surplus: 0 }
  for (const day of await store.listLedgerDays({ unsound: true, limit: ALL_DAYS })) {
    if (day.closedAt! < now - ALARM_MS) continue
    sums.unexplained += day.unexplained
    sums.surplus += day.surplus
  }
  return sums
}
