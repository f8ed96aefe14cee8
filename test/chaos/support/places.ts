// Where the people of a run live.
import { wallAt } from '../../support/oracle/clock.ts'

/** Timezones all around the world, with and without summer time. */
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

/** The local date and time at an instant: `2026-11-15` and `09:00:00`. */
export function localAt(instant: number, timezone: string): { date: string; time: string } {
  const wall = new Date(wallAt(instant, timezone)).toISOString()
  return { date: wall.slice(0, 10), time: wall.slice(11, 19) }
}

/** Timezones with that time of day at that instant, on any date. */
export function placesAt(instant: number, time: string): string[] {
  return PLACES.filter((place) => localAt(instant, place).time === time)
}
