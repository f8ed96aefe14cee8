// Holds what is known of the timezones against a table: which places have other rules, and from when on. Pure.
import { type OffsetChange, readRules, type TimezoneTable } from './tzdb.ts'

/** By which rules the events of a zone were planned, and the release that these came from. */
export type KnownZone = { name: string; rules: string; version: string }

/** The first instant at which two sets of rules part, and what each says then. */
export type RuleDifference = { at: number; fromOffsetMs: number; toOffsetMs: number }

export type ZoneState<K extends KnownZone = KnownZone> =
  /** Nothing is known of it yet. */
  | { kind: 'unknown'; zone: string }
  /** Known by these very rules and this release. */
  | { kind: 'current'; zone: string; known: K }
  /** Known by an earlier release that says the same of the time ahead. */
  | { kind: 'agreeing'; zone: string; known: K }
  | { kind: 'changed'; zone: string; known: K; difference: RuleDifference }
  /** Known by a later release than the table is. */
  | { kind: 'ahead'; zone: string; known: K }
  /** Known, but not in the table. */
  | { kind: 'gone'; zone: string; known: K }

/** Releases are named by year and letter: their names are in the order of time. */
export function isNewer(release: string, than: string): boolean {
  return release > than
}

/** Every zone of either, by name. What the rules said before `from` does not matter. */
export function compareZones<K extends KnownZone>(
  known: readonly K[],
  table: TimezoneTable,
  from: number,
): ZoneState<K>[] {
  const byName = new Map(known.map((one) => [one.name, one]))
  const states: ZoneState<K>[] = table.zones().map((zone) => stateOf(zone, byName.get(zone), table, from))
  const inTable = new Set(table.zones())
  for (const one of known) {
    if (!inTable.has(one.name)) states.push({ kind: 'gone', zone: one.name, known: one })
  }
  return states.sort((a, b) => (a.zone < b.zone ? -1 : 1))
}

function stateOf<K extends KnownZone>(
  zone: string,
  known: K | undefined,
  table: TimezoneTable,
  from: number,
): ZoneState<K> {
  if (known === undefined) return { kind: 'unknown', zone }
  if (isNewer(known.version, table.version)) return { kind: 'ahead', zone, known }
  const rules = table.rules(zone)
  if (known.rules === rules) {
    return { kind: known.version === table.version ? 'current' : 'agreeing', zone, known }
  }
  const difference = firstDifference(zone, { before: known.rules, after: rules, from })
  // Much of what a release changes is history.
  return difference === null
    ? { kind: 'agreeing', zone, known }
    : { kind: 'changed', zone, known, difference }
}

/** Null if both say the same of every instant from `from` on. Where they part before it, that is told. */
export function firstDifference(
  zone: string,
  { before, after, from }: { before: string; after: string; from: number },
): RuleDifference | null {
  const [old, now] = [readRules(zone, before), readRules(zone, after)]
  const changes = new Set([...old, ...now].map(({ at }) => at))
  let found: RuleDifference | null = null
  for (const at of [...changes].sort((a, b) => a - b)) {
    // What they part over when `from` comes, or at the first change after it.
    if (found !== null && at > from) return found
    const [fromOffsetMs, toOffsetMs] = [offsetAt(old, at), offsetAt(now, at)]
    if (fromOffsetMs === toOffsetMs) found = null
    else found ??= { at: Math.max(at, TABLES_BEGIN), fromOffsetMs, toOffsetMs }
  }
  return found
}

const TABLES_BEGIN = 0

function offsetAt(changes: readonly OffsetChange[], instant: number): number {
  return changes.findLast(({ at }) => at <= instant)!.offsetMs
}
