// Civil dates of the expected schedule. A civil day is the number of days since 1970-01-01. The planner has date arithmetic of
// its own; the two share no code, so that an error in one of them shows as a difference.

export type Civil = { readonly year: number; readonly month: number; readonly day: number }

/** Days of a common year before each month; the last entry is its length. */
const BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
/** Days from 0001-01-01 to 1970-01-01. */
const EPOCH = 719_162

export function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

function firstOfYear(year: number): number {
  const full = year - 1
  return full * 365 + Math.floor(full / 4) - Math.floor(full / 100) + Math.floor(full / 400) - EPOCH
}

/** `month` 13 is January of the next year. */
export function dayNumber(year: number, month: number, day: number): number {
  return firstOfYear(year) + BEFORE_MONTH[month - 1]! + (month > 2 && isLeap(year) ? 1 : 0) + day - 1
}

export function monthLength(year: number, month: number): number {
  return dayNumber(year, month + 1, 1) - dayNumber(year, month, 1)
}

export function yearOf(day: number): number {
  // The mean length of a year gives the year or one of its neighbours.
  let year = Math.floor((day + EPOCH) / 365.2425) + 1
  if (firstOfYear(year) > day) year -= 1
  else if (firstOfYear(year + 1) <= day) year += 1
  return year
}

export function civilOf(day: number): Civil {
  const year = yearOf(day)
  const inYear = day - firstOfYear(year)
  const leap = isLeap(year) ? 1 : 0
  // No month is longer than 31 days, so the estimate is never past the month.
  let month = Math.floor(inYear / 31) + 1
  while (inYear >= BEFORE_MONTH[month]! + (month > 1 ? leap : 0)) month += 1
  return { year, month, day: inYear - BEFORE_MONTH[month - 1]! - (month > 2 ? leap : 0) + 1 }
}

/** 0 is Monday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}

/** The date written as `YYYY-MM-DD`. Throws a RangeError for a text that is no date: a search for its days would never end. */
export function readCivil(date: string): Civil {
  const civil = { year: digits(date, 0, 4), month: digits(date, 5, 7), day: digits(date, 8, 10) }
  const { year, month, day } = civil
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) throw new RangeError('not a date')
  return civil
}

export function readDay(date: string): number {
  const { year, month, day } = readCivil(date)
  return dayNumber(year, month, day)
}

/** Character codes, because an account reads millions of dates: no substring is made. */
function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) value = value * 10 + text.charCodeAt(i) - 48
  return value
}

export function writeDay(number: number): string {
  const { year, month, day } = civilOf(number)
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`
}

export function padded(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
