// The timezone table of each process. A scenario that upgrades uses the two small tables of the tests; every other
// scenario uses the shipped one.
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
  /** The table with which a process starts. */
  of(who: Who): TimezoneTable
  releaseOf(who: Who): Release
  /** Sets the table with which a process starts from now on. */
  set(who: Who, release: Release): void
}

export function createTables(
  { upgrades }: Pick<Scenario, 'upgrades'>,
  /** Plants a mistake in each table. */
  change: (table: TimezoneTable) => TimezoneTable = (table) => table,
): Tables {
  const moving = upgrades.length > 0
  const releases = new Map<Who, Release>()
  // A process that changes to one table had the other before.
  for (const { who, release } of upgrades)
    if (!releases.has(who)) releases.set(who, release === NEWER ? '2025c' : NEWER)
  const releaseOf = (who: Who) => releases.get(who) ?? NEWER
  return {
    moving,
    of: (who) => change(moving ? TABLES[releaseOf(who)] : tzdb),
    releaseOf,
    set: (who, release) => void releases.set(who, release),
  }
}
