// Where the people of a run live.
import { wallAt } from '../../support/oracle/clock.ts'

/** Timezones all around the world, with and without summer time. */
export const PLACES: readonly string[] = [
  'America/Los_Angeles',
  'America/New_York',
  'America/St_Johns',
  'Africa/Lagos',
  'Asia/Dubai',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Europe/Berlin',
  'Europe/London',
  'Pacific/Auckland',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
  'Pacific/Marquesas',
  'UTC',
]

/** The local date and time at an instant: `2026-11-15` and `09:00:00`. */
export function localAt(instant: number, timezone: string): { date: string; time: string } {
  const wall = new Date(wallAt(instant, timezone)).toISOString()
  return { date: wall.slice(0, 10), time: wall.slice(11, 19) }
}

/** Timezones with that time of day at that instant, on any date. */
export function placesAt(instant: number, time: string): string[] {
  return PLACES.filter((place) => localAt(instant, place).time === time)
}
