// The next occurrence and its instant, computed from docs/guarantees.md and docs/occasions.md independently of the
// product, with the oracle's clock.
import { DAY } from '../fixtures.ts'
import { instantOf, timeOfDay, wallAt } from './clock.ts'
import { dateOf, type Fall, type Falling, fallNamed, fallsFrom } from './days.ts'

/** Everything that determines the occurrences of an occasion. */
export type Schedule = Falling & {
  localTime: string
  timezone: string
  /** The timezone table. */
  release: string
  /** The revision of the rule: a changed rule starts again. */
  ruleRevision: number
  /** Days from the date to the day of sending. */
  shiftDays?: number | null
  /** What happens on a Saturday or Sunday; nothing if absent. */
  onWeekend?: string | null
  /** The last date on which it may fall. */
  until: string | null
  paused: boolean
}

/** An occurrence that is expected to be sent. */
export type Owed = { occurrence: string; at: number }

/** The last settled occurrence. */
export type Settled = { occurrence: string; at: number }

export type From = { now: number; settled: Settled | null }

/** Two yearly messages of one occasion are at least this far apart, also after a change of its date. */
const HALF_A_YEAR = 183 * DAY

/** The first occurrence at or after `now` that follows the last settled one; null if there is none. */
export function nextOwed(schedule: Schedule, { now, settled }: From): Owed | null {
  if (schedule.paused) return null
  const done = settled && nameIn(schedule, settled.occurrence)
  // One message for days that a weekend moves to one day.
  let earliest = done === null ? now : Math.max(now, settled!.at + 1)
  if (settled !== null && done === null) {
    const bothYearly =
      schedule.repeats === 'YEARLY' && /^(\d+:)?([a-z]+-)?\d{4}$/.test(originalOf(settled.occurrence))
    earliest = Math.max(now, bothYearly ? settled.at + HALF_A_YEAR + 1 : dayAfter(schedule, settled.at))
  }
  for (const fall of fallsFrom(schedule, earliest - (6 + (schedule.shiftDays ?? 0)) * DAY)) {
    if (done !== null && fall.name <= done) continue
    const owed = owedOn(schedule, fall)
    if (owed === null || owed.at < earliest) continue
    return isOver(schedule, fall) ? null : owed
  }
  return null
}

/** The instant at which the local day after that of an instant begins: a changed rule sends nothing on the same day. */
function dayAfter({ timezone, release }: Schedule, at: number): number {
  const wall = wallAt(at, timezone, release)
  return instantOf(wall - (wall % DAY) + DAY, timezone, release)
}

/** Whether the local day of an occurrence ended before an instant. */
export function isOverBefore({ timezone, release }: Schedule, { at }: Owed, instant: number): boolean {
  return dateOf(wallAt(at, timezone, release)) < dateOf(wallAt(instant, timezone, release))
}

/** The occurrence that fell due earlier on the local day, if it is sent at once instead; null if there is none. */
export function owedAtOnce(schedule: Schedule, now: number): Owed | null {
  const { timezone, release } = schedule
  const wall = wallAt(now, timezone, release)
  const midnight = instantOf(wall - (wall % DAY), timezone, release)
  const today = nextOwed(schedule, { now: midnight, settled: null })
  return today === null || today.at > now ? null : { ...today, at: now }
}

/** After a move the pending occurrence stays, unless an earlier one is still ahead. */
export function owedAfterMove(schedule: Schedule, from: From & { pending: string }): Owed | null {
  const next = nextOwed(schedule, from)
  const kept = owedNamed(schedule, from.pending)
  if (kept === null || next === null) return kept ?? next
  return nameIn(schedule, next.occurrence)! < nameIn(schedule, kept.occurrence)! ? next : kept
}

/** The occurrence of that name, past or future; null if the schedule has none. */
export function owedNamed(schedule: Schedule, occurrence: string): Owed | null {
  const name = nameIn(schedule, occurrence)
  const fall = name === null ? null : fallNamed(schedule, name)
  return fall && owedOn(schedule, fall)
}

function isOver({ until }: Schedule, { day }: Fall): boolean {
  return until !== null && dateOf(day) > until
}

/** The date of an occurrence; null if the schedule is paused, has ended, or has no such occurrence. */
export function dayNamed(schedule: Schedule, occurrence: string): number | null {
  if (owedNamed(schedule, occurrence) === null || schedule.paused) return null
  const fall = fallNamed(schedule, nameIn(schedule, occurrence)!)!
  return isOver(schedule, fall) ? null : fall.day
}

/** The day of sending for a date; null if that is on a weekend, on which nothing is sent. */
function sendingDay({ shiftDays, onWeekend }: Schedule, date: number): number | null {
  const day = date + (shiftDays ?? 0) * DAY
  const weekday = new Date(day).getUTCDay()
  const isSaturday = weekday === 6
  if (weekday !== 0 && !isSaturday) return day
  switch (onWeekend) {
    case 'SKIP':
      return null
    case 'BEFORE':
      return day - (isSaturday ? 1 : 2) * DAY
    case 'AFTER':
      return day + (isSaturday ? 2 : 1) * DAY
    default:
      return day
  }
}

function owedOn(schedule: Schedule, { name, day: date }: Fall): Owed | null {
  const { localTime, timezone, release, ruleRevision } = schedule
  const day = sendingDay(schedule, date)
  if (day === null) return null
  const at = instantOf(day + timeOfDay(localTime), timezone, release)
  return { occurrence: ruleRevision === 1 ? name : `${ruleRevision}:${name}`, at }
}

/** The name of an occurrence within its rule; null if it belongs to another rule. */
function nameIn({ ruleRevision }: Schedule, occurrence: string): string | null {
  const [before, name] = originalOf(occurrence).split(':')
  if (name === undefined) return ruleRevision === 1 ? before! : null
  return Number(before) === ruleRevision ? name : null
}

/** `2026` for the replay `2026~1`. */
export function originalOf(occurrence: string): string {
  return occurrence.split('~')[0]!
}

/** The last instant at which an event may be sent, for a cut-off such as `21:00`; null for none. */
export function cutOffOf(
  event: { target_at: number; timezone: string; tz_version: string },
  notAfter: string | null,
  release: string,
): number | null {
  if (notAfter === null) return null
  // The day for which the event was planned.
  const wall = wallAt(event.target_at, event.timezone, event.tz_version)
  const last = instantOf(wall - (wall % DAY) + timeOfDay(notAfter), event.timezone, release)
  return last < event.target_at ? last + DAY : last
}
