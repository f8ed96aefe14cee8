// The period of a preview: days in UTC, as a user writes them.
import {
  civilFromLocalMs,
  DAY_MS,
  daysFromCivil,
  formatCivilDate,
  parseCivilDate,
} from '../../domain/time/calendar.ts'
import { ConfigError } from '../../runtimes/config/config.ts'

/** From an instant on, and before another. */
export type Period = { startsAt: number; endsAt: number }

/** The table of timezones answers for these years. */
const FIRST_DAY = '1970-01-01'
const LAST_DAY = '2049-12-31'

/** Whole days, the last included. By default from today to the same date next year: who was born today has a birthday then. */
export function parsePeriod(asked: { from?: string; to?: string }, now: number): Period {
  const from = asked.from ?? formatCivilDate(civilFromLocalMs(now))
  const startsAt = midnight(from)
  if (startsAt === null) throw notADay('--from', from)
  const lastDay = asked.to === undefined ? aYearAfter(from) : midnight(asked.to)
  if (lastDay === null) throw notADay('--to', asked.to!)
  if (lastDay < startsAt)
    throw new ConfigError([`--to ${asked.to} is before --from ${from}. Give a later day.`])
  return { startsAt, endsAt: lastDay + DAY_MS }
}

function notADay(option: string, text: string): ConfigError {
  const days = `from ${FIRST_DAY} to ${LAST_DAY}`
  return new ConfigError([`${option} ${text} is not usable. Give a day as YYYY-MM-DD, ${days}.`])
}

function midnight(text: string): number | null {
  const date = parseCivilDate(text)
  if (date === null || text < FIRST_DAY || text > LAST_DAY) return null
  return daysFromCivil(date.year, date.month, date.day) * DAY_MS
}

function aYearAfter(day: string): number {
  const { year, month, day: ofMonth } = parseCivilDate(day)!
  // After 29 February that is 1 March: the next year has no such day.
  return daysFromCivil(year + 1, month, ofMonth) * DAY_MS
}
