// The days to look at, as a user writes them. In UTC.
import {
  civilFromLocalMs,
  DAY_MS,
  daysFromCivil,
  formatCivilDate,
  parseCivilDate,
} from '../domain/time/calendar.ts'

/** From an instant on, and before another. */
export type Span = { startsAt: number; endsAt: number }
export type ParsedSpan = { span: Span } | { problem: string }

/** The table of timezones answers for these years. */
const FIRST_DAY = '1970-01-01'
const LAST_DAY = '2049-12-31'

/** Whole days, the last included. From today if not said otherwise, and for a year. */
export function parseRange(
  asked: { from?: string | undefined; to?: string | undefined },
  now: number,
): ParsedSpan {
  const from = asked.from ?? formatCivilDate(civilFromLocalMs(now))
  const startsAt = midnight(from)
  if (startsAt === null) return { problem: notADay('--from', from) }
  if (asked.to === undefined) return { span: { startsAt, endsAt: aYearAfter(from) } }
  const lastDay = midnight(asked.to)
  if (lastDay === null) return { problem: notADay('--to', asked.to) }
  if (lastDay < startsAt) return { problem: `--to ${asked.to} is before --from ${from}. Give a later day.` }
  return { span: { startsAt, endsAt: lastDay + DAY_MS } }
}

function notADay(option: string, text: string): string {
  return `${option} ${text} is not usable. Give a day as YYYY-MM-DD, from ${FIRST_DAY} to ${LAST_DAY}.`
}

function midnight(text: string): number | null {
  const date = parseCivilDate(text)
  if (date === null || text < FIRST_DAY || text > LAST_DAY) return null
  return daysFromCivil(date.year, date.month, date.day) * DAY_MS
}

function aYearAfter(day: string): number {
  const { year, month, day: ofMonth } = parseCivilDate(day)!
  // After 29 February that is 1 March: a year later there is no such day to stop before.
  return daysFromCivil(year + 1, month, ofMonth) * DAY_MS
}
