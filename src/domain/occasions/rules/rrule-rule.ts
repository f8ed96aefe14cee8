// A recurrence rule of RFC 5545, parsed.
import type { CivilDate } from '../../time/calendar.ts'

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/** 0 is Monday. `ordinal` 2 is the second such day of the month or year, -1 the last; null is every such day. */
export type RuleWeekday = { readonly weekday: number; readonly ordinal: number | null }

/** Lists are sorted and without duplicates. An empty list means that the part was not given. */
export type RecurrenceRule = {
  readonly frequency: Frequency
  readonly interval: number
  readonly months: readonly number[]
  /** -1 is the last day of a month. */
  readonly monthDays: readonly number[]
  readonly weekdays: readonly RuleWeekday[]
  /** 0 is Monday. Matters only for an interval of two weeks or more. */
  readonly weekStart: number
  readonly count: number | null
  /** The last possible day. */
  readonly until: CivilDate | null
}

export type ParsedRule = { ok: true; rule: RecurrenceRule; text: string } | { ok: false; message: string }
