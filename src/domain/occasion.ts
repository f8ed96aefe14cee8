// What makes events for a user: a rule, a local time, a message. Chooses its occurrences; never reads a clock.
import { civilFromLocalMs, formatCivilDate } from './calendar.ts'
import {
  type LeapDay,
  nextYearly,
  occurrenceInYear,
  type YearlyOccurrence,
  type YearlyRule,
} from './next-occurrence.ts'
import type { TimezoneTable } from './tzdb.ts'
import type { User } from './user.ts'

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
  /** Null for the default text of its type. */
  template: string | null
  /** Where it is sent; null for the default channel. */
  channelId: string | null
  /** `HH:MM` where the user lives, after which it is not tried again that day; null for no end. */
  notAfter: string | null
}

export function ruleOf(occasion: Occasion, user: Pick<User, 'dateOfBirth' | 'timezone'>): YearlyRule {
  return {
    date: occasion.date ?? user.dateOfBirth,
    localTime: occasion.localTime,
    timezone: user.timezone,
    leapDay: occasion.leapDay,
  }
}

/** The first occurrence not before now that comes after the one named (all before it are spoken for). */
export function firstOccurrence(
  rule: YearlyRule,
  from: { now: number; after: string | null },
  table: TimezoneTable,
): YearlyOccurrence {
  const afterYear = from.after === null ? undefined : yearOf(from.after)
  return nextYearly(rule, { notBefore: from.now, afterYear }, table)
}

/**
 * Where a pending occurrence goes when its user moves. It stays owed, even if nine o'clock has passed in the new
 * place (then it is due at once); but a place where an earlier occurrence can still be kept gets that one.
 */
export function movedOccurrence(
  rule: YearlyRule,
  from: { now: number; after: string | null; pending: string },
  table: TimezoneTable,
): YearlyOccurrence {
  const next = firstOccurrence(rule, from, table)
  const pendingYear = yearOf(from.pending)
  return next.year <= pendingYear ? next : occurrenceInYear(rule, pendingYear, table)
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

/** `2026`, or `2026~1` for a replay of it. */
function yearOf(occurrence: string): number {
  return Number.parseInt(occurrence, 10)
}
