// The instants and durations that a test gives to its clock, as text or as numbers.
import { DAY_MS, dayNumber, parseCivilDate } from '../../domain/time/calendar.ts'
import { parseLocalTime } from '../../domain/time/local-time.ts'
import { formatInstant, parseInstant } from '../../domain/time/timestamp.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import { unknownTimezone } from '../../domain/time/zone-suggestions.ts'

/** `2027-02-28T14:00:00Z`, also with an offset such as `-05:00`; a Date; or epoch milliseconds. */
export type Instant = string | Date | number

export type Duration = { days?: number; hours?: number; minutes?: number; seconds?: number }

export function instantFrom(given: Instant): number {
  const at = typeof given === 'string' ? parseInstant(given) : Number(given)
  if (at === null || !Number.isSafeInteger(at))
    throw new RangeError(
      `"${given}" is not an instant. Use a text with Z or an offset, such as 2027-02-28T14:00:00Z, or give a timezone.`,
    )
  return at
}

/** In a gap the time moves forward by the jump of the clock; a time that occurs twice is the first of the two. */
export function instantOfLocal(local: string, timezone: string, now: number, table: TimezoneTable): number {
  const [date = '', time = '', ...rest] = local.split('T')
  const day = parseCivilDate(date)
  const msOfDay = parseLocalTime(time)
  if (day === null || msOfDay === null || rest.length > 0)
    throw new RangeError(
      `"${local}" is not a local time. Use YYYY-MM-DDTHH:MM without an offset, such as 2027-02-28T09:00.`,
    )
  const name = table.canonicalName(timezone)
  if (name === null) throw new RangeError(unknownTimezone('timezone', timezone, { now, table }).message)
  return table.zone(name).instantOf(dayNumber(day) * DAY_MS + msOfDay).instant
}

/** A day has 24 hours, also where the clocks change. */
export function millisecondsOf(duration: number | Duration): number {
  if (typeof duration === 'number') return wholeNumber(duration)
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = duration
  return wholeNumber((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000)
}

function wholeNumber(ms: number): number {
  if (Number.isSafeInteger(ms)) return ms
  throw new RangeError(`${ms} is not a duration. Use whole milliseconds, or an object such as { days: 1 }.`)
}

export function rejectBackwards(now: number, to: number): void {
  if (to < now)
    throw new RangeError(
      `The clock is at ${formatInstant(now)} and cannot be moved back to ${formatInstant(to)}.`,
    )
}
