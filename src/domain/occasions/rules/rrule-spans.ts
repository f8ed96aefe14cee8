// The days, weeks, months or years that a recurrence rule counts in (its spans), and the days of a span that match it.
import {
  type CivilDate,
  civilFromLocalMs,
  DAY_MS,
  dayNumber,
  daysFromCivil,
  daysInMonth,
  isLeapYear,
} from '../../time/calendar.ts'
import type { RecurrenceRule } from './rrule-rule.ts'

/** Day numbers; `ends` is exclusive. */
type Span = { begins: number; ends: number }

/** The spans of a rule, counted from the span of its start. */
export type Spans = { at(index: number): Span; indexOf(day: number): number }

export function spansOf({ frequency, interval, weekStart }: RecurrenceRule, start: CivilDate): Spans {
  const first = dayNumber(start)
  switch (frequency) {
    case 'DAILY':
      return spansOfDays(first, 1, interval)
    case 'WEEKLY':
      return spansOfDays(first - ((weekdayOf(first) - weekStart + 7) % 7), 7, interval)
    case 'MONTHLY':
      return spansOfMonths(start.year * 12 + start.month - 1, 1, interval)
    case 'YEARLY':
      return spansOfMonths(start.year * 12, 12, interval)
  }
}

function spansOfDays(first: number, length: number, interval: number): Spans {
  const apart = length * interval
  return {
    at: (index) => ({ begins: first + index * apart, ends: first + index * apart + length }),
    indexOf: (day) => Math.floor((day - first) / apart),
  }
}

function spansOfMonths(first: number, length: number, interval: number): Spans {
  const apart = length * interval
  const begins = (month: number) => daysFromCivil(Math.floor(month / 12), (month % 12) + 1, 1)
  return {
    at: (index) => ({ begins: begins(first + index * apart), ends: begins(first + index * apart + length) }),
    indexOf(day) {
      const { year, month } = civilFromLocalMs(day * DAY_MS)
      return Math.floor((year * 12 + month - 1 - first) / apart)
    },
  }
}

/** The days of a span that match all parts of the rule. The RFC's "expand" and "limit" both come to this. */
export function daysWithin({ begins, ends }: Span, rule: RecurrenceRule): number[] {
  const { months, monthDays } = rule
  const days: number[] = []
  let { year, month, day } = civilFromLocalMs(begins * DAY_MS)
  for (let number = begins; number < ends; ) {
    const length = daysInMonth(year, month)
    const firstOfMonth = number - day + 1
    if (months.length === 0 || months.includes(month)) {
      for (; day <= length && number < ends; day++, number++) {
        if (monthDays.length > 0 && !monthDays.includes(day) && !monthDays.includes(day - length - 1))
          continue
        if (matchesWeekday(rule, number, { year, month, day })) days.push(number)
      }
    }
    number = firstOfMonth + length
    day = 1
    month = (month % 12) + 1
    if (month === 1) year += 1
  }
  return days
}

function matchesWeekday(
  { frequency, months, weekdays }: RecurrenceRule,
  number: number,
  date: CivilDate,
): boolean {
  if (weekdays.length === 0) return true
  const weekday = weekdayOf(number)
  for (const one of weekdays) {
    if (one.weekday !== weekday) continue
    if (one.ordinal === null) return true
    // Ordinals count within the year only in a YEARLY rule without BYMONTH, else within the month.
    const inYear = frequency === 'YEARLY' && months.length === 0
    const length = inYear ? (isLeapYear(date.year) ? 366 : 365) : daysInMonth(date.year, date.month)
    const place = inYear ? number - daysFromCivil(date.year, 1, 1) + 1 : date.day
    const ordinal = one.ordinal > 0 ? Math.ceil(place / 7) : -Math.ceil((length - place + 1) / 7)
    if (ordinal === one.ordinal) return true
  }
  return false
}

/** 0 is Monday; day 0 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}
