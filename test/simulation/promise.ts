// Which year is greeted next and when: docs/guarantees.md said once more, in its own words and on the oracle's clock.
import { DAY, HOUR, MINUTE } from '../fixtures.ts'
import { dueIn, instantOf, type Settings, wallAt } from './oracle.ts'

/** The greeting that a person has coming. */
export type Owed = { year: number; at: number }

/** The first greeting not before `now`, of a year after all that were settled. */
export function nextGreeting(settings: Settings, from: { now: number; settled: number | null }): Owed {
  const first = new Date(from.now).getUTCFullYear() - 1
  for (let year = Math.max(first, (from.settled ?? first - 1) + 1); ; year++) {
    const at = dueIn(year, settings)
    if (at >= from.now) return { year, at }
  }
}

/** After a move the pending year stays owed; only an earlier one that can still be kept goes before it. */
export function greetingAfterMove(
  settings: Settings,
  from: { now: number; settled: number | null; pending: number },
): Owed {
  const next = nextGreeting(settings, from)
  return next.year < from.pending ? next : { year: from.pending, at: dueIn(from.pending, settings) }
}

/** The last instant at which an event may be tried, for an hour such as `21:00`; null for no end. */
export function cutOffOf(
  event: { target_at: number; timezone: string },
  notAfter: string | null,
): number | null {
  if (notAfter === null) return null
  const [hour, minute] = notAfter.split(':').map(Number)
  const wall = wallAt(event.target_at, event.timezone)
  const last = instantOf(wall - (wall % DAY) + hour! * HOUR + minute! * MINUTE, event.timezone)
  return last < event.target_at ? last + DAY : last
}
