// What the occurrences of an occasion follow from, and how they are chosen. Types, and the yearly rule of an occasion.

import { TASK_REMINDER, type Task } from '../tasks/task.ts'
import type { TimezoneTable } from '../time/tzdb.ts'
import { hasYear } from '../users/date-of-birth.ts'
import type { User } from '../users/user.ts'
import type { OccurrenceNote, YearlyRule } from './next-occurrence.ts'
import type { Occasion } from './occasion.ts'
import { ON_ITS_DATE, type SendRule } from './send-day.ts'

/** The fields of a user that a schedule depends on. */
export type Where = Pick<User, 'dateOfBirth' | 'timezone'>

/** Everything that the occurrences of an occasion follow from. */
export type Schedule = {
  occasion: Occasion
  user: Where
  /** The task of a TASK_REMINDER; null for every other type. */
  task: Task | null
}

/** One occurrence of a schedule. */
export type Slot = {
  /** Unique within its occasion: `2026`, `hebrew-5787`, `2026-11-15`, `once`; `2:2026` under the second rule revision. */
  occurrence: string
  instant: number
  offsetSeconds: number
  /** The local calendar date at that instant. */
  occursOn: string
  /** The date that it is for: that of the occasion, on which it need not be sent. */
  date: string
  note?: SlotNote
}

/** `CALENDAR_MOVED`: the month or day does not exist in that calendar year. */
export type SlotNote = OccurrenceNote | 'CALENDAR_MOVED'

/** The latest settled occurrence, delivered or failed. It and every occurrence before it must not be sent again. */
export type LastSettled = { occurrence: string; targetAt: number }

/** Where to look for the next occurrence. */
export type From = { now: number; after: LastSettled | null }

/** Chooses the occurrences of a schedule. */
export type Series = {
  /** The first occurrence that is not before now and comes after the last settled one; null if there is none. */
  first(schedule: Schedule, from: From, table: TimezoneTable): Slot | null
  /**
   * Where a pending occurrence goes when its user moves. It stays owed: if its time has already passed in the new zone, it
   * is due at once. If an earlier occurrence is still possible in the new zone, that one is chosen. Null: no change.
   */
  moved(schedule: Schedule, from: From & { pending: string }, table: TimezoneTable): Slot | null
  /** The occurrence of that name, past or future; null if the schedule does not have it now. */
  named(schedule: Schedule, occurrence: string, table: TimezoneTable): Slot | null
}

/** When its messages are sent. */
export function sendRuleOf({ shiftDays, onWeekend }: Pick<Occasion, 'shiftDays' | 'onWeekend'>): SendRule {
  if (shiftDays === null && onWeekend === null) return ON_ITS_DATE
  return { shiftDays: shiftDays ?? 0, onWeekend: onWeekend ?? 'EXACT' }
}

/** The date that a schedule begins with; null for a birthday of a person without a date of birth. */
export function originOf({ date }: Pick<Occasion, 'date'>, { dateOfBirth }: Pick<User, 'dateOfBirth'>) {
  return date ?? dateOfBirth
}

/** Whether nothing can be planned before the date of birth is known, or its year. The date of a reminder is that of its task. */
export function lacksDate(occasion: Occasion, user: Pick<User, 'dateOfBirth'>): boolean {
  if (occasion.type === TASK_REMINDER) return false
  const origin = originOf(occasion, user)
  const isYearly = occasion.repeats === 'YEARLY' && occasion.calendar === 'gregorian'
  return isYearly ? origin === null : !hasYear(origin)
}

type Yearly = Pick<Occasion, 'date' | 'localTime' | 'leapDay' | 'shiftDays' | 'onWeekend'>

/** Null without a date. */
export function ruleOf(occasion: Yearly, user: Where): YearlyRule | null {
  const date = originOf(occasion, user)
  if (date === null) return null
  return {
    date,
    localTime: occasion.localTime,
    timezone: user.timezone,
    leapDay: occasion.leapDay,
    send: sendRuleOf(occasion),
  }
}
