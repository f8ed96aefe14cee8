// A day of the ledger: a date of the local calendar, which begins and ends at another instant in each timezone.
import { civilFromLocalMs, DAY_MS, formatCivilDate } from '../time/calendar.ts'

const HOUR_MS = 3_600_000

/** When the day has ended in every timezone: at 12:00 UTC of the next day. */
export function endOfDay(day: string): number {
  return Date.parse(day) + DAY_MS + 12 * HOUR_MS
}

/** When the day begins in the first timezone. */
export function startOfDay(day: string): number {
  return Date.parse(day) - 14 * HOUR_MS
}

/** The day that an instant is in by UTC. */
export function dayName(at: number): string {
  return formatCivilDate(civilFromLocalMs(at))
}

export function dayAfter(day: string): string {
  return dayName(Date.parse(day) + DAY_MS)
}
