// A day of the ledger: a date of the local calendar, which begins and ends at another instant in each timezone.
import { civilFromLocalMs, DAY_MS, formatCivilDate } from '../time/calendar.ts'

/** At 12:00 UTC of the next day a day has ended in every timezone. */
const ENDED_AFTER_MS = DAY_MS + 12 * 60 * 60 * 1000

/**
 * Cursors of an account that a store knows. In the last stage, which reads the deletions of the journal, an erasure counts the
 * number behind the word up: the page that was read before it is then rejected. Of an account that is done, an erasure keeps the
 * lines without their ids, because the hash of the day is computed from them.
 */
export const LAST_STAGE = 'deleted'
export const ACCOUNTED = 'done'

/** When the day has ended in every timezone. */
export function endOfDay(day: string): number {
  return Date.parse(day) + ENDED_AFTER_MS
}

/** Longer than an account takes, also in short runs. */
const OVERDUE_MS = DAY_MS / 2

/** Whether a day that is not closed should have been closed. */
export function isOverdue(day: string, now: number): boolean {
  return endOfDay(day) + OVERDUE_MS <= now
}

/** The day that an instant is in by UTC. */
export function dayName(at: number): string {
  return formatCivilDate(civilFromLocalMs(at))
}
