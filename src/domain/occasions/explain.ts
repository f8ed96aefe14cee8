// Explains why an occurrence is at its instant: leap day, clock change or another offset than the year before.
import { civilFromLocalMs, DAY_MS, formatCivilDate, isLeapYear } from '../time/calendar.ts'
import { formatInstant, formatLocal } from '../time/timestamp.ts'
import { type TimezoneTable, tzdb, type Zone } from '../time/tzdb.ts'
import {
  findInYear,
  type OccurrenceNote,
  occurrenceInYear,
  type YearlyOccurrence,
  type YearlyRule,
} from './next-occurrence.ts'
import { ON_ITS_DATE, sendNotes } from './send-day.ts'

/** An exception of an occurrence. `code` is stable, `text` is for people. */
export type NoteCode = OccurrenceNote | 'OFFSET_CHANGED'
export type ExplanationNote = { code: NoteCode; text: string }

export type Explanation = {
  /** The year the occurrence belongs to. */
  year: number
  instant: number
  offsetSeconds: number
  /** `2026-12-15T16:00:00.000Z` */
  utc: string
  /** Local time with offset: `2026-12-15T09:00:00-07:00` */
  local: string
  /** In IANA spelling. */
  timezone: string
  /** The IANA release it was computed with. */
  tzVersion: string
  /** Empty if it is that time on that date, at the same offset as the year before. */
  notes: ExplanationNote[]
}

export function explainOccurrence(rule: YearlyRule, year: number, table: TimezoneTable = tzdb): Explanation {
  const occurrence = occurrenceInYear(rule, year, table)
  const zone = table.zone(rule.timezone)
  const { instant, offsetMinutes } = occurrence
  const offsetSeconds = Math.round(offsetMinutes * 60)
  // Null if it was on a weekend, and was not sent.
  const yearBefore = (year > 1 && findInYear(rule, year - 1, table)) || occurrence
  const notes = [
    leapDay(rule, year),
    ...sendNotes(occurrence.date, rule.send ?? ON_ITS_DATE),
    clockChange(rule.localTime ?? '09:00', occurrence, zone),
    offsetChange(occurrence, yearBefore, zone),
  ]
  return {
    year,
    instant,
    offsetSeconds,
    utc: formatInstant(instant),
    local: formatLocal(instant, offsetSeconds),
    timezone: zone.name,
    tzVersion: table.version,
    notes: notes.filter((note) => note !== null),
  }
}

// From the rule, not from the note: the note names the clock change if both apply.
function leapDay({ date, leapDay }: YearlyRule, year: number): ExplanationNote | null {
  if (!date.endsWith('-02-29') || isLeapYear(year)) return null
  const kept = leapDay === 'FEBRUARY_28' ? '28 February' : '1 March'
  return { code: 'LEAP_DAY_MOVED', text: `29 February does not exist in ${year}: kept on ${kept}.` }
}

function clockChange(
  wanted: string,
  { instant, occursOn, note }: YearlyOccurrence,
  zone: Zone,
): ExplanationNote | null {
  if (note === undefined) return null
  const offsetMs = zone.offsetMsAt(instant)
  switch (note) {
    case 'CLOCK_GAP': {
      // No jump is longer than a day, so one day earlier the previous offset applied.
      const offsetBeforeMs = zone.offsetMsAt(instant - DAY_MS)
      const jump = inWords(offsetMs - offsetBeforeMs)
      const text = `${wanted} does not exist in ${zone.name} on ${dateAt(instant + offsetBeforeMs)}: the clocks go forward by ${jump}. Moved forward to ${timeAt(instant + offsetMs)}.`
      return { code: 'CLOCK_GAP', text }
    }
    case 'DATE_SKIPPED': {
      const skipped = dateAt(instant + zone.offsetMsAt(instant - DAY_MS))
      const text = `${zone.name} skipped the whole of ${skipped}. Moved to the same time on ${occursOn}.`
      return { code: 'DATE_SKIPPED', text }
    }
    case 'CLOCK_OVERLAP': {
      const backMs = offsetMs - zone.offsetMsAt(instant + DAY_MS)
      const text = `${wanted} happens twice in ${zone.name} on ${occursOn}: the clocks go back by ${inWords(backMs)}. The earlier one counts: ${timeAt(instant)} UTC, not ${timeAt(instant + backMs)} UTC.`
      return { code: 'CLOCK_OVERLAP', text }
    }
    default:
      return null
  }
}

function offsetChange(
  occurrence: YearlyOccurrence,
  yearBefore: YearlyOccurrence,
  zone: Zone,
): ExplanationNote | null {
  const [now, before] = [occurrence.offsetMinutes, yearBefore.offsetMinutes]
  if (now === before) return null
  const [utcNow, utcBefore] = [utcOf(occurrence), utcOf(yearBefore)]
  // A time that moved out of a gap has another offset but the same UTC time: nothing to report.
  if (utcNow === utcBefore) return null
  const sameClockChanges = [occurrence, yearBefore].every(({ instant }) => {
    const around = offsetsAround(zone, instant)
    return around.has(now) && around.has(before)
  })
  const why = sameClockChanges ? 'the clocks change on another date' : 'the law there changed'
  const text = `${zone.name} is at ${offsetText(now)}, the year before it was at ${offsetText(before)}: ${why}. So ${utcNow}, not ${utcBefore}.`
  return { code: 'OFFSET_CHANGED', text }
}

/** Clock changes move by a week with the calendar, by eleven days with Ramadan, by four weeks at most with a law. */
const NEARBY_WEEKS = 6

/** The offsets, in minutes, in force within some weeks of an instant. */
function offsetsAround(zone: Zone, instant: number): Set<number> {
  const offsets = new Set<number>()
  for (let week = -NEARBY_WEEKS; week <= NEARBY_WEEKS; week++) {
    offsets.add(zone.offsetMsAt(instant + week * 7 * DAY_MS) / 60_000)
  }
  return offsets
}

function utcOf({ instant, occursOn }: YearlyOccurrence): string {
  const date = dateAt(instant)
  const day = date < occursOn ? ' the day before' : date > occursOn ? ' the day after' : ''
  return `${timeAt(instant)} UTC${day}`
}

function dateAt(localMs: number): string {
  return formatCivilDate(civilFromLocalMs(localMs))
}

/** `09:00`, with seconds only if they are not zero. */
function timeAt(localMs: number): string {
  const time = formatInstant(localMs).slice(11, 19)
  return time.endsWith(':00') ? time.slice(0, 5) : time
}

/** `UTC-7`, `UTC+5:45` */
function offsetText(offsetMinutes: number): string {
  const clock = timeAt(Math.abs(offsetMinutes) * 60_000).replace(/^0/, '')
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${clock.replace(/:00$/, '')}`
}

/** `1 hour`, `30 minutes`, `1 hour 30 minutes` */
function inWords(ms: number): string {
  const minutes = ms / 60_000
  const parts = [count(Math.floor(minutes / 60), 'hour'), count(minutes % 60, 'minute')]
  return parts.filter((part) => part !== '').join(' ')
}

function count(number: number, unit: string): string {
  return number === 0 ? '' : `${number} ${unit}${number === 1 ? '' : 's'}`
}
