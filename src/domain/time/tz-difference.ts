// Compares recorded timezone rules with a table: which zones changed, and from when on. Pure.
import { type OffsetChange, readRules, type TimezoneTable } from './tzdb.ts'

/** The rules that the events of a zone were planned with, and their IANA release. */
export type KnownZone = { name: string; rules: string; version: string }

/** The first instant at which two sets of rules differ, and the offset of each. */
export type RuleDifference = { at: number; fromOffsetMs: number; toOffsetMs: number }

export type ZoneState<K extends KnownZone = KnownZone> =
  /** Nothing recorded yet. */
  | { kind: 'unknown'; zone: string }
  /** Recorded with the same rules and release. */
  | { kind: 'current'; zone: string; known: K }
  /** Recorded with an earlier release whose rules agree from now on. */
  | { kind: 'agreeing'; zone: string; known: K }
  | { kind: 'changed'; zone: string; known: K; difference: RuleDifference }
  /** Recorded with a later release than the table's. */
  | { kind: 'ahead'; zone: string; known: K }
  /** Recorded, but not in the table. */
  | { kind: 'gone'; zone: string; known: K }

/** Release names are a year and a letter, so they sort by time. */
export function isNewer(release: string, than: string): boolean {
  return release > than
}

/** Every recorded zone and every zone of the table, by name. Differences before `from` are ignored. */
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
  // Many changes of a release concern only the past.
  return difference === null
    ? { kind: 'agreeing', zone, known }
    : { kind: 'changed', zone, known, difference }
}

/** Null if both agree from `from` on. A difference that began before `from` and still applies is returned. */
export function firstDifference(
  zone: string,
  { before, after, from }: { before: string; after: string; from: number },
): RuleDifference | null {
  const [old, now] = [readRules(zone, before), readRules(zone, after)]
  const changes = new Set([...old, ...now].map(({ at }) => at))
  let found: RuleDifference | null = null
  for (const at of [...changes].sort((a, b) => a - b)) {
    // The difference that applies at `from`, or the first one after it.
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
