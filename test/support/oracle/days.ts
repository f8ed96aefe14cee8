// The days of an occasion, computed independently of the product: anniversaries by Date, rules by another library. A day
// is written as midnight in UTC; no timezone and no clock is used here.
import rruleLibrary from 'rrule'
import { calendarAnniversary, calendarYear } from './calendar-days.ts'

export type Falling = {
  /** The day of an anniversary, or the first day of a rule; `--12-15` for an anniversary every year, null for no day. */
  date: string | null
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
  if (!hasDays(falling)) return
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
  const after = isYearless(falling.date) ? 0 : yearAt(falling, first)
  const begins = Math.max(yearAt(falling, from), after + 1)
  for (let year = begins; year < yearAt(falling, HORIZON); year++) {
    const day = anniversary(falling, year)
    if (day !== null && day >= from) yield { name: nameIn(falling, year), day }
  }
}

const isYearless = (date: string) => date.startsWith('--')

/** Without a year only Gregorian years can be counted. */
function hasDays(falling: Falling): falling is Dated {
  const { date, repeats, calendar } = falling
  return date !== null && (!isYearless(date) || (repeats === 'YEARLY' && calendar === 'gregorian'))
}

type Dated = Falling & { date: string }

function yearAt({ calendar }: Falling, day: number): number {
  if (calendar === 'gregorian') return new Date(day).getUTCFullYear()
  return calendarYear(calendar, day - (day % 86_400_000))
}

function nameIn({ calendar }: Falling, year: number): string {
  return calendar === 'gregorian' ? String(year) : `${calendar}-${year}`
}

/** Null if the occasion has no occurrence of that name. */
export function fallNamed(falling: Falling, name: string): Fall | null {
  if (!hasDays(falling)) return null
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
function anniversary({ date, leapDay, calendar }: Dated, year: number): number | null {
  if (calendar !== 'gregorian') return calendarAnniversary(calendar, Date.parse(date), year)
  const [month, day] = date.slice(-5).split('-').map(Number)
  if (!isYearless(date) && year <= Number(date.slice(0, 4))) return null
  // Date.UTC turns 29 February of a common year into 1 March.
  const there = Date.UTC(year, month! - 1, day)
  const moved = new Date(there).getUTCDate() !== day
  return moved && leapDay === 'FEBRUARY_28' ? there - 86_400_000 : there
}

const known = new Map<string, readonly number[]>()

/** The days of a rule, up to a day. */
export function daysOfRule(
  { date, repeats }: Pick<Dated, 'date' | 'repeats'>,
  until = HORIZON,
): readonly number[] {
  const name = `${date} ${repeats} ${until}`
  const days = known.get(name) ?? generate(date, repeats, until)
  if (known.size > 1_000) known.clear()
  known.set(name, days)
  return days
}

/** The rrule package reads `BYDAY=MO,1TU` as days that match both; the RFC means days that match either. */
function generate(date: string, repeats: string, until: number): number[] {
  const [, before, list, after] = /^(.*BYDAY=)([^;]*)(.*)$/.exec(repeats) ?? []
  const isPlain = (item: string) => item.length === 2
  const items = list?.split(',') ?? []
  if (items.every(isPlain) || !items.some(isPlain)) return daysOfPackage(date, repeats, until)
  const count = /;COUNT=(\d+)/.exec(repeats)
  const parts = [items.filter(isPlain), items.filter((item) => !isPlain(item))]
  const days = parts.flatMap((part) =>
    daysOfPackage(date, `${before}${part}${after}`.replace(count?.[0] ?? '', ''), until),
  )
  const found = [...new Set(days)].sort((a, b) => a - b)
  return count === null ? found : found.slice(0, Number(count[1]))
}

function daysOfPackage(date: string, repeats: string, until: number): number[] {
  return rruleLibrary
    .rrulestr(`DTSTART:${date.replaceAll('-', '')}T000000Z\nRRULE:${repeats}`)
    .between(new Date(date), new Date(until), true)
    .map((day) => day.getTime())
}

export function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}
