// What makes events for a user: a rule, a local time, a message. Knows its parts; its kind chooses its occurrences.

import type { CalendarName } from '../calendars/calendars.ts'
import type { Task } from '../tasks/task.ts'
import { civilFromLocalMs, formatCivilDate } from '../time/calendar.ts'
import type { TimezoneTable } from '../time/tzdb.ts'
import type { User } from '../users/user.ts'
import { type LeapDay, type OccurrenceNote, occurrenceInYear, type YearlyRule } from './next-occurrence.ts'

export type Occasion = {
  id: string
  userId: string
  /** BIRTHDAY, or any other name in capitals. */
  type: string
  /** The day it recalls; null for the user's own date of birth, so that there is one truth about it. */
  date: string | null
  /** `HH:MM[:SS]` where the user lives. */
  localTime: string
  leapDay: LeapDay
  /** YEARLY, ONCE, or a rule of RFC 5545 such as `FREQ=WEEKLY;BYDAY=MO`. */
  repeats: string
  /** By which calendar a year is counted. */
  calendar: CalendarName
  /** Rises when `repeats` or `calendar` changes, so that occurrences of the new rule have new names even on the same date. */
  ruleRevision: number
  /** The last local date that it may fall on; null for no end. */
  until: string | null
  /** Since when it makes no events; null while it does. */
  pausedAt: number | null
  /** Null for the default text of its type. */
  template: string | null
  /** Where it is sent; null for the default channel. */
  channelId: string | null
  /** `HH:MM` where the user lives, after which it is not tried again that day; null for no end. */
  notAfter: string | null
  /** Rises by one with every change. */
  version: number
}

export type Where = Pick<User, 'dateOfBirth' | 'timezone'>

/** All that the occurrences of an occasion follow from. */
export type Schedule = {
  occasion: Occasion
  user: Where
  /** What a TASK_REMINDER reminds of; null for every other kind. */
  task: Task | null
}

/** One occurrence of a schedule. */
export type Slot = {
  /** Which one, unique within its occasion: `2026`, `hebrew-5787`, `2026-11-15`, `once`; of a second rule `2:2026`. */
  occurrence: string
  instant: number
  offsetSeconds: number
  /** The local calendar date at that instant. */
  occursOn: string
  note?: SlotNote
}

/** `CALENDAR_MOVED`: the month or day does not exist in that year of its calendar. `QUIET_HOURS`: moved out of the night. */
export type SlotNote = OccurrenceNote | 'CALENDAR_MOVED' | 'QUIET_HOURS'

/** The latest settled occurrence, delivered or failed. It and every occurrence before it must not be sent again. */
export type LastSettled = { occurrence: string; targetAt: number }

export type From = {
  now: number
  after: LastSettled | null
}

/** Chooses the occurrences of a schedule. */
export type Series = {
  /** The first occurrence that is not before now and comes after the last settled one; null if there is none. */
  first(schedule: Schedule, from: From, table: TimezoneTable): Slot | null
  /**
   * Where a pending occurrence goes when its user moves. It stays owed, even if its time has passed in the new place
   * (then it is due at once); but a place where an earlier occurrence can still be kept gets that one. Null: as it was.
   */
  moved(schedule: Schedule, from: From & { pending: string }, table: TimezoneTable): Slot | null
  /** The occurrence of that name, past or to come; null if the schedule has none, or does not keep it any more. */
  named(schedule: Schedule, occurrence: string, table: TimezoneTable): Slot | null
}

export function ruleOf(occasion: Pick<Occasion, 'date' | 'localTime' | 'leapDay'>, user: Where): YearlyRule {
  return {
    date: occasion.date ?? user.dateOfBirth,
    localTime: occasion.localTime,
    timezone: user.timezone,
    leapDay: occasion.leapDay,
  }
}

/** The instant after which an event is not tried on its day any more; null for none. */
export function cutOffOf(
  event: { targetAt: number; offsetSeconds: number; timezone: string },
  notAfter: string | null,
  table: TimezoneTable,
): number | null {
  if (notAfter === null) return null
  const day = civilFromLocalMs(event.targetAt + event.offsetSeconds * 1000)
  const rule = { date: formatCivilDate(day), localTime: notAfter, timezone: event.timezone }
  const { instant } = occurrenceInYear(rule, day.year, table)
  // One that is due later than that has until then the next day.
  return instant >= event.targetAt ? instant : instant + 24 * 60 * 60 * 1000
}
