// By which timezone table each process works. Where a scenario moves from one to another, both are the small ones of
// the tests; everywhere else it is the one that ships.
import { loadTimezoneTable, type TimezoneTable, tzdb } from '../../../src/domain/time/tzdb.ts'
import older from '../../data/tz-2025c.json' with { type: 'json' }
import newer from '../../data/tz-2026f.json' with { type: 'json' }
import type { Release, Scenario, Who } from '../scenario.ts'

const TABLES: Readonly<Record<Release, TimezoneTable>> = {
  '2025c': loadTimezoneTable(older),
  '2026f': loadTimezoneTable(newer),
}
export const NEWER: Release = '2026f'

export type Tables = {
  /** Whether there is more than one. */
  moving: boolean
  /** What a process starts with. */
  of(who: Who): TimezoneTable
  releaseOf(who: Who): Release
  /** What it starts with from now on. */
  set(who: Who, release: Release): void
}

export function createTables({ upgrades }: Pick<Scenario, 'upgrades'>): Tables {
  const moving = upgrades.length > 0
  const releases = new Map<Who, Release>()
  // Who changes to one has had the other before.
  for (const { who, release } of upgrades)
    if (!releases.has(who)) releases.set(who, release === NEWER ? '2025c' : NEWER)
  const releaseOf = (who: Who) => releases.get(who) ?? NEWER
  return {
    moving,
    of: (who) => (moving ? TABLES[releaseOf(who)] : tzdb),
    releaseOf,
    set: (who, release) => void releases.set(who, release),
  }
}
