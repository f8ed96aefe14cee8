// The timezone records in the database: the rules by which the events of each timezone were planned.
import { DAY_MS } from '../../domain/time/calendar.ts'
import { compareZones, firstDifference, isNewer, type ZoneState } from '../../domain/time/tz-difference.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { DashboardStore, ZoneRecord, ZoneStore } from '../../ports/store.ts'

export type Zones = {
  states: ZoneState<ZoneRecord>[]
  /** The releases that are recorded, the latest first. */
  releases: string[]
}

/**
 * Rules are compared from this long before now: if clocks were set back at different hours, an event can be overdue by one
 * set of rules and ahead by the other.
 */
const MARGIN_MS = 2 * DAY_MS

export async function readZones(store: ZoneStore, table: TimezoneTable, now: number): Promise<Zones> {
  const known = await store.listZones()
  return {
    states: compareZones(known, table, now - MARGIN_MS),
    releases: [...new Set(known.map(({ version }) => version))].sort().reverse(),
  }
}

/** The number of people in each timezone. */
export async function countPeople(
  store: Pick<DashboardStore, 'countByTimezone'>,
): Promise<Map<string, number>> {
  return new Map((await store.countByTimezone()).map(({ timezone, people }) => [timezone, people]))
}

/** True if the rules changed since `since`: a process of an earlier release may have planned events after that. */
export function hasChanged(
  state: ZoneState<ZoneRecord>,
  { since, now }: { since: number; now: number },
): boolean {
  if (state.kind !== 'current') return false
  const { previousRules: before, rules: after, changedAt } = state.known
  if (before === null || changedAt === null || changedAt < since) return false
  return firstDifference(state.zone, { before, after, from: now - MARGIN_MS }) !== null
}

function firstRecordOf({ zone: name }: { zone: string }, table: TimezoneTable): ZoneRecord {
  const never = { previousRules: null, previousVersion: null, changedAt: null, replanCursor: null }
  return { name, rules: table.rules(name), version: table.version, ...never }
}

/** The record to write after the events of a timezone were checked; null to keep the stored one. */
function recordOf(state: ZoneState<ZoneRecord>, table: TimezoneTable, now: number): ZoneRecord | null {
  const { zone: name } = state
  const { version } = table
  switch (state.kind) {
    case 'unknown':
      return firstRecordOf(state, table)
    case 'agreeing':
      return { ...state.known, rules: table.rules(name), version, replanCursor: null }
    case 'changed': {
      const { rules: previousRules, version: previousVersion } = state.known
      const change = { previousRules, previousVersion, changedAt: now, replanCursor: null }
      return { name, rules: table.rules(name), version, ...change }
    }
    case 'ahead': {
      // This process plans by older rules from now on: a process with newer ones has to check the zone again.
      const previousRules = table.rules(name)
      if (previousRules === state.known.rules) return null
      return { ...state.known, previousRules, previousVersion: version, changedAt: now, replanCursor: null }
    }
    case 'current':
    case 'gone':
      return null
  }
}

/**
 * Records the timezones that were checked, but not over the record of a process with a newer table. Marks timezones that
 * another process plans by other rules at the same time, so that they are checked again.
 */
export async function recordZones(
  store: ZoneStore,
  table: TimezoneTable,
  looked: readonly ZoneState<ZoneRecord>[],
  now: number,
): Promise<void> {
  const recordsOf = (states: readonly ZoneState<ZoneRecord>[]) =>
    states.map((state) => recordOf(state, table, now)).filter((one) => one !== null)
  const [unknown, others] = [
    recordsOf(looked.filter(isUnknown)),
    recordsOf(looked.filter((one) => !isUnknown(one))),
  ]
  if (unknown.length + others.length === 0) return
  const known = new Map((await store.listZones()).map(({ name, version }) => [name, version]))
  const ours = others.filter(({ name, version }) => !isNewer(known.get(name) ?? '', version))
  if (unknown.length > 0) await store.saveZones(unknown, { onlyNew: true })
  if (ours.length > 0) await store.saveZones(ours)
  const checked = new Set(looked.filter(({ kind }) => kind !== 'ahead').map(({ zone }) => zone))
  const { states } = await readZones(store, table, now)
  const conflicting = states.filter(
    ({ kind, zone }) => (kind === 'ahead' || kind === 'changed') && checked.has(zone),
  )
  const notes = recordsOf(conflicting)
  if (notes.length > 0) await store.saveZones(notes)
}

/** Records timezones that nobody has planned by yet, each with this cursor. */
export async function addUnknown(
  store: ZoneStore,
  table: TimezoneTable,
  unknown: readonly { zone: string }[],
  { replanCursor }: { replanCursor: string | null },
): Promise<void> {
  await store.saveZones(
    unknown.map((state) => ({ ...firstRecordOf(state, table), replanCursor })),
    { onlyNew: true },
  )
}

function isUnknown({ kind }: ZoneState<ZoneRecord>): boolean {
  return kind === 'unknown'
}

type LastChange = { at: number; from: string; zones: string[] }

/** When events were last planned by other rules than the recorded ones, by which release, and where. */
export function lastChangeOf({ states }: Zones): LastChange | null {
  const changed = states.flatMap((state) => {
    if (state.kind === 'unknown') return []
    const { name, changedAt: at, previousVersion: from } = state.known
    return at === null || from === null ? [] : [{ name, at, from }]
  })
  const last = changed.toSorted((a, b) => b.at - a.at)[0]
  if (last === undefined) return null
  const { at, from } = last
  return { at, from, zones: changed.filter((one) => one.from === from).map(({ name }) => name) }
}
