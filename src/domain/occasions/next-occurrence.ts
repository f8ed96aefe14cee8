// Chooses when a yearly occasion next happens: civil date + local time + zone -> instant. Never reads a clock.
import {
  civilFromLocalMs,
  DAY_MS,
  daysFromCivil,
  formatCivilDate,
  isLeapYear,
  parseCivilDate,
  parseMonthDay,
} from '../time/calendar.ts'
import { parseLocalTime } from '../time/local-time.ts'
import { type TimezoneTable, tzdb, type Zone } from '../time/tzdb.ts'
import { ON_ITS_DATE, type SendDay, type SendRule, sendDay, WEEKEND_DAYS } from './send-day.ts'

/** The date for 29 February in non-leap years. */
export type LeapDay = 'MARCH_1' | 'FEBRUARY_28'

/**
 * Why an occurrence is not simply that time on that date. If several reasons apply, the note names the clock change, then the weekend,
 * because `occursOn` already shows a moved date.
 */
export type OccurrenceNote =
  | 'LEAP_DAY_MOVED'
  | 'CLOCK_GAP'
  | 'CLOCK_OVERLAP'
  | 'DATE_SKIPPED'
  | 'MOVED_FROM_WEEKEND'
  | 'SHIFTED'

export type YearlyRule = {
  /** `YYYY-MM-DD` or `--MM-DD`; only month and day matter. */
  date: string
  /** `HH:MM[:SS]`; 09:00 if absent. */
  localTime?: string | undefined
  timezone: string
  /** MARCH_1 if absent. */
  leapDay?: LeapDay | undefined
  /** When it is sent; on its date if absent. */
  send?: SendRule | undefined
}

export type Occurrence = {
  instant: number
  /** The local calendar date at that instant; for a moved leap day, weekend or skipped date, the new date. */
  occursOn: string
  /** East of UTC. Whole minutes, except in Liberia before 1972 (-44.5). */
  offsetMinutes: number
  note?: OccurrenceNote
}

/**
 * `date` is the anniversary, in the year that the occurrence belongs to, even if it is sent in another year: before New Year, or after a
 * skipped 31 December.
 */
export type YearlyOccurrence = Occurrence & { year: number; date: string }

/** The first occurrence at or after `nowMs`. */
export function nextOccurrence(rule: YearlyRule, nowMs: number, table: TimezoneTable = tzdb): Occurrence {
  const { instant, occursOn, offsetMinutes, note } = nextYearly(rule, { notBefore: nowMs }, table)
  return note === undefined
    ? { instant, occursOn, offsetMinutes }
    : { instant, occursOn, offsetMinutes, note }
}

/** The occurrence of that year, past or future. Throws if the rule has none, because it is not sent on weekends. */
export function occurrenceInYear(
  rule: YearlyRule,
  year: number,
  table: TimezoneTable = tzdb,
): YearlyOccurrence {
  const found = findInYear(rule, year, table)
  if (found === null)
    throw new RangeError(`The occurrence of ${year} falls on a weekend, which the rule skips.`)
  return found
}

/** The occurrence of that year, past or future; null if it is not sent. */
export function findInYear(rule: YearlyRule, year: number, table: TimezoneTable): YearlyOccurrence | null {
  if (!isYear(year)) throw new RangeError(`Year ${year} is out of range. Use a whole number from 1 to 9999.`)
  const parts = partsOf(rule, table)
  const conversion = convert(parts, year)
  return conversion && describe(parts, year, conversion)
}

/** The first occurrence of a year after `afterYear` (if given) whose instant is not before `notBefore`. */
export function nextYearly(
  rule: YearlyRule,
  { notBefore, afterYear }: { notBefore: number; afterYear?: number | undefined },
  table: TimezoneTable = tzdb,
): YearlyOccurrence {
  if (!(notBefore >= EARLIEST && notBefore <= LATEST)) {
    throw new RangeError(
      `Instant ${notBefore} is out of range. Use epoch milliseconds of the years 2 to 9990.`,
    )
  }
  if (afterYear !== undefined && !isYear(afterYear)) {
    throw new RangeError(`Year ${afterYear} is out of range. Use a whole number from 1 to 9999.`)
  }
  const parts = partsOf(rule, table)
  // Starting too early costs an iteration, starting too late loses an occurrence. A local year can last until three days
  // after its end in UTC: the offset of a western zone, plus the day by which a skipped 31 December moves forward.
  const { shiftDays, onWeekend } = parts.send
  const days = 3 + shiftDays + (onWeekend === 'EXACT' ? 0 : WEEKEND_DAYS)
  let year = civilFromLocalMs(notBefore - days * DAY_MS).year
  if (afterYear !== undefined && afterYear >= year) year = afterYear + 1
  for (;;) {
    const conversion = convert(parts, year)
    if (conversion !== null && conversion.instant >= notBefore) return describe(parts, year, conversion)
    year += 1
  }
}

