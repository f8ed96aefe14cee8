// The instant at which an occurrence of a state is due, by the timezone rules in force.
import { DAY_MS } from '../../time/calendar.ts'
import { CLOCK_TOLERANCE_MS } from '../../time/clock-tolerance.ts'
import { timeOfDay } from '../expected/wall-clock.ts'
import type { Context } from './input.ts'
import type { State } from './timeline.ts'
import type { RulePeriod } from './zone-history.ts'

/** How long the events of a zone may follow replaced rules: as long as a replan may take. */
const REPLAN_MS = 2 * 60 * 60 * 1000

/** When the occurrence on a day of the rule is due. `isActive`: the occasion is not paused then, and has not ended. */
export type Due = { at: number; isActive: boolean }

export function dueOn(state: State, day: number, { zones }: Context): Due {
  const wall = wallOn(state, day)
  const periods = zones.of(state.person.timezone)
  let period = periods[0]!
  let at = period.clock.instantOf(wall)
  for (let i = 1; i < periods.length; i++) {
    const older = periods[i]!
    const olderAt = older.clock.instantOf(wall)
    // Rules apply to what was still ahead when they were put in force, by these rules or by the older ones.
    if (at >= period.from || olderAt >= period.from) break
    period = older
    at = olderAt
  }
  return { at, isActive: isActive(state, period, at) }
}

/** The instants of the occurrence by all rules that were in force, or by which a process with an older table plans. */
export function everyDueOn(state: State, day: number, { zones }: Context): number[] {
  const wall = wallOn(state, day)
  return zones.of(state.person.timezone).map(({ clock }) => clock.instantOf(wall))
}

/** When and by which release an event was planned, and when it was claimed. */
export type Planned = { targetAt: number; tzVersion: string; plannedAt: number; claimedAt: number | null }

/** Whether one of the rules by which the event may have been planned puts the occurrence at its instant. */
export function isDueAt(state: State, day: number, event: Planned, { zones, now }: Context): boolean {
  const wall = wallOn(state, day)
  return zones.of(state.person.timezone).some((period) => {
    // A replan moves the events of replaced rules that are still ahead. A process with an older table may plan by them until it is upgraded.
    const mayFollow =
      period.to + REPLAN_MS >= Math.min(event.claimedAt ?? now, event.targetAt) ||
      (period.versions.includes(event.tzVersion) && event.plannedAt >= period.to - CLOCK_TOLERANCE_MS)
    return (
      mayFollow && period.clock.instantOf(wall) === event.targetAt && isActive(state, period, event.targetAt)
    )
  })
}

function isActive({ occasion: { pausedAt, until } }: State, { clock }: RulePeriod, at: number): boolean {
  if (pausedAt !== null) return false
  return until === null || Math.floor(clock.wallAt(at) / DAY_MS) <= Date.parse(until) / DAY_MS
}

/** The local time of the occasion on a day, written as if it were UTC. */
function wallOn({ occasion: { localTime } }: State, day: number): number {
  return day * DAY_MS + timeOfDay(localTime)
}
