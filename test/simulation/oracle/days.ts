// On which days an occasion falls, worked out a second time: anniversaries by Date, rules by another library. Days are
// written as midnight in UTC; no zone and no clock comes in here.
import rruleLibrary from 'rrule'

export type Falling = {
  /** The day it recalls, or from which on its rule counts. */
  date: string
  /** YEARLY, ONCE or a rule. */
  repeats: string
  leapDay: string
}

/** A day and what it is called among the others of its rule; in the order of time the names rise. */
export type Fall = { name: string; day: number }

/** Nobody lives so long here. */
const HORIZON = Date.UTC(2047, 0, 1)

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
  const begins = Math.max(new Date(from).getUTCFullYear(), new Date(first).getUTCFullYear())
  for (let year = begins; year < new Date(HORIZON).getUTCFullYear(); year++) {
    const day = anniversary(falling, year)
    if (day >= from) yield { name: String(year), day }
  }
}

/** Null if no day of it is called that. */
export function fallNamed(falling: Falling, name: string): Fall | null {
  if (falling.repeats === 'ONCE') return name === 'once' ? { name, day: Date.parse(falling.date) } : null
  if (falling.repeats === 'YEARLY')
    return /^\d{4}$/.test(name) ? { name, day: anniversary(falling, Number(name)) } : null
  const day = Date.parse(name)
  return daysOfRule(falling).includes(day) ? { name, day } : null
}

function anniversary({ date, leapDay }: Falling, year: number): number {
  const [, month, day] = date.split('-').map(Number)
  // In a common year the 29th of February is the 1st of March all by itself.
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
