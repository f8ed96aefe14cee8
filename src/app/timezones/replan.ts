// When places have other rules than their events were planned by, has these moved, and records by which rules they are
// planned now. Safe beside workers and others like it.
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { ZoneState } from '../../domain/time/tz-difference.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { Store, ZoneRecord } from '../../ports/store.ts'
import { type ReplanDeps, replanZone } from './replan-zone.ts'
import { createTally, type ZoneMoves } from './zone-tally.ts'
import { countPeople, hasChanged, readZones, recordZones } from './zones.ts'

export type { ReplanDeps }

export type ReplanReport = {
  /** The release of the table that was planned by. */
  release: string
  /** The places that were looked at, but for those where nothing had changed and nothing was to be done. */
  zones: ZoneMoves[]
  /** The newer release that this database was planned by, whose events were not moved; null if there is none. */
  ahead: string | null
  /** Places that people live in and the table does not have. */
  gone: string[]
  /** Events that could not be planned. */
  troubled: number
}

export type ReplanSteps = {
  /** Only counts. */
  dryRun: boolean
  /** Zones whose rules changed in this time are looked at again, with the release recorded already. */
  recheckMs: number
  /** Told how many people were looked at, of how many. */
  onStep?: (step: { zone: string; done: number; of: number }) => void
}

/** A rollout is over by then: nothing of an earlier release plans any more. */
const RECHECK_MS = 30 * DAY_MS

/** For the start of a process, before it takes anything: what is planned by old rules would go out at the wrong hour. */
export function replanIfNewer(deps: ReplanDeps): Promise<ReplanReport> {
  return replan(deps, { dryRun: false, recheckMs: RECHECK_MS })
}

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
  let troubled = 0
  let [done, of] = [0, inhabited.reduce((sum, { zone }) => sum + living.get(zone)!, 0)]
  for (const state of inhabited) {
    const { zone } = state
    const tally = createTally(zone)
    await replanZone(deps, tally, how, (people) => {
      done += people
      of = Math.max(of, done)
      how.onStep?.({ zone, done, of })
    })
    const moves = tally.result()
    troubled += tally.troubled
    if (state.kind === 'changed' || moves.moved + moves.restamped > 0) {
      zones.push(moves)
      if (!how.dryRun) tell(deps, moves)
    }
    // One by one: a process that is stopped half-way continues from there.
    await record([state])
  }
  await record(states.filter((state) => !inhabited.includes(state)))
  return { release: table.version, zones, ...(await leftAlone(deps, states, how)), troubled }
}

/** All of a small database. Of a large one those who came first, whose events were planned all through the last year. */
const SAMPLE = 5_000

/** Whether a database of which nothing is recorded was in use by another release. */
async function isPlannedByAnother(store: Store, { version }: TimezoneTable): Promise<boolean> {
  const { items } = await store.listPeople({ limit: SAMPLE, cursor: null })
  return items.some(({ plans }) => plans.some(({ open }) => open !== null && open.tzVersion !== version))
}

/** What the table cannot answer for. */
async function leftAlone(
  { store, planner, telemetry }: ReplanDeps,
  states: readonly ZoneState<ZoneRecord>[],
  { dryRun }: ReplanSteps,
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

function tell({ telemetry, planner }: ReplanDeps, moves: ZoneMoves): void {
  const { zone, people, moved, restamped, shiftMs } = moves
  const release = planner.table.version
  telemetry({ kind: 'timezones', release, state: 'moved', zone, people, moved, restamped, shiftMs })
}
