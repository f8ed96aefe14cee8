// Builds src/domain/calendars/calendar-years.json from calendar libraries. Owns the range of years and the encoding.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  type Calendar,
  CalendarDate,
  HebrewCalendar,
  IslamicUmalquraCalendar,
  PersianCalendar,
} from '@internationalized/date'
import { LunarYear } from 'tyme4ts'
import { civilFromLocalMs, DAY_MS, daysFromCivil, formatCivilDate } from '../src/domain/time/calendar.ts'

const TABLE = new URL('../src/domain/calendars/calendar-years.json', import.meta.url)
const JULIAN_DAY_OF_1970 = 2_440_588

const HELP = `Usage: node scripts/build-calendars.ts [--check] [--help]

Builds src/domain/calendars/calendar-years.json from tyme4ts (Chinese) and @internationalized/date (Hebrew, Islamic, Persian).
Run it after updating one of these packages.

  --check  write nothing; exit 1 if the checked-in file differs from a fresh build
  --help   print this text`

/** In days from 1970-01-01. */
type Month = { start: number; length: number; leap: boolean }
type Source = { from: number; to: number; months: (year: number) => Month[] }

// Every range includes the birth dates of all living people. The Umm al-Qura calendar is published to the end of 1500
// (November 2077), the tables of the Hong Kong Observatory end in 2100, and the Persian leap year rule holds beyond 1478.
const SOURCES: Record<string, Source> = {
  chinese: { from: 1900, to: 2100, months: chineseMonths },
  hebrew: { from: 5660, to: 5860, months: (year) => monthsOf(new HebrewCalendar(), year) },
  islamic: { from: 1318, to: 1500, months: (year) => monthsOf(new IslamicUmalquraCalendar(), year) },
  persian: { from: 1279, to: 1478, months: (year) => monthsOf(new PersianCalendar(), year) },
}

function chineseMonths(year: number): Month[] {
  return LunarYear.fromYear(year)
    .getMonths()
    .map((month) => {
      const first = month.getFirstDay().getSolarDay()
      const start = daysFromCivil(first.getYear(), first.getMonth(), first.getDay())
      return { start, length: month.getDayCount(), leap: month.isLeap() }
    })
}

function monthsOf(calendar: Calendar, year: number): Month[] {
  const count = calendar.getMonthsInYear(new CalendarDate(calendar, year, 1, 1))
  return Array.from({ length: count }, (_, i) => {
    const first = new CalendarDate(calendar, year, i + 1, 1)
    // The number of months identifies a Hebrew leap year.
    return {
      start: calendar.toJulianDay(first) - JULIAN_DAY_OF_1970,
      length: calendar.getDaysInMonth(first),
      leap: false,
    }
  })
}

function build({ from, to, months }: Source) {
  const start = months(from)[0]!.start
  const years: Record<string, string> = {}
  let next = start
  for (let year = from; year <= to; year++) {
    years[year] = months(year)
      .map((month) => {
        // The table has only lengths, so their sum must match the first day of each month in the library.
        if (month.start !== next || month.length < 29 || month.length > 31)
          throw new Error(
            `A month of year ${year} in the source does not start where the previous month ends.`,
          )
        next += month.length
        return `${month.length % 10}${month.leap ? 'L' : ''}`
      })
      .join('')
  }
  return { start: formatCivilDate(civilFromLocalMs(start * DAY_MS)), years }
}

function main(args: string[]): number {
  if (args.includes('--help')) {
    console.log(HELP)
    return 0
  }
  const unknown = args.find((arg) => arg !== '--check')
  if (unknown !== undefined) {
    console.error(`Unknown option "${unknown}". See --help.`)
    return 2
  }
  const table = Object.fromEntries(Object.entries(SOURCES).map(([name, source]) => [name, build(source)]))
  // One year for each line, so that a diff shows the years that changed.
  const text = `${JSON.stringify(table, null, 2)}\n`
  const existing = existsSync(TABLE) ? readFileSync(TABLE, 'utf8') : null
  if (existing === text) {
    console.log('no change')
    return 0
  }
  for (const line of changedLines(existing ?? '', text)) console.log(line)
  if (args.includes('--check')) {
    console.error(
      'src/domain/calendars/calendar-years.json differs from a fresh build. Run: node scripts/build-calendars.ts',
    )
    return 1
  }
  writeFileSync(TABLE, text)
  console.log('wrote src/domain/calendars/calendar-years.json')
  return 0
}

function changedLines(before: string, after: string): string[] {
  const known = new Set(before.split('\n'))
  const changed = after.split('\n').filter((line) => !known.has(line))
  return changed.length > 25 ? [`${changed.length} years differ`] : changed
}

try {
  process.exitCode = main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
