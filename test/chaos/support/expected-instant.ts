// The due time of a message, computed independently of the product: by Temporal and the runtime's own timezone data, for
// timezones whose rules have not changed in years.
import { Temporal } from 'temporal-polyfill'

/** The birth date and timezone of a person. */
export type Settings = { dateOfBirth: string; timezone: string }

/** Timezones all around the world, with and without summer time, on whose data every runtime agrees. */
export const PLACES: readonly string[] = [
  'America/Bogota',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Africa/Lagos',
  'Africa/Nairobi',
  'Asia/Bangkok',
  'Asia/Dhaka',
  'Asia/Dubai',
  'Asia/Jakarta',
  'Asia/Karachi',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Seoul',
  'Asia/Shanghai',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Australia/Brisbane',
  'Australia/Sydney',
  'Europe/Athens',
  'Europe/Berlin',
  'Europe/London',
  'Pacific/Auckland',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
  'Pacific/Marquesas',
  'UTC',
]

const known = new Map<string, number>()

/** The instant of that local time on the person's birthday in that year. Cached, because many people share one. */
export function dueIn(year: number, { dateOfBirth, timezone }: Settings, localTime: string): number {
  const day = dateOfBirth.slice(5)
  const which = `${year} ${day} ${localTime} ${timezone}`
  const due = known.get(which) ?? findInstant(year, day, localTime, timezone)
  known.set(which, due)
  return due
}

function findInstant(year: number, day: string, localTime: string, timezone: string): number {
  const leaps = Temporal.PlainDate.from({ year, month: 1, day: 1 }).inLeapYear
  // In a common year 29 February is celebrated on 1 March.
  const date = day === '02-29' && !leaps ? `${year}-03-01` : `${year}-${day}`
  return Temporal.PlainDate.from(date)
    .toPlainDateTime(Temporal.PlainTime.from(localTime))
    .toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds
}

/** The first year after `after` whose instant is not before `now`. */
export function nextYear(
  settings: Settings,
  localTime: string,
  from: { now: number; after: number | null },
): number {
  let year = Math.max(new Date(from.now).getUTCFullYear() - 1, (from.after ?? 0) + 1)
  while (dueIn(year, settings, localTime) < from.now) year += 1
  return year
}

/** The local date and time at an instant: `2026-11-15` and `09:00:00`. */
export function wallAt(instant: number, timezone: string): { date: string; time: string } {
  const wall = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone).toPlainDateTime()
  return {
    date: wall.toPlainDate().toString(),
    time: wall.toPlainTime().toString({ smallestUnit: 'second' }),
  }
}

/** Timezones with that time of day at that instant, on any date. */
export function placesAt(instant: number, time: string): string[] {
  return PLACES.filter((place) => wallAt(instant, place).time === time)
}
