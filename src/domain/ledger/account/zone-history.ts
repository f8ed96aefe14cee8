// The rules that each timezone has had: those in force now, and those that they replaced.

import { readWallClock, type WallClock } from '../expected/wall-clock.ts'
import type { ZoneRules } from '../journal.ts'

export type RulePeriod = {
  clock: WallClock
  /** The releases of the timezone database that have these rules. */
  versions: string[]
  /** When these rules were put in force; minus infinity for the oldest. */
  from: number
  /** When newer rules were put in force; infinity for the newest. */
  to: number
}

export type ZoneHistory = {
  /** The newest first; never empty. */
  of(zone: string): readonly RulePeriod[]
}

/** `before`: the rules that were replaced. */
export type ZoneChange = { zone: string; at: number; before: ZoneRules }

/** The rules of a zone now, and those by which a process with an older table plans beside them. */
export type CurrentRules = { current: ZoneRules; older: ZoneRules | null }

/** `changes`: oldest first. */
export function createZoneHistory(
  rulesOf: (zone: string) => CurrentRules,
  changes: readonly ZoneChange[],
): ZoneHistory {
  const known = new Map<string, RulePeriod[]>()
  return {
    of(zone) {
      let periods = known.get(zone)
      if (periods === undefined) {
        const { current, older } = rulesOf(zone)
        const ofZone = changes.filter((change) => change.zone === zone)
        periods = periodsOf(current, ofZone)
        // Unless the journal says when they were replaced: events that were planned before must have been moved.
        if (older !== null && !ofZone.some(({ before }) => before.rules === older.rules))
          periods.push(periodUntil(Number.NEGATIVE_INFINITY, older))
        known.set(zone, periods)
      }
      return periods
    },
  }
}

function periodsOf(current: ZoneRules, changes: readonly ZoneChange[]): RulePeriod[] {
  let period = periodUntil(Number.POSITIVE_INFINITY, current)
  const periods = [period]
  let { rules } = current
  for (const { at, before } of changes.toReversed()) {
    // A new release without a change of this zone.
    if (before.rules === rules) {
      period.versions.push(before.version)
      continue
    }
    period.from = at
    period = periodUntil(at, before)
    periods.push(period)
    rules = before.rules
  }
  return periods
}

function periodUntil(to: number, { rules, version }: ZoneRules): RulePeriod {
  return { clock: readWallClock(rules), versions: [version], from: Number.NEGATIVE_INFINITY, to }
}
