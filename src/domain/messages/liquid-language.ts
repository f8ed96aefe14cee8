// The subset of Liquid for templates. A template is evaluated once from top to bottom: no loops, files, clock or randomness.
import { daysFromCivil, parseCivilDate } from '../time/calendar.ts'

/**
 * Not supported: loops (there is nothing to loop over, and a template without loops always ends), files (`include`, `render`,
 * `layout`), and `capture`, whose result would be escaped twice in HTML.
 */
export const TAGS: ReadonlySet<string> = new Set(['if', 'unless', 'case', 'assign', 'comment', '#', 'raw'])

/** The work of a filter, beyond reading its input and its arguments once and making its result. */
export type FilterCost = {
  /** The most characters that one character can become. Charged before the filter runs. */
  growth?: number
  /** Looks for its first argument in its input. */
  searches?: true
}

/** Deterministic filters only: the same result on every machine and every day. Each is charged to the budget of its message. */
export const FILTERS: ReadonlyMap<string, FilterCost> = new Map<string, FilterCost>([
  ...plain('append', 'prepend', 'default', 'squish', 'slice', 'truncate', 'truncatewords'),
  ...costing({ growth: 3 }, 'capitalize', 'downcase', 'upcase'),
  // The second argument becomes a set of characters.
  ...costing({ growth: 4 }, 'strip', 'lstrip', 'rstrip'),
  ...costing({ searches: true }, 'remove', 'remove_first', 'remove_last'),
  ...costing({ searches: true }, 'replace', 'replace_first', 'replace_last', 'split'),
  ...plain('join', 'first', 'last', 'size'),
  ...plain('plus', 'minus', 'times', 'divided_by', 'modulo', 'round', 'floor', 'ceil', 'abs'),
  ...plain('at_least', 'at_most'),
  // One UTF-16 unit is up to three bytes, and each byte is written as %XX.
  ...costing({ growth: 9 }, 'url_encode'),
  // %A is two characters, Wednesday nine.
  ...costing({ growth: 5 }, 'date'),
])

function plain(...names: string[]): [string, FilterCost][] {
  return costing({}, ...names)
}

function costing(cost: FilterCost, ...names: string[]): [string, FilterCost][] {
  return names.map((name) => [name, cost])
}

export class FilterError extends Error {}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const WEEKDAYS = 'Thursday Friday Saturday Sunday Monday Tuesday Wednesday'.split(' ')

type Day = { year: number; month: number; day: number; weekday: string }

const CODES: Readonly<Record<string, (day: Day) => string | number>> = {
  Y: ({ year }) => year,
  y: ({ year }) => two(year % 100),
  m: ({ month }) => two(month),
  '-m': ({ month }) => month,
  d: ({ day }) => two(day),
  '-d': ({ day }) => day,
  B: ({ month }) => MONTHS[month - 1]!,
  b: ({ month }) => MONTHS[month - 1]!.slice(0, 3),
  A: ({ weekday }) => weekday,
  a: ({ weekday }) => weekday.slice(0, 3),
  '%': () => '%',
}

/**
 * `{{ localDate | date: "%-d %B" }}`. Replaces the filter of LiquidJS, which depends on the clock, timezone and language of
 * the machine.
 */
export function formatDate(value: unknown, format: unknown): string {
  const date = typeof value === 'string' ? parseCivilDate(value) : null
  if (date === null) throw new FilterError('The filter "date" needs a date such as localDate.')
  if (typeof format !== 'string')
    throw new FilterError('Give the filter "date" a format such as "%-d %B %Y".')
  const { year, month, day } = date
  const weekday = WEEKDAYS[((daysFromCivil(year, month, day) % 7) + 7) % 7]!
  return format.replace(/%(-?.?)/gsu, (_, code: string) => {
    const written = CODES[code]
    if (written === undefined) {
      throw new FilterError(`The filter "date" supports only %${Object.keys(CODES).join(' %')}.`)
    }
    return String(written({ year, month, day, weekday }))
  })
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
