// A replan in parts, for a platform that limits the queries and the time of one call. Moves the soonest events first, saves
// after each page how far it came, and continues from there when it is called again.
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { ZoneState } from '../../domain/time/tz-difference.ts'
import type { ZoneRecord } from '../../ports/store.ts'
import {
  isPlannedByAnother,
  RECHECK_MS,
  type ReplanDeps,
  type ReplanReport,
  reportMoves,
  reportSkipped,
} from './replan.ts'
import { readReplanCursor, writeReplanCursor } from './replan-cursor.ts'
import { replanPage } from './replan-zone.ts'
import { createTally, type Tally } from './zone-tally.ts'
import { addUnknown, hasChanged, readZones, recordZones } from './zones.ts'

type ReplanPart = {
  /** Asked before each page; false ends the part. */
  mayContinue: () => boolean
  /**
   * How long after a change of rules the zone is checked once more. No process of an earlier release plans events by then.
   * Until then, and during the check, the soonest events are checked in each part.
   */
  recheckAfterMs: number
  /** People in a page. */
  pageSize?: number
}

/** People in a page of a part: on D1 a page takes four queries, also a small one. */
const PAGE = 1_000

/** Longer than a replan takes, and than any change of rules moves an event. */
const SOON_MS = 2 * DAY_MS

/** Moves only events that can be claimed before an instant. */
export async function replanSoonest(
  deps: ReplanDeps,
  { before, ...part }: ReplanPart & { before: number },
): Promise<void> {
  const { zones } = await readDue(deps, part)
  const tallies = createTallies()
  await moveSoonest(deps, { zones, tallies, before, ...part })
  report(deps, tallies, [])
}

/** True if a zone needs a part, or needs one later. */
export async function isReplanDue(
  deps: ReplanDeps,
  part: Pick<ReplanPart, 'recheckAfterMs'>,
): Promise<boolean> {
  return (await readDue(deps, part)).zones.length > 0
}

/** Begins another check of everyone in the zones whose rules ever changed. Does nothing while a zone needs a part. */
export async function beginReplan(deps: ReplanDeps, part: Pick<ReplanPart, 'recheckAfterMs'>): Promise<void> {
  const { store, planner, clock } = deps
  const { zones, states } = await readDue(deps, part)
  if (zones.length > 0) return
  const ever = { since: Number.NEGATIVE_INFINITY, now: clock.now() }
  const { version } = planner.table
  const replanCursor = writeReplanCursor({ kind: 'begun', after: null }, version)
  for (const state of states)
    if (hasChanged(state, ever)) await store.saveReplanCursor({ name: state.zone, version, replanCursor })
}

/** Moves what `mayContinue` permits, the soonest events first. Its report is complete if no zone needs another part. */
export async function replanPart(deps: ReplanDeps, part: ReplanPart): Promise<ReplanReport> {
  const { store, planner, clock } = deps
  const now = clock.now()
  const { states, zones } = await readDue(deps, part)
  const tallies = createTallies()
  const soonestAreDone = await moveSoonest(deps, { zones, tallies, before: now + SOON_MS, ...part })
  const finished: DueZone[] = []
  for (const zone of soonestAreDone ? zones : []) {
    if (zone.from <= now && (await movePeople(deps, zone, { tallies, ...part }))) finished.push(zone)
  }
  report(deps, tallies, finished)
  const isDue = new Set<ZoneState<ZoneRecord>>(zones.map(({ state }) => state))
  const checked = [...states.filter((state) => !isDue.has(state)), ...finished.map(({ state }) => state)]
  await recordZones(store, planner.table, checked, now)
  // A changed zone is checked once more.
  const complete = zones.length === finished.length && finished.every(({ state }) => state.kind !== 'changed')
  const all = [...tallies.all()]
  return {
    release: planner.table.version,
    zones: all.map((tally) => tally.result()).filter(({ moved, unmoved }) => moved + unmoved > 0),
    // The log names them once, with the last part.
    ...(await reportSkipped(deps, states, { dryRun: !complete })),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    complete,
  }
}

type Known = Extract<ZoneState<ZoneRecord>, { kind: 'changed' | 'current' }>

