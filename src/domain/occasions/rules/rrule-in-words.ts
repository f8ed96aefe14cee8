// Describes a recurrence rule in words. Knows no zones, reads no clock.
import { type CivilDate, formatCivilDate } from '../../time/calendar.ts'
import { inLongSpans, withStart } from './rrule.ts'
import { listed } from './rrule-parse.ts'
import type { RecurrenceRule, RuleWeekday } from './rrule-rule.ts'

export const MONTHS =
  'January February March April May June July August September October November December'.split(' ')
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']
const UNITS = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }

/** `every month on the second Tuesday`. `time` stands after the days: `at 09:00 local time`. */
export function recurrenceInWords(given: RecurrenceRule, start: CivilDate, time = ''): string {
  const rule = inLongSpans(withStart(given, start))
  const { interval, count, until } = rule
  const unit = UNITS[everyDay(rule) ? 'DAILY' : rule.frequency]
  const every = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`
  const main = [every, ...daysInWords(rule), ...(time === '' ? [] : [time])].join(' ')
  const limits = [
    ...exceptions(rule),
    ...(count === null ? [] : [count === 1 ? 'once' : `${count} times`]),
    ...(until === null ? [] : [`until ${formatCivilDate(until)}`]),
  ]
  return [main, ...limits].join(', ')
}

/** A daily rule that is limited to some months is computed as a monthly one. */
function everyDay({ monthDays, weekdays }: RecurrenceRule): boolean {
  return monthDays.length === 0 && weekdays.length === 0
}

function daysInWords(rule: RecurrenceRule): string[] {
  const { frequency, months, monthDays, weekdays } = rule
  if (everyDay(rule)) return []
  if (frequency === 'DAILY') return [`if it is ${eitherInWords(rule)}`]
  if (frequency === 'WEEKLY') return [weekdaysInWords(weekdays.map(({ weekday }) => weekday))]
  if (frequency === 'YEARLY' && isDates(rule))
    return [`on ${listed(monthDays.map(String))} ${MONTHS[months[0]! - 1]}`]
  const within = frequency === 'YEARLY' && months.length > 0 ? [`in ${monthsInWords(months)}`] : []
  if (monthDays.length === 0) return [...within, `on ${ordinalsInWords(rule)}`]
  const condition = weekdays.length === 0 ? [] : [`if it is ${eachInWords(weekdays)}`]
  const ofMonth = frequency === 'YEARLY' && months.length === 0 ? ['of each month'] : []
  return [...within, `on the ${monthDaysInWords(monthDays)}`, ...ofMonth, ...condition]
}

/** `24 December`: days of one month, counted from its start. */
function isDates({ months, monthDays, weekdays }: RecurrenceRule): boolean {
  return months.length === 1 && weekdays.length === 0 && monthDays.every((day) => day > 0)
}

function exceptions({ frequency, months, monthDays, weekdays }: RecurrenceRule): string[] {
  const isYearly = frequency === 'YEARLY'
  if (isYearly && months.join() === '2' && monthDays.join() === '29') return ['in leap years']
  if (months.length > 0) return isYearly ? [] : [`in ${monthsInWords(months)} only`]
  const isRare =
    monthDays.some((day) => Math.abs(day) > 28) ||
    (!isYearly && weekdays.some(({ ordinal }) => Math.abs(ordinal ?? 0) > 4))
  return isRare ? ['in months that have it'] : []
}

function weekdaysInWords(weekdays: readonly number[]): string {
  const [first, last] = [weekdays[0]!, weekdays.at(-1)!]
  const isRun = weekdays.length > 2 && last - first === weekdays.length - 1
  if (isRun) return `from ${WEEKDAYS[first]} to ${WEEKDAYS[last]}`
  return `on ${listed(weekdays.map((day) => WEEKDAYS[day]!))}`
}

/** `the first and third Monday`, `each Friday`, `the 20th Monday of the year`. */
function ordinalsInWords({ frequency, months, weekdays }: RecurrenceRule): string {
  const each = weekdays.filter(({ ordinal }) => ordinal === null)
  const numbered = fromStart(weekdays.filter(({ ordinal }) => ordinal !== null))
  const isOneDay = new Set(numbered.map(({ weekday }) => weekday)).size === 1
  const names = numbered.map(({ ordinal, weekday }) =>
    isOneDay ? ordinalWord(ordinal!) : `${ordinalWord(ordinal!)} ${WEEKDAYS[weekday]}`,
  )
  const ofYear = frequency === 'YEARLY' && months.length === 0 ? ' of the year' : ''
  const dayName = isOneDay ? ` ${WEEKDAYS[numbered[0]!.weekday]}` : ''
  return listed([
    ...each.map(({ weekday }) => `each ${WEEKDAYS[weekday]}`),
    ...(names.length === 0 ? [] : [`the ${listed(names)}${dayName}${ofYear}`]),
  ])
}

function eitherInWords({ monthDays, weekdays }: RecurrenceRule): string {
  const days = monthDays.length === 0 ? [] : [`the ${monthDaysInWords(monthDays, 'or')}`]
  return [...days, ...(weekdays.length === 0 ? [] : [eachInWords(weekdays)])].join(' and ')
}

/** `a Saturday or Sunday`, `the second Friday`. */
function eachInWords(weekdays: readonly RuleWeekday[]): string {
  const [first, ...rest] = fromStart(weekdays).map(({ ordinal, weekday }) =>
    ordinal === null ? WEEKDAYS[weekday]! : `${ordinalWord(ordinal)} ${WEEKDAYS[weekday]}`,
  )
  return `${weekdays.some(({ ordinal }) => ordinal === null) ? 'a' : 'the'} ${listed([first!, ...rest], 'or')}`
}

function monthDaysInWords(days: readonly number[], last: 'and' | 'or' = 'and'): string {
  const inOrder = [...days.filter((day) => day > 0), ...days.filter((day) => day < 0).reverse()]
  return listed(
    inOrder.map((day) => (day > 0 ? numbered(day) : `${ordinalWord(day)} day`)),
    last,
  )
}

/** Days that are counted from the end come last. */
function fromStart(weekdays: readonly RuleWeekday[]): RuleWeekday[] {
  return [
    ...weekdays.filter(({ ordinal }) => (ordinal ?? 0) >= 0),
    ...weekdays.filter(({ ordinal }) => (ordinal ?? 0) < 0),
  ]
}

function monthsInWords(months: readonly number[]): string {
  return listed(months.map((month) => MONTHS[month - 1]!))
}

/** `second`, `20th`, `last`, `second last`. */
function ordinalWord(n: number): string {
  if (n === -1) return 'last'
  const word = ORDINALS[Math.abs(n) - 1] ?? numbered(Math.abs(n))
  return n < 0 ? `${word} last` : word
}

/** `1st`, `22nd`, `11th`. */
function numbered(n: number): string {
  const isTeen = n % 100 >= 11 && n % 100 <= 13
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