const EARLIEST = daysFromCivil(2, 1, 3) * DAY_MS
const LATEST = daysFromCivil(9990, 12, 31) * DAY_MS

type RuleParts = { month: number; day: number; msOfDay: number; zone: Zone; leapDay: LeapDay; send: SendRule }

function partsOf(rule: YearlyRule, table: TimezoneTable): RuleParts {
  const date = parseCivilDate(rule.date) ?? parseMonthDay(rule.date)
  if (date === null) {
    throw new RangeError(
      `"${rule.date}" is not a date. Use YYYY-MM-DD and a date that exists, such as 1990-02-28.`,
    )
  }
  const localTime = rule.localTime ?? '09:00'
  const msOfDay = parseLocalTime(localTime)
  if (msOfDay === null) {
    throw new RangeError(`"${localTime}" is not a time of day. Use HH:MM or HH:MM:SS, such as 09:00.`)
  }
  const leapDay = rule.leapDay ?? 'MARCH_1'
  if (leapDay !== 'MARCH_1' && leapDay !== 'FEBRUARY_28') {
    throw new RangeError(`"${leapDay}" is not a choice for 29 February. Use MARCH_1 or FEBRUARY_28.`)
  }
  const { month, day } = date
  return { month, day, msOfDay, zone: table.zone(rule.timezone), leapDay, send: rule.send ?? ON_ITS_DATE }
}

type Conversion = {
  /** The day number of the anniversary. */
  date: number
  instant: number
  offsetMs: number
  movedMs: number
  kind: 'plain' | 'gap' | 'overlap'
  note: SendDay['note']
}

function convert(parts: RuleParts, year: number): Conversion | null {
  const date = anniversaryDay(parts, year)
  const sent = sendDay(date, parts.send)
  if (sent === null) return null
  const localMs = sent.day * DAY_MS + parts.msOfDay
  const { instant, offsetMs, kind } = parts.zone.instantOf(localMs)
  return { date, instant, offsetMs, movedMs: instant + offsetMs - localMs, kind, note: sent.note }
}

/** The day number of the anniversary in that year. */
export function anniversaryDay(on: { month: number; day: number; leapDay: LeapDay }, year: number): number {
  if (!isMovedLeapDay(on, year)) return daysFromCivil(year, on.month, on.day)
  return daysFromCivil(year, 3, 1) - (on.leapDay === 'FEBRUARY_28' ? 1 : 0)
}

function describe(parts: RuleParts, year: number, conversion: Conversion): YearlyOccurrence {
  const { instant, offsetMs } = conversion
  const occursOn = formatCivilDate(civilFromLocalMs(instant + offsetMs))
  const isOnDate = conversion.date * DAY_MS + parts.msOfDay === instant + offsetMs
  const date = isOnDate ? occursOn : formatCivilDate(civilFromLocalMs(conversion.date * DAY_MS))
  const note = noteOf(parts, year, conversion)
  const occurrence = { year, date, instant, occursOn, offsetMinutes: offsetMs / 60_000 }
  return note === null ? occurrence : { ...occurrence, note }
}

function noteOf(parts: RuleParts, year: number, { kind, movedMs, note }: Conversion): OccurrenceNote | null {
  switch (kind) {
    case 'gap':
      return movedMs >= DAY_MS ? 'DATE_SKIPPED' : 'CLOCK_GAP'
    case 'overlap':
      return 'CLOCK_OVERLAP'
    case 'plain':
      if (note === 'MOVED_FROM_WEEKEND') return note
      return isMovedLeapDay(parts, year) ? 'LEAP_DAY_MOVED' : (note ?? null)
  }
}

function isMovedLeapDay({ month, day }: { month: number; day: number }, year: number): boolean {
  return month === 2 && day === 29 && !isLeapYear(year)
}

function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 9999
}
