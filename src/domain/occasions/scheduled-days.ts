// The days that a schedule falls on, as the calendar on the wall shows them: no zone, no instant, no clock.

import { anniversaryIn, toCalendar, yearAt } from '../calendars/calendars.ts'
import { type CivilDate, dayNumber, formatCivilDate, parseCivilDate } from '../time/calendar.ts'
import { daysOf, parseRule } from './rrule.ts'
import type { RecurrenceRule } from './rrule-rule.ts'
import type { Schedule } from './schedule.ts'

export type Day = {
  /** Within one rule in the order of time: `2026-11-15`, `hebrew-5787`, `once`. */
  name: string
  date: CivilDate
  note?: 'CALENDAR_MOVED'
}

type Dated = Pick<Schedule, 'occasion' | 'user'>

/** In order, from the first one not before `from`. */
export function* daysFrom(schedule: Dated, from: CivilDate): Generator<Day> {
  const { repeats } = schedule.occasion
  const start = startOf(schedule)
  if (repeats === 'ONCE') {
    if (dayNumber(start) >= dayNumber(from)) yield { name: 'once', date: start }
  } else if (repeats === 'YEARLY') {
    yield* anniversaries(schedule, from)
  } else {
    for (const date of daysOf(ruleOfText(repeats), start, from)) yield { name: formatCivilDate(date), date }
  }
}

/** The day of that name, past or future; null if the rule as it stands has none. */
export function dayNamed(schedule: Dated, name: string): Day | null {
  const { repeats } = schedule.occasion
  if (repeats === 'ONCE') return { name, date: startOf(schedule) }
  if (repeats === 'YEARLY') return anniversary(schedule, Number(name.split('-')[1]))
  const [day] = daysFrom(schedule, parseCivilDate(name)!)
  return day?.name === name ? day : null
}

function* anniversaries(schedule: Dated, from: CivilDate): Generator<Day> {
  const { calendar } = schedule.occasion
  const origin = toCalendar(calendar, startOf(schedule))
  const first = yearAt(calendar, from)
  if (origin === null || first === null) return
  for (let year = Math.max(first, origin.year); ; year++) {
    const day = anniversary(schedule, year)
    // The table of that calendar ends.
    if (day === null) return
    if (dayNumber(day.date) >= dayNumber(from)) yield day
  }
}

function anniversary(schedule: Dated, year: number): Day | null {
  const { calendar } = schedule.occasion
  const origin = toCalendar(calendar, startOf(schedule))
  const found = origin && anniversaryIn(calendar, origin, year)
  if (found === null) return null
  const day = { name: `${calendar}-${year}`, date: found.date }
  return found.moved ? { ...day, note: 'CALENDAR_MOVED' } : day
}

function startOf({ occasion, user }: Dated): CivilDate {
  return parseCivilDate(occasion.date ?? user.dateOfBirth)!
}

const rules = new Map<string, RecurrenceRule>()
const RULES_KEPT = 1_000

function ruleOfText(text: string): RecurrenceRule {
  const known = rules.get(text)
  if (known !== undefined) return known
  const parsed = parseRule(text)
  // It was checked when it was saved.
  if (!parsed.ok) throw new RangeError(`"${text}" is no rule of recurrence: ${parsed.message}`)
  if (rules.size >= RULES_KEPT) rules.clear()
  rules.set(text, parsed.rule)
  return parsed.rule
}
