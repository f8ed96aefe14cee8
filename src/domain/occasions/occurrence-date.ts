// The date that an occurrence is for, by its name. It need not be the day on which its message is sent.
import { anniversaryIn, CALENDARS, type CalendarName, toCalendar } from '../calendars/calendars.ts'
import { originalOf } from '../events/idempotency-key.ts'
import {
  type CivilDate,
  civilFromLocalMs,
  DAY_MS,
  formatCivilDate,
  parseCivilDate,
  parseMonthDay,
} from '../time/calendar.ts'
import { hasYear } from '../users/date-of-birth.ts'
import { anniversaryDay, type LeapDay } from './next-occurrence.ts'

/** `2026`, `hebrew-5787`, `2:2026`. */
const YEARLY = /^(?:\d+:)?(?:([a-z]+)-)?(\d{4})$/
/** `2026-11-15`, `2:2026-11-15`. */
const DAILY = /^(?:\d+:)?(\d{4}-\d{2}-\d{2})$/

/** The year of a calendar that a yearly occurrence is named after; null for every other one. */
export function namedYear(occurrence: string): { calendar: CalendarName; year: number } | null {
  const [, name = 'gregorian', year] = YEARLY.exec(originalOf(occurrence)) ?? []
  const calendar = CALENDARS.find((one) => one === name)
  return year === undefined || calendar === undefined ? null : { calendar, year: Number(year) }
}

/** `date` is the original date. Null without it or its year, where it is needed, and for a year that the table of the calendar does not have. */
export function dateOfOccurrence(
  occurrence: string,
  { date, leapDay = 'MARCH_1' }: { date: string | null; leapDay?: LeapDay | undefined },
): string | null {
  const named = namedYear(occurrence)
  if (named === null) return DAILY.exec(originalOf(occurrence))?.[1] ?? (hasYear(date) ? date : null)
  const { calendar, year } = named
  const isOfAnyYear = date !== null && calendar === 'gregorian' && !hasYear(date)
  const original = isOfAnyYear ? parseMonthDay(date) : parseCivilDate(date ?? '')
  if (original === null) return null
  if (calendar !== 'gregorian') return formatted(inCalendar(calendar, original, year))
  return formatted(civilFromLocalMs(anniversaryDay({ ...original, leapDay }, year) * DAY_MS))
}

function inCalendar(calendar: CalendarName, original: CivilDate, year: number): CivilDate | null {
  const origin = toCalendar(calendar, original)
  return origin && (anniversaryIn(calendar, origin, year)?.date ?? null)
}

const formatted = (date: CivilDate | null) => date && formatCivilDate(date)
