// Birthdays: the anniversaries of a date of birth in the Gregorian calendar.
import { instantOf, type Settings, timeOfDay } from './clock.ts'

/** The instant of that local time on the person's birthday in that year. */
export function dueIn(year: number, { dateOfBirth, timezone }: Settings, localTime = '09:00'): number {
  const [month, day] = dateOfBirth.slice(-5).split('-').map(Number)
  // Date.UTC turns 29 February of a common year into 1 March.
  return instantOf(Date.UTC(year, month! - 1, day) + timeOfDay(localTime), timezone)
}

/** The first year after `after` whose instant is not before `now`. */
export function nextYear(
  settings: Settings,
  localTime: string,
  { now, after }: { now: number; after: number | null },
): number {
  let year = Math.max(new Date(now).getUTCFullYear() - 1, (after ?? 0) + 1)
  while (dueIn(year, settings, localTime) < now) year += 1
  return year
}
