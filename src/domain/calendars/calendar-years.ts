// The years and months of the non-Gregorian calendars, from our own table. Knows no anniversaries.
//
// A table instead of calendar libraries: minified they have 227 kB, the table has 20 kB and serves four calendars. Not Intl:
// Node 24 has the Chinese New Year of 2027 a day late. scripts/build-calendars.ts builds the table from the libraries, which
// only development needs.
import { daysFromCivil, parseCivilDate } from '../time/calendar.ts'
import data from './calendar-years.json' with { type: 'json' }

type TableCalendar = keyof typeof data

type Month = { readonly name: string; readonly length: number }

export type Year = {
  readonly number: number
  /** Days from 1970-01-01 to its first day. */
  readonly start: number
  readonly length: number
  readonly months: readonly Month[]
}

/** A year is its months in order, each by the last digit of its length: 29, 30 or 31 days. L marks a leap month. */
type TableData = { start: string; years: Record<string, string> }

const COMMON = 'Tishri Heshvan Kislev Tevet Shevat Adar Nisan Iyar Sivan Tamuz Av Elul'.split(' ')
const LEAP = COMMON.toSpliced(5, 1, 'Adar I', 'Adar II')

const decoded = new Map<TableCalendar, readonly Year[]>()

/** All supported years, in order and without a gap. */
export function yearsOf(calendar: TableCalendar): readonly Year[] {
  let years = decoded.get(calendar)
  if (years === undefined) {
    years = decode(data[calendar], calendar === 'hebrew' ? hebrewMonths : numberedMonths)
    decoded.set(calendar, years)
  }
  return years
}

type Length = { length: number; leap: boolean }

function decode(table: TableData, name: (lengths: Length[]) => Month[]): Year[] {
  const first = parseCivilDate(table.start)!
  let start = daysFromCivil(first.year, first.month, first.day)
  return Object.entries(table.years).map(([number, line]) => {
    const months = name([...line.matchAll(/(\d)(L?)/g)].map(([, digit, leap]) => lengthOf(digit!, leap!)))
    const length = months.reduce((sum, month) => sum + month.length, 0)
    const year = { number: Number(number), start, length, months }
    start += length
    return year
  })
}

function lengthOf(digit: string, leap: string): Length {
  return { length: digit === '9' ? 29 : 30 + Number(digit), leap: leap === 'L' }
}

/** A leap month has the number of the month before it, with an L. */
function numberedMonths(lengths: Length[]): Month[] {
  let number = 0
  return lengths.map(({ length, leap }) => ({ name: leap ? `${number}L` : `${++number}`, length }))
}

/** Names instead of numbers: in a leap year, numbers would shift by one from Adar on. */
function hebrewMonths(lengths: Length[]): Month[] {
  const names = lengths.length === LEAP.length ? LEAP : COMMON
  return lengths.map(({ length }, i) => ({ name: names[i]!, length }))
}
