// A day of the ledger: a date of the local calendar, which begins and ends at another instant in each timezone.
import { civilFromLocalMs, DAY_MS, formatCivilDate } from '../time/calendar.ts'

/** At 12:00 UTC of the next day a day has ended in every timezone. */
const ENDED_AFTER_MS = DAY_MS + 12 * 60 * 60 * 1000

/** When the day has ended in every timezone. */
export function endOfDay(day: string): number {
  return Date.parse(day) + ENDED_AFTER_MS
}

/** The day that an instant is in by UTC. */
export function dayName(at: number): string {
  return formatCivilDate(civilFromLocalMs(at))
}
