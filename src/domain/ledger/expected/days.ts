// On which civil days an occasion falls, and the name of each occurrence. Decides by membership: a day is given, and the rule
// says whether it is one of its days. Shares no code with the planner.
import type { OccasionState } from '../journal.ts'
import { calendarAnniversary, calendarYearOf } from './calendar-days.ts'
import { dayNumber, isLeap, padded, readCivil, readDay, writeDay, yearOf } from './civil.ts'
import { nextRuleDay, ruleFallsOn } from './rule-days.ts'

/** `date`: the date of the occasion, or the date of birth if it has none of its own. */
export type DayRule = Pick<OccasionState, 'repeats' | 'calendar' | 'leapDay' | 'ruleRevision'> & {
  date: string
}

/** The name of the occurrence on that day, such as `2026`, `2:2026`, `hebrew-5787`, `2026-11-17` or `once`; null for none. */
export function occurrenceOn(rule: DayRule, day: number): string | null {
  switch (rule.repeats) {
    case 'ONCE':
      return day === readDay(rule.date) ? named(rule, 'once') : null
    case 'YEARLY': {
      const year = yearOn(rule, day)
      return year !== null && anniversary(rule, year) === day ? named(rule, yearName(rule, year)) : null
    }
    default:
      return ruleFallsOn(rule.repeats, rule.date, day) ? named(rule, writeDay(day)) : null
  }
}

/** The day of an occurrence; null if the rule has none of that name. A replay (`2026~1`) has the day of its original. */
export function dayOf(rule: DayRule, occurrence: string): number | null {
  const [original] = occurrence.split('~') as [string]
  const day = dayNamed(rule, original.slice(original.indexOf(':') + 1))
  return day !== null && occurrenceOn(rule, day) === original ? day : null
}

/** The only day that can have that name. */
function dayNamed(rule: DayRule, name: string): number | null {
  switch (rule.repeats) {
    case 'ONCE':
      return readDay(rule.date)
    case 'YEARLY': {
      const year = Number(name.slice(-4))
      return Number.isInteger(year) ? anniversary(rule, year) : null
    }
    default:
      return /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(name) ? readDay(name) : null
  }
}

/** The first day in [from, to] with an occurrence; null for none. */
export function nextDay(rule: DayRule, from: number, to: number): number | null {
  switch (rule.repeats) {
    case 'ONCE':
      return within(readDay(rule.date), from, to)
    case 'YEARLY':
      return nextAnniversary(rule, from, to)
    default:
      return nextRuleDay(rule.repeats, rule.date, from, to)
  }
}

function nextAnniversary(rule: DayRule, from: number, to: number): number | null {
  const date = readDay(rule.date)
  const first = yearOn(rule, date)
  const begins = yearOn(rule, Math.max(date, from))
  if (first === null || begins === null) return null
  for (let year = Math.max(first + 1, begins); ; year++) {
    const day = anniversary(rule, year)
    if (day === null || day > to) return null
    if (day >= from) return day
  }
}

function within(day: number, from: number, to: number): number | null {
  return day >= from && day <= to ? day : null
}

/** The year of the rule's calendar that contains the day; null outside the calendar's table. */
function yearOn({ calendar }: DayRule, day: number): number | null {
  return calendar === 'gregorian' ? yearOf(day) : calendarYearOf(calendar, day)
}

/** The day in that year; null up to the year of the date itself, which has no anniversary, and outside the calendar's table. */
function anniversary({ calendar, date, leapDay }: DayRule, year: number): number | null {
  if (calendar !== 'gregorian') return calendarAnniversary(calendar, readDay(date), year)
  const { year: first, month, day } = readCivil(date)
  if (year <= first) return null
  if (month === 2 && day === 29 && !isLeap(year)) {
    return leapDay === 'FEBRUARY_28' ? dayNumber(year, 2, 28) : dayNumber(year, 3, 1)
  }
  return dayNumber(year, month, day)
}

function yearName({ calendar }: DayRule, year: number): string {
  return calendar === 'gregorian' ? padded(year, 4) : `${calendar}-${year}`
}

/** From the second revision of a rule on, the names of its occurrences begin with the revision. */
function named({ ruleRevision }: DayRule, name: string): string {
  return ruleRevision === 1 ? name : `${ruleRevision}:${name}`
}
