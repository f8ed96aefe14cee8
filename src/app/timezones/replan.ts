// Replans the events of timezones whose rules changed, and records the new rules. Safe to run beside workers and other
// replans.
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { ZoneState } from '../../domain/time/tz-difference.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { UserStore, ZoneRecord } from '../../ports/store.ts'
import { type ReplanDeps, replanZone } from './replan-zone.ts'
import { createTally, type ZoneMoves } from './zone-tally.ts'
import { countPeople, hasChanged, readZones, recordZones } from './zones.ts'

export type { ReplanDeps }

export type ReplanReport = {
  /** The release of the timezone table. */
  release: string
  /** The timezones that were checked, without those where neither the rules nor the events changed. */
  zones: ZoneMoves[]
  /** A newer release that events in this database were planned by. They are not moved. Null if there is none. */
  ahead: string | null
  /** Timezones of people that the table does not have. */
  gone: string[]
  /** Events that could not be planned. */
  failed: number
  /** False if people are left for a later call. */
  complete: boolean
}

type ReplanSteps = {
  /** Only counts. */
  dryRun: boolean
  /** Timezones whose rules changed within this time are checked again, even if the release is recorded. */
  recheckMs: number
  /** Called with the number of people checked so far, and in total. */
  onStep?: (step: { zone: string; done: number; of: number }) => void
  /** Asked before each page; false ends the replan. */
  mayContinue?: () => boolean
}

/** Longer than any rollout: after it, no process of an earlier release plans events. */
export const RECHECK_MS = 30 * DAY_MS

/** Called when a process starts, before its first claim: events planned by old rules would go out at the wrong hour. */
export function replanIfNewer(deps: ReplanDeps): Promise<ReplanReport> {
  return replan(deps, { dryRun: false, recheckMs: RECHECK_MS })
}

export type ReplanOnRequest = (how: { dryRun: boolean }) => Promise<ReplanReport>

export async function replan(deps: ReplanDeps, how: ReplanSteps): Promise<ReplanReport> {
  const { store, planner } = deps
  const { table } = planner
  const now = deps.clock.now()
  const { states, releases } = await readZones(store, table, now)
  const recent = { since: now - how.recheckMs, now }
  const looksAtUnknown = releases.length > 0 || (await isPlannedByAnother(store, table))
  const due = states.filter((state) =>
    state.kind === 'unknown' ? looksAtUnknown : state.kind === 'changed' || hasChanged(state, recent),
  )
  const living = due.length === 0 ? new Map<string, number>() : await countPeople(store)
  const inhabited = due.filter(({ zone }) => living.has(zone))
  const record = async (which: readonly ZoneState<ZoneRecord>[]) => {
    if (!how.dryRun) await recordZones(store, table, which, now)
  }
  const zones: ZoneMoves[] = []
  let failed = 0
  let complete = true
  let [done, of] = [0, inhabited.reduce((sum, { zone }) => sum + living.get(zone)!, 0)]
  for (const state of inhabited) {
    const { zone } = state
    const tally = createTally(zone)
    complete = await replanZone(deps, tally, how, (people) => {
      done += people
      of = Math.max(of, done)
      how.onStep?.({ zone, done, of })
    })
    const moves = tally.result()
    failed += tally.failed
    if (state.kind === 'changed' || moves.moved + moves.unmoved > 0) {
      zones.push(moves)
      if (!how.dryRun) reportMoves(deps, moves)
    }
    if (!complete) break
    // Recorded one by one: after a stop half-way, the next run continues from there.
    await record([state])
  }
  await record(states.filter((state) => !inhabited.includes(state)))
  return { release: table.version, zones, ...(await reportSkipped(deps, states, how)), failed, complete }
}

/** All people of a small database; the oldest of a large one, whose events were planned throughout the last year. */
const SAMPLE = 5_000

/** True if events were planned by another release, in a database that has no record of timezones yet. */
export async function isPlannedByAnother(store: UserStore, { version }: TimezoneTable): Promise<boolean> {
  const { items } = await store.listPeople({ limit: SAMPLE, cursor: null })
  return items.some(({ plans }) => plans.some(({ open }) => open !== null && open.tzVersion !== version))
}

/** Reports the timezones that are not replanned: recorded by a newer release, or missing from the table. */
export async function reportSkipped(
  { store, planner, telemetry }: ReplanDeps,
  states: readonly ZoneState<ZoneRecord>[],
  { dryRun }: Pick<ReplanSteps, 'dryRun'>,
): Promise<Pick<ReplanReport, 'ahead' | 'gone'>> {
  const release = planner.table.version
  const later = states.flatMap((state) => (state.kind === 'ahead' ? [state.known.version] : []))
  const ahead = later.sort().at(-1) ?? null
  if (ahead !== null && !dryRun) telemetry({ kind: 'timezones', release, state: 'older', recorded: ahead })
  const gone: string[] = []
  for (const { kind, zone } of states) {
    if (kind !== 'gone') continue
    const { items } = await store.listUsers({ limit: 1, cursor: null, timezone: zone })
    if (items.length === 0) continue
    gone.push(zone)
    if (!dryRun) telemetry({ kind: 'timezones', release, state: 'gone', zone })
  }
  return { ahead, gone }
}

export function reportMoves({ telemetry, planner }: ReplanDeps, moves: ZoneMoves): void {
  const { zone, people, moved, unmoved, shiftMs } = moves
  const release = planner.table.version
  telemetry({ kind: 'timezones', release, state: 'moved', zone, people, moved, unmoved, shiftMs })
}
