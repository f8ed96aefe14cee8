// The days of an occasion, computed independently of the product: anniversaries by Date, rules by another library. A day
// is written as midnight in UTC; no timezone and no clock is used here.
import rruleLibrary from 'rrule'

export type Falling = {
  /** The day of an anniversary, or the first day of a rule. */
  date: string
  /** YEARLY, ONCE or a rule. */
  repeats: string
  leapDay: string
}

/** A day and the name of its occurrence. Names sort in the order of time. */
export type Fall = { name: string; day: number }

/** Later than any scenario ends. */
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

/** Null if the occasion has no occurrence of that name. */
export function fallNamed(falling: Falling, name: string): Fall | null {
  if (falling.repeats === 'ONCE') return name === 'once' ? { name, day: Date.parse(falling.date) } : null
  if (falling.repeats === 'YEARLY')
    return /^\d{4}$/.test(name) ? { name, day: anniversary(falling, Number(name)) } : null
  const day = Date.parse(name)
  return daysOfRule(falling).includes(day) ? { name, day } : null
}

function anniversary({ date, leapDay }: Falling, year: number): number {
  const [, month, day] = date.split('-').map(Number)
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
