// Which occurrence comes next and when: docs/guarantees.md and docs/occasions.md said once more, in their own words and on
// the oracle's clock.
import { DAY, HOUR, MINUTE } from '../../support/fixtures.ts'
import { dateOf, type Fall, type Falling, fallNamed, fallsFrom } from './days.ts'
import { instantOf, wallAt } from './oracle.ts'

/** All that the occurrences of an occasion follow from. */
export type Schedule = Falling & {
  localTime: string
  timezone: string
  /** By which timezone table it is counted. */
  release: string
  /** Which rule of the occasion it is: another one counts anew. */
  series: number
  /** The last date that it may fall on. */
  until: string | null
  paused: boolean
}

/** What a person has coming. */
export type Owed = { occurrence: string; at: number }

/** What was settled last. */
export type Settled = { occurrence: string; at: number }

export type From = { now: number; settled: Settled | null }

/** Whatever the two calendars of a person say, between two yearly messages lies at least this. */
const HALF_A_YEAR = 183 * DAY

/** The first occurrence not before `now` that comes after all that were settled; null if there is none. */
export function nextOwed(schedule: Schedule, { now, settled }: From): Owed | null {
  if (schedule.paused) return null
  const done = settled && nameIn(schedule, settled.occurrence)
  let earliest = now
  if (settled !== null && done === null) {
    const bothYearly = schedule.repeats === 'YEARLY' && /^(\d+:)?\d{4}$/.test(originalOf(settled.occurrence))
    earliest = Math.max(now, settled.at + (bothYearly ? HALF_A_YEAR : 0) + 1)
  }
  for (const fall of fallsFrom(schedule, earliest - 3 * DAY)) {
    if (done !== null && fall.name <= done) continue
    const owed = owedOn(schedule, fall)
    if (owed.at < earliest) continue
    return isOver(schedule, owed) ? null : owed
  }
  return null
}

/** After a move the pending one stays owed; only an earlier one that can still be kept goes before it. */
export function owedAfterMove(schedule: Schedule, from: From & { pending: string }): Owed | null {
  const next = nextOwed(schedule, from)
  const kept = owedNamed(schedule, from.pending)
  if (kept === null || next === null) return kept ?? next
  return nameIn(schedule, next.occurrence)! < nameIn(schedule, kept.occurrence)! ? next : kept
}

/** The occurrence of that name, past or to come; null if the schedule as it is has none. */
export function owedNamed(schedule: Schedule, occurrence: string): Owed | null {
  const name = nameIn(schedule, occurrence)
  const fall = name === null ? null : fallNamed(schedule, name)
  return fall && owedOn(schedule, fall)
}

function isOver({ until, timezone, release }: Schedule, { at }: Owed): boolean {
  return until !== null && dateOf(wallAt(at, timezone, release)) > until
}

/** The day of an occurrence on the calendar; null if it is not kept, or not any more. */
export function dayNamed(schedule: Schedule, occurrence: string): number | null {
  const owed = owedNamed(schedule, occurrence)
  if (owed === null || schedule.paused || isOver(schedule, owed)) return null
  return fallNamed(schedule, nameIn(schedule, occurrence)!)!.day
}

function owedOn(schedule: Schedule, { name, day }: Fall): Owed {
  const { localTime, timezone, release, series } = schedule
  const at = instantOf(day + timeOfDay(localTime), timezone, release)
  return { occurrence: series === 1 ? name : `${series}:${name}`, at }
}

/** What an occurrence is called within its rule; null if it is of another rule. */
function nameIn({ series }: Schedule, occurrence: string): string | null {
  const [before, name] = originalOf(occurrence).split(':')
  if (name === undefined) return series === 1 ? before! : null
  return Number(before) === series ? name : null
}

/** `2026` of `2026~1`, which is a replay. */
export function originalOf(occurrence: string): string {
  return occurrence.split('~')[0]!
}

/** The last instant at which an event may be tried, for an hour such as `21:00`; null for no end. */
export function cutOffOf(
  event: { target_at: number; timezone: string; tz_version: string },
  notAfter: string | null,
  release: string,
): number | null {
  if (notAfter === null) return null
  // Its day is the one that it was planned for.
  const wall = wallAt(event.target_at, event.timezone, event.tz_version)
  const last = instantOf(wall - (wall % DAY) + timeOfDay(notAfter), event.timezone, release)
  return last < event.target_at ? last + DAY : last
}

function timeOfDay(text: string): number {
  const [hour, minute] = text.split(':').map(Number)
  return hour! * HOUR + minute! * MINUTE
}