type DueZone = {
  state: Known
  /** The last person who was checked. */
  after: string | null
  /** When the check of all people begins. */
  from: number
}

async function readDue(deps: ReplanDeps, { recheckAfterMs }: Pick<ReplanPart, 'recheckAfterMs'>) {
  const { store, planner, clock } = deps
  const { table } = planner
  const now = clock.now()
  let { states, releases } = await readZones(store, table, now)
  const unknown = states.filter(({ kind }) => kind === 'unknown')
  if (unknown.length > 0 && (releases.length > 0 || (await isPlannedByAnother(store, table)))) {
    // Recorded with a cursor at its start: the cursor needs a record.
    const replanCursor = writeReplanCursor({ kind: 'begun', after: null }, table.version)
    await addUnknown(store, table, unknown, { replanCursor })
    ;({ states } = await readZones(store, table, now))
  }
  const recent = { since: now - RECHECK_MS, now }
  const zones = states.flatMap((state): DueZone[] => {
    if (state.kind !== 'changed' && state.kind !== 'current') return []
    const progress = readReplanCursor(state.known, table.version)
    if (progress.kind === 'begun') return [{ state, after: progress.after, from: now }]
    if (state.kind === 'changed') return [{ state, after: null, from: now }]
    if (progress.kind === 'done' || !hasChanged(state, recent)) return []
    return [{ state, after: null, from: state.known.changedAt! + recheckAfterMs }]
  })
  return { states, zones }
}

type Tallies = { of(zone: string): Tally; all(): Iterable<Tally> }

function createTallies(): Tallies {
  const tallies = new Map<string, Tally>()
  return {
    of(zone) {
      const tally = tallies.get(zone) ?? createTally(zone)
      tallies.set(zone, tally)
      return tally
    },
    all: () => tallies.values(),
  }
}

/** Returns false if it was stopped before the last page. */
async function moveSoonest(
  deps: ReplanDeps,
  part: ReplanPart & { zones: readonly DueZone[]; tallies: Tallies; before: number },
): Promise<boolean> {
  const { zones, tallies, before, mayContinue, pageSize: limit = PAGE } = part
  if (zones.length === 0) return true
  const release = deps.planner.table.version
  const timezones = zones.map(({ state }) => state.zone)
  let cursor: string | null = null
  do {
    if (!mayContinue()) return false
    const page = await deps.store.listOutdatedPlans({ timezones, release, before, limit, cursor })
    await replanPage(deps, page.items, tallies.of, { dryRun: false })
    cursor = page.nextCursor
  } while (cursor !== null)
  return true
}

/** Returns false if it was stopped before the last page. */
async function movePeople(
  { store, ...others }: ReplanDeps,
  { state, after }: DueZone,
  { tallies, mayContinue, pageSize: limit = PAGE }: ReplanPart & { tallies: Tallies },
): Promise<boolean> {
  const { zone, known } = state
  const release = others.planner.table.version
  const save = (progress: Parameters<typeof writeReplanCursor>[0]) =>
    store.saveReplanCursor({
      name: zone,
      version: known.version,
      replanCursor: writeReplanCursor(progress, release),
    })
  const tally = tallies.of(zone)
  let cursor = after
  do {
    if (!mayContinue()) return false
    const page = await store.listOpenPlans({ timezone: zone, limit, cursor })
    await replanPage({ store, ...others }, page.items, () => tally, { dryRun: false })
    tally.people += page.items.length
    cursor = page.nextCursor
    // The record of a changed zone is written when all of them are moved.
    if (cursor !== null) await save({ kind: 'begun', after: cursor })
    else if (state.kind === 'current') await save({ kind: 'done' })
  } while (cursor !== null)
  return true
}

function report(deps: ReplanDeps, tallies: Tallies, finished: readonly DueZone[]): void {
  const { telemetry, planner } = deps
  const ended = new Set(finished.map(({ state }) => state.zone))
  for (const tally of tallies.all()) {
    const moves = tally.result()
    const { zone, people, moved, unmoved } = moves
    if (moved + unmoved === 0) continue
    if (ended.has(zone)) reportMoves(deps, moves)
    else
      telemetry({ kind: 'timezones', release: planner.table.version, state: 'moving', zone, people, moved })
  }
}
