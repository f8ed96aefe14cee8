// The timezone rules that were in force, zone by zone.

import { readWallClock, type WallClock } from '../expected/wall-clock.ts'
import type { ZoneRules } from '../journal.ts'

export type Law = {
  clock: WallClock
  /** The releases of the timezone database that have these rules. */
  versions: string[]
  /** When these rules were put in force; minus infinity for the oldest. */
  from: number
  /** When newer rules were put in force; infinity for the newest. */
  to: number
}

export type Laws = {
  /** The newest first; never empty. */
  of(zone: string): readonly Law[]
}

/** A change of the rules of a zone. */
export type LawChange = { zone: string; at: number; before: ZoneRules }

/** The rules of a zone now, and those by which a process with an older table plans beside them. */
export type CurrentLaw = { current: ZoneRules; older: ZoneRules | null }

/** `changes`: oldest first. */
export function createLaws(lawOf: (zone: string) => CurrentLaw, changes: readonly LawChange[]): Laws {
  const known = new Map<string, Law[]>()
  return {
    of(zone) {
      let laws = known.get(zone)
      if (laws === undefined) {
        const { current, older } = lawOf(zone)
        laws = lawsOf(
          current,
          changes.filter((change) => change.zone === zone),
        )
        if (older !== null) laws.push(lawFrom(older.rules, older.version, Number.NEGATIVE_INFINITY))
        known.set(zone, laws)
      }
      return laws
    },
  }
}

function lawsOf({ rules, version }: ZoneRules, changes: readonly LawChange[]): Law[] {
  let law = lawFrom(rules, version, Number.POSITIVE_INFINITY)
  const laws = [law]
  let after = rules
  for (const { at, before } of changes.toReversed()) {
    if (before.rules === after) {
      law.versions.push(before.version)
      continue
    }
    law.from = at
    law = lawFrom(before.rules, before.version, at)
    laws.push(law)
    after = before.rules
  }
  return laws
}

function lawFrom(rules: string, version: string, to: number): Law {
  return { clock: readWallClock(rules), versions: [version], from: Number.NEGATIVE_INFINITY, to }
}
