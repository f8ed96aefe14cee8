// An occasion: the rule, local time and message from which a user's events are made. Its type chooses the occurrences.

import type { CalendarName } from '../calendars/calendars.ts'
import { civilFromLocalMs, DAY_MS, formatCivilDate } from '../time/calendar.ts'
import type { TimezoneTable } from '../time/tzdb.ts'
import { type LeapDay, occurrenceInYear } from './next-occurrence.ts'
import type { WeekendRule } from './send-day.ts'

export type Occasion = {
  id: string
  userId: string
  /** BIRTHDAY, or any other name in capitals. */
  type: string
  /** The original date; null for the user's date of birth, so that it is stored once. */
  date: string | null
  /** `HH:MM[:SS]` in the user's timezone. */
  localTime: string
  leapDay: LeapDay
  /** Days from its date to the day of sending, negative for days before it; null for none. */
  shiftDays: number | null
  /** What to do if the day of sending is on a weekend; null to send on it. */
  onWeekend: WeekendRule | null
  /** YEARLY, ONCE, or an RFC 5545 rule such as `FREQ=WEEKLY;BYDAY=MO`. */
  repeats: string
  /** The calendar whose years are counted. */
  calendar: CalendarName
  /** Rises when `repeats` or `calendar` changes, so that occurrences of the new rule have new names even on the same date. */
  ruleRevision: number
  /** The last local date on which it may fall; null for no end. */
  until: string | null
  /** When it was paused; null while it makes events. */
  pausedAt: number | null
  /** When a pause of all people who match a filter paused it; null if it was paused alone, or is not paused. */
  bulkPausedAt: number | null
  /** Null for the default text of its type. */
  template: string | null
  /** Null for the default channel. */
  channelId: string | null
  /** `HH:MM` in the user's timezone after which no attempt is made that day; null for no limit. */
  notAfter: string | null
  /** The application's own data, as JSON text; null for none. It must not reach a log line. */
  data: string | null
  /** Rises by one with every change. */
  version: number
}

/** The last instant at which an event may be tried on its day; null for no limit. */
export function cutOffOf(
  event: { targetAt: number; offsetSeconds: number; timezone: string },
  notAfter: string | null,
  table: TimezoneTable,
): number | null {
  if (notAfter === null) return null
  const day = civilFromLocalMs(event.targetAt + event.offsetSeconds * 1000)
  const rule = { date: formatCivilDate(day), localTime: notAfter, timezone: event.timezone }
  const { instant } = occurrenceInYear(rule, day.year, table)
  // An event due after that time of day may be tried until that time on the next day.
  return instant >= event.targetAt ? instant : instant + DAY_MS
}
