// The local calendar days of a schedule. Knows no zones and no instants.

import { anniversaryIn, toCalendar, yearAt } from '../calendars/calendars.ts'
import { type CivilDate, dayNumber, formatCivilDate, parseCivilDate } from '../time/calendar.ts'
import { daysOf, parseRule } from './rules/rrule.ts'
import type { RecurrenceRule } from './rules/rrule-rule.ts'
import { originOf, type Schedule } from './schedule.ts'

export type Day = {
  /** `2026-11-15`, `hebrew-5787` or `once`. Names sort by time within one rule. */
  name: string
  date: CivilDate
  note?: 'CALENDAR_MOVED'
}

type DaySchedule = Pick<Schedule, 'occasion' | 'user'>

/** The days in order, from the first that is not before `from`. */
export function* daysFrom(schedule: DaySchedule, from: CivilDate): Generator<Day> {
  const { repeats } = schedule.occasion
  const start = startOf(schedule)
  if (start === null) return
  if (repeats === 'ONCE') {
    if (dayNumber(start) >= dayNumber(from)) yield { name: 'once', date: start }
  } else if (repeats === 'YEARLY') {
    yield* anniversaries(schedule, from)
  } else {
    for (const date of daysOf(ruleOfText(repeats), start, from)) yield { name: formatCivilDate(date), date }
  }
}

/** The day of that name, past or future; null if the current rule has none. */
export function dayNamed(schedule: DaySchedule, name: string): Day | null {
  const { repeats } = schedule.occasion
  const start = startOf(schedule)
  if (start === null) return null
  if (repeats === 'ONCE') return { name, date: start }
  if (repeats === 'YEARLY') return anniversary(schedule, Number(name.split('-')[1]))
  const [day] = daysFrom(schedule, parseCivilDate(name)!)
  return day?.name === name ? day : null
}

function* anniversaries(schedule: DaySchedule, from: CivilDate): Generator<Day> {
  const { calendar } = schedule.occasion
  const origin = toCalendar(calendar, startOf(schedule)!)
  const first = yearAt(calendar, from)
  if (origin === null || first === null) return
  for (let year = Math.max(first, origin.year + 1); ; year++) {
    const day = anniversary(schedule, year)
    // The table of the calendar ends here.
    if (day === null) return
    if (dayNumber(day.date) >= dayNumber(from)) yield day
  }
}

function anniversary(schedule: DaySchedule, year: number): Day | null {
  const { calendar } = schedule.occasion
  const origin = toCalendar(calendar, startOf(schedule)!)
  // The day itself is no anniversary: the first is in the next year of the calendar.
  const found = origin && year > origin.year ? anniversaryIn(calendar, origin, year) : null
  if (found === null) return null
  const day = { name: `${calendar}-${year}`, date: found.date }
  return found.moved ? { ...day, note: 'CALENDAR_MOVED' } : day
}

/** Null without a date, or without its year. */
function startOf({ occasion, user }: DaySchedule): CivilDate | null {
  return parseCivilDate(originOf(occasion, user) ?? '')
}

const rules = new Map<string, RecurrenceRule>()
const MAX_CACHED_RULES = 1_000

function ruleOfText(text: string): RecurrenceRule {
  const known = rules.get(text)
  if (known !== undefined) return known
  const parsed = parseRule(text)
  // The rule was validated when it was saved.
  if (!parsed.ok) throw new RangeError(`"${text}" is not a recurrence rule: ${parsed.message}`)
  if (rules.size >= MAX_CACHED_RULES) rules.clear()
  rules.set(text, parsed.rule)
  return parsed.rule
}
