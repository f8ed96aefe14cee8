// The subset of Liquid for templates. A template is evaluated once from top to bottom: no loops, files, clock or randomness.
import { daysFromCivil, parseCivilDate } from '../time/calendar.ts'

/**
 * Not supported: loops (there is nothing to loop over, and a template without loops always ends), files (`include`, `render`,
 * `layout`), and `capture`, whose result would be escaped twice in HTML.
 */
export const TAGS: ReadonlySet<string> = new Set(['if', 'unless', 'case', 'assign', 'comment', '#', 'raw'])

/** Deterministic filters only: the same result on every machine and every day. */
export const FILTERS: ReadonlySet<string> = new Set([
  ...['append', 'prepend', 'capitalize', 'downcase', 'upcase', 'default'],
  ...['strip', 'lstrip', 'rstrip', 'squish', 'remove', 'remove_first', 'remove_last'],
  ...['replace', 'replace_first', 'replace_last', 'slice', 'truncate', 'truncatewords', 'url_encode'],
  ...['split', 'join', 'first', 'last', 'size'],
  ...[
    'plus',
    'minus',
    'times',
    'divided_by',
    'modulo',
    'round',
    'floor',
    'ceil',
    'abs',
    'at_least',
    'at_most',
  ],
])

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
