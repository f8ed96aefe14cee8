// Anniversaries by non-Gregorian calendars: converts a date to a calendar, and finds that day in another year. Owns the customs
// for days that a year does not have. Never reads a clock.
import { type CivilDate, civilFromLocalMs, DAY_MS, daysFromCivil, daysInMonth } from '../time/calendar.ts'
import { type Year, yearsOf } from './calendar-years.ts'

export const CALENDARS = ['gregorian', 'chinese', 'hebrew', 'islamic', 'persian'] as const
export type CalendarName = (typeof CALENDARS)[number]

export type CalendarDay = {
  /** Four digits in all supported years. A Chinese year has the number of the Gregorian year in which it begins. */
  readonly year: number
  /** `1` to `12`; `6L` is the Chinese leap month after the sixth; Hebrew months have names, such as `Adar II`. */
  readonly month: string
  readonly day: number
}

type Anniversary = { date: CivilDate; moved: boolean }

/**
 * The customs for months and days that a year does not have. A day or leap month that the year has stays as it is.
 *
 * `standIn`: the month that replaces a month which the year does not have.
 *   Chinese: a leap month is kept in the ordinary month of its number, the one right before it.
 *   Hebrew: in a common year both Adars are Adar; in a leap year Adar is Adar II.
 * `overflow`: where a day goes that the month does not have (30, or 29 February).
 *   Chinese, Islamic, Persian: the last day of the month. The day after 29 Esfand can be in the next year.
 *   Hebrew: the first day of the next month: 30 Heshvan, 30 Kislev, and 30 Adar I, which goes to 1 Nisan.
 *   Gregorian: 1 March. Gregorian occasions can choose otherwise (see leapDay).
 * The Hebrew customs are those of birthdays (Reingold and Dershowitz, Calendrical Calculations, "hebrew-birthday").
 * Days of mourning have others.
 */
type Custom = { standIn: (month: string) => string; overflow: 'last-day' | 'next-month' }

const same = (month: string) => month
const CUSTOMS: Record<CalendarName, Custom> = {
  gregorian: { standIn: same, overflow: 'next-month' },
  chinese: { standIn: (month) => month.replace('L', ''), overflow: 'last-day' },
  hebrew: { standIn: (month) => (month === 'Adar' ? 'Adar II' : 'Adar'), overflow: 'next-month' },
  islamic: { standIn: same, overflow: 'last-day' },
  persian: { standIn: same, overflow: 'last-day' },
}

/** The date in that calendar; null outside its supported years. */
export function toCalendar(calendar: CalendarName, date: CivilDate): CalendarDay | null {
  if (calendar === 'gregorian') return { year: date.year, month: String(date.month), day: date.day }
  const day = dayNumber(date)
  const year = yearsOf(calendar).findLast(({ start }) => start <= day)
  if (year === undefined) return null
  let rest = day - year.start
  for (const month of year.months) {
    if (rest < month.length) return { year: year.number, month: month.name, day: rest + 1 }
    rest -= month.length
  }
  return null
}

/** The calendar year of a date; the first supported year for all dates before it; null after the last. */
export function yearAt(calendar: CalendarName, date: CivilDate): number | null {
  if (calendar === 'gregorian') return date.year
  const day = dayNumber(date)
  const years = yearsOf(calendar)
  const { number, start, length } = years.findLast((year) => year.start <= day) ?? years[0]!
  return day < start + length ? number : null
}

/**
 * The anniversary of `origin` in that year. It is always within the year, so later years give later dates.
 * `moved` if the year has no such month or day; null if the year is not supported.
 */
export function anniversaryIn(calendar: CalendarName, origin: CalendarDay, year: number): Anniversary | null {
  const found = yearNumbered(calendar, year)
  if (found === null) return null
  const { standIn, overflow } = CUSTOMS[calendar]
  const own = monthNamed(found, origin.month)
  const month = own ?? monthNamed(found, standIn(origin.month))
  if (month === null) throw new RangeError(`"${origin.month}" is not a month of the ${calendar} calendar.`)
  const fits = origin.day <= month.length
  const day = fits || overflow === 'next-month' ? origin.day : month.length
  return { date: civilFromLocalMs((month.start + day - 1) * DAY_MS), moved: own === null || !fits }
}

/** The first and the last supported date of that calendar. */
export function knownDates(calendar: CalendarName): { from: CivilDate; to: CivilDate } {
  const first = calendar === 'gregorian' ? gregorianYear(1) : yearsOf(calendar)[0]!
  const last = calendar === 'gregorian' ? gregorianYear(9999) : yearsOf(calendar).at(-1)!
  return {
    from: civilFromLocalMs(first.start * DAY_MS),
    to: civilFromLocalMs((last.start + last.length - 1) * DAY_MS),
  }
}

function yearNumbered(calendar: CalendarName, number: number): Year | null {
  if (calendar === 'gregorian') return number >= 1 && number <= 9999 ? gregorianYear(number) : null
  const years = yearsOf(calendar)
  return years[number - years[0]!.number] ?? null
}

function gregorianYear(number: number): Year {
  const months = Array.from({ length: 12 }, (_, i) => ({
    name: String(i + 1),
    length: daysInMonth(number, i + 1),
  }))
  const start = daysFromCivil(number, 1, 1)
  return { number, start, length: daysFromCivil(number + 1, 1, 1) - start, months }
}

/** `start` is in days from 1970-01-01; null if the year has no such month. */
function monthNamed(year: Year, name: string): { start: number; length: number } | null {
  let { start } = year
  for (const month of year.months) {
    if (month.name === name) return { start, length: month.length }
    start += month.length
  }
  return null
}

function dayNumber({ year, month, day }: CivilDate): number {
  return daysFromCivil(year, month, day)
}
