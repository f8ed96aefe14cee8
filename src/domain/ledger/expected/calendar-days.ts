// Anniversaries by the Chinese, Hebrew, Islamic and Persian calendars, by the customs in docs/occasions.md. Shares the table of
// the years with the planner, and no code.
import { type Year, yearsOf } from '../../calendars/calendar-years.ts'

export type OtherCalendar = Parameters<typeof yearsOf>[0]

/** The number of the calendar year that contains the day; null outside the years of the table. */
export function calendarYearOf(calendar: OtherCalendar, day: number): number | null {
  return yearAround(calendar, day)?.number ?? null
}

/** The anniversary of the day `origin` in a year of the calendar; null if the year is not after the origin's, or unknown. */
export function calendarAnniversary(calendar: OtherCalendar, origin: number, number: number): number | null {
  const born = yearAround(calendar, origin)
  if (born === null || number <= born.number) return null
  const years = yearsOf(calendar)
  const year = years[number - years[0]!.number]
  if (year === undefined) return null
  let place = origin - born.start
  let month = 0
  while (place >= born.months[month]!.length) place -= born.months[month++]!.length
  return customaryDay(calendar, year, born.months[month]!.name, place + 1)
}

/** The day on which a year keeps the given day of the given month. */
function customaryDay(calendar: OtherCalendar, year: Year, name: string, day: number): number {
  let index = indexOf(year, name)
  if (index === -1) index = indexOf(year, replacement(name))
  let start = year.start
  for (let i = 0; i < index; i++) start += year.months[i]!.length
  const { length } = year.months[index]!
  if (day <= length) return start + day - 1
  // Hebrew: the first of the next month. The others: the last day of the month.
  return calendar === 'hebrew' ? start + length : start + length - 1
}

/** Only leap months of the Chinese year and the three Adars of the Hebrew year are absent from some years. */
function replacement(month: string): string {
  if (month === 'Adar') return 'Adar II'
  return month.startsWith('Adar') ? 'Adar' : month.slice(0, -1)
}

function indexOf({ months }: Year, name: string): number {
  return months.findIndex((month) => month.name === name)
}

function yearAround(calendar: OtherCalendar, day: number): Year | null {
  const years = yearsOf(calendar)
  let low = 0
  let high = years.length
  while (low < high) {
    const middle = (low + high) >> 1
    const { start, length } = years[middle]!
    if (day < start) high = middle
    else if (day >= start + length) low = middle + 1
    else return years[middle]!
  }
  return null
}
