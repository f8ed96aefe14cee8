// The days of an occasion, computed independently of the product: anniversaries by Date, rules by another library. A day
// is written as midnight in UTC; no timezone and no clock is used here.
import rruleLibrary from 'rrule'
import { calendarAnniversary, calendarYear } from './calendar-days.ts'

export type Falling = {
  /** The day of an anniversary, or the first day of a rule. */
  date: string
  /** YEARLY, ONCE or a rule. */
  repeats: string
  leapDay: string
  /** The calendar that counts the years. */
  calendar: string
}

/** A day and the name of its occurrence. Names sort in the order of time. */
export type Fall = { name: string; day: number }

/** Later than the next occurrence at the end of any scenario: a leap day every three years comes every twelve. */
const HORIZON = Date.UTC(2062, 0, 1)

export function* fallsFrom(falling: Falling, from: number): Generator<Fall> {
  const first = Date.parse(falling.date)
  if (falling.repeats === 'ONCE') {
    if (first >= from) yield { name: 'once', day: first }
    return
  }
  if (falling.repeats !== 'YEARLY') {
    for (const day of daysOfRule(falling)) if (day >= from) yield { name: dateOf(day), day }
    return
  }
  // The first anniversary is in the year after the day itself.
  const begins = Math.max(yearAt(falling, from), yearAt(falling, first) + 1)
  for (let year = begins; year < yearAt(falling, HORIZON); year++) {
    const day = anniversary(falling, year)
    if (day !== null && day >= from) yield { name: nameIn(falling, year), day }
  }
}

function yearAt({ calendar }: Falling, day: number): number {
  if (calendar === 'gregorian') return new Date(day).getUTCFullYear()
  return calendarYear(calendar, day - (day % 86_400_000))
}

function nameIn({ calendar }: Falling, year: number): string {
  return calendar === 'gregorian' ? String(year) : `${calendar}-${year}`
}

/** Null if the occasion has no occurrence of that name. */
export function fallNamed(falling: Falling, name: string): Fall | null {
  if (falling.repeats === 'ONCE') return name === 'once' ? { name, day: Date.parse(falling.date) } : null
  if (falling.repeats === 'YEARLY') {
    const year = Number(name.split('-').at(-1))
    const day = name === nameIn(falling, year) ? anniversary(falling, year) : null
    return day === null ? null : { name, day }
  }
  const day = Date.parse(name)
  return daysOfRule(falling).includes(day) ? { name, day } : null
}

/** Null before the first anniversary. */
function anniversary({ date, leapDay, calendar }: Falling, year: number): number | null {
  if (calendar !== 'gregorian') return calendarAnniversary(calendar, Date.parse(date), year)
  const [born, month, day] = date.split('-').map(Number)
  if (year <= born!) return null
  // Date.UTC turns 29 February of a common year into 1 March.
  const there = Date.UTC(year, month! - 1, day)
  const moved = new Date(there).getUTCDate() !== day
  return moved && leapDay === 'FEBRUARY_28' ? there - 86_400_000 : there
}

const known = new Map<string, readonly number[]>()

function daysOfRule({ date, repeats }: Falling): readonly number[] {
  const text = `DTSTART:${date.replaceAll('-', '')}T000000Z\nRRULE:${repeats}`
  let days = known.get(text)
  if (days === undefined) {
    days = rruleLibrary
      .rrulestr(text)
      .all((day) => day.getTime() < HORIZON)
      .map((day) => day.getTime())
    if (known.size > 1_000) known.clear()
    known.set(text, days)
  }
  return days
}

export function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}
