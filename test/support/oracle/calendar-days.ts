// Anniversaries by other calendars, computed from docs/occasions.md with the calendars of the runtime (ICU). The product
// uses a table of its own. A day is written as midnight in UTC.
const DAY = 86_400_000
const FROM = Date.UTC(1935, 0, 1)
/** Later than any scenario ends. */
const UNTIL = Date.UTC(2063, 0, 1)

/** The calendars that agree with ICU on every day. Of the Chinese dates, ICU has some wrong. */
export const OTHER_CALENDARS = ['hebrew', 'islamic', 'persian'] as const
type OtherCalendar = (typeof OTHER_CALENDARS)[number]

const ICU_NAMES: Record<OtherCalendar, string> = {
  hebrew: 'hebrew',
  islamic: 'islamic-umalqura',
  persian: 'persian',
}

type CalendarDate = { year: number; month: string; day: number }

type Days = { dateOf: ReadonlyMap<number, CalendarDate>; dayOf: ReadonlyMap<string, number> }

const known = new Map<string, Days>()

function daysOf(calendar: string): Days {
  let days = known.get(calendar)
  if (days === undefined) {
    days = readDays(ICU_NAMES[calendar as OtherCalendar])
    known.set(calendar, days)
  }
  return days
}

function readDays(icuName: string): Days {
  const format = new Intl.DateTimeFormat(`en-u-ca-${icuName}`, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  })
  const dateOf = new Map<number, CalendarDate>()
  const dayOf = new Map<string, number>()
  for (let at = FROM; at < UNTIL; at += DAY) {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const date = { year: Number.parseInt(parts.year!, 10), month: parts.month!, day: Number(parts.day) }
    dateOf.set(at, date)
    dayOf.set(nameOf(date), at)
  }
  return { dateOf, dayOf }
}

const nameOf = ({ year, month, day }: CalendarDate) => `${year} ${month} ${day}`

export function calendarYear(calendar: string, day: number): number {
  return daysOf(calendar).dateOf.get(day)!.year
}

/** The day of the anniversary in a year of the calendar; null before the first anniversary. */
export function calendarAnniversary(calendar: string, origin: number, year: number): number | null {
  const { dateOf, dayOf } = daysOf(calendar)
  const { year: first, month: own, day } = dateOf.get(origin)!
  if (year <= first) return null
  const has = (month: string) => dayOf.has(nameOf({ year, month, day: 1 }))
  // Hebrew: the month of Adar is doubled in a leap year.
  const month = has(own) ? own : own === 'Adar' ? 'Adar II' : 'Adar'
  const found = dayOf.get(nameOf({ year, month, day }))
  if (found !== undefined) return found
  const last = dayOf.get(nameOf({ year, month, day: day - 1 }))!
  return calendar === 'hebrew' ? last + DAY : last
}
