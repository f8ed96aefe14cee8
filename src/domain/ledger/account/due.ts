// The instant at which an occurrence of a state is due, by the timezone rules in force.
import { DAY_MS } from '../../time/calendar.ts'
import type { LatenessLimits } from '../journal.ts'
import type { Law, Laws } from './laws.ts'
import type { State } from './timeline.ts'

/** What the accounts of all occasions share. */
export type Context = {
  laws: Laws
  /** The limits of lateness, each from an instant on; oldest first. */
  limits: readonly { at: number; after: LatenessLimits }[]
  /** When the account is computed. */
  now: number
}

/** How far the clocks of two processes may differ; leases allow for no more either. */
export const SLACK_MS = 2 * 60 * 1000
/** How long the events of a zone may follow replaced rules: as long as a replan may take. */
export const LAW_GRACE_MS = 2 * 60 * 60 * 1000

/** The instant of the occurrence on a day of the rule, and whether the state permits it. */
export function dueOn(state: State, day: number, { laws }: Context): { at: number; live: boolean } {
  const wall = wallOn(state, day)
  const known = laws.of(state.person.timezone)
  let at = known[0]!.clock.instantOf(wall)
  let law = known[0]!
  // Newer rules apply if the occurrence was still ahead when they were put in force, by the older rules or by the newer.
  for (let i = 1; i < known.length && at < law.from; i++) {
    const older = known[i]!
    const olderAt = older.clock.instantOf(wall)
    if (olderAt >= law.from) break
    law = older
    at = olderAt
  }
  return { at, live: isLive(state, law, at) }
}

/** The instants of the occurrence by all rules that were in force, or by which a process with an older table plans. */
export function everyDueOn(state: State, day: number, { laws }: Context): number[] {
  const wall = wallOn(state, day)
  return laws.of(state.person.timezone).map(({ clock }) => clock.instantOf(wall))
}

/** When and by which release an event was planned, and when it was claimed. */
export type Planned = { targetAt: number; tzVersion: string; plannedAt: number; claimedAt: number | null }

/** Whether one of the rules by which the event may have been planned puts the occurrence at its instant. */
export function isDueAt(state: State, day: number, event: Planned, { laws, now }: Context): boolean {
  const wall = wallOn(state, day)
  return laws.of(state.person.timezone).some((law) => {
    // Events that were planned by rules which are then replaced are moved within the grace time. A process with an older table may
    // plan by the replaced rules until it is upgraded too.
    const mayFollow =
      law.to + LAW_GRACE_MS >= (event.claimedAt ?? now) ||
      (law.versions.includes(event.tzVersion) && event.plannedAt >= law.to - SLACK_MS)
    return mayFollow && law.clock.instantOf(wall) === event.targetAt && isLive(state, law, event.targetAt)
  })
}

/** The occasion is not paused at that instant and has not ended by then. */
function isLive({ occasion: { pausedAt, until } }: State, { clock }: Law, at: number): boolean {
  if (pausedAt !== null) return false
  return until === null || Math.floor(clock.wallAt(at) / DAY_MS) <= Date.parse(until) / DAY_MS
}

/** The local time of the occasion on a day, written as if it were UTC. */
function wallOn({ occasion: { localTime } }: State, day: number): number {
  return day * DAY_MS + timeOfDay(localTime)
}

/** `HH:MM` or `HH:MM:SS` in milliseconds. */
export function timeOfDay(text: string): number {
  const digits = (at: number) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
  return (digits(0) * 3600 + digits(3) * 60 + (text.length > 5 ? digits(6) : 0)) * 1000
}
