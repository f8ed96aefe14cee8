// Days that have ended and are not closed: how many there are, and an alarm once a day while one is overdue.
import { dayName, endOfDay, isOverdue } from '../../domain/ledger/day.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { LedgerStore } from '../../ports/store.ts'
import { nextToClose } from './close-days.ts'
import type { ReportDeps } from './ledger-deps.ts'

/** `first`: the oldest of them. Null if there is none. */
export async function unclosedDays(
  store: Pick<LedgerStore, 'listLedgerDays'>,
  now: number,
): Promise<{ first: string; count: number } | null> {
  const [newest] = await store.listLedgerDays({ to: dayName(now), limit: 1 })
  if (newest === undefined) return null
  const first = nextToClose(newest)
  const count = Math.floor((now - endOfDay(first)) / DAY_MS) + 1
  return count > 0 ? { first, count } : null
}

/**
 * Posts the alarm if there was none today. The day is marked before: of several processes, one posts it. Returns whether it was
 * posted.
 */
export async function postOverdue({ store, clock, postReport }: ReportDeps): Promise<boolean> {
  const now = clock.now()
  const unclosed = await unclosedDays(store, now)
  if (postReport === null || unclosed === null || !isOverdue(unclosed.first, now)) return false
  const { first: day, count } = unclosed
  const today = dayName(now)
  await store.openLedgerDay({ day, startedAt: now })
  if (!(await store.markLedgerAlarm(day, { at: now, unlessSince: Date.parse(today) }))) return false
  const alarm = { type: 'ledger.overdue', day, endedAt: formatInstant(endOfDay(day)), unclosedDays: count }
  try {
    await postReport(`ledger-overdue-${today}`, alarm)
  } catch (error) {
    await store.markLedgerReported(day, null)
    throw error
  }
  return true
}
