// Replans the events of timezones whose rules changed, the soonest first, and records the new rules. Runs to the end, or in
// parts on a platform that limits a call. Safe to run beside workers and other replans.
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { ZoneState } from '../../domain/time/tz-difference.ts'
import type { Page } from '../../ports/query.ts'
import type { OpenPlans, ZoneRecord } from '../../ports/store.ts'
import { cursorOf, DONE, type DueZone, type ReplanCheck, readDue, saveCursor } from './replan-due.ts'
import { movePage, type ReplanDeps } from './replan-page.ts'
import { createTally, type Tally, type ZoneMoves } from './zone-tally.ts'
import { recordZones } from './zones.ts'

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

type Limits = {
  /** Asked before each page; false ends the part. */
  mayContinue?: () => boolean
  /** People in a page. */
  pageSize?: number
}

type Replan = Limits & {
  check: ReplanCheck
  /** Only counts. */
  dryRun?: boolean
}

/** People in a page. On SQLite the messages of others wait for its write: with 1,000 they were up to 210 ms late, with 500 up to 150. */
const PAGE = 500
/** A long run reports its progress after this many people. */
const PROGRESS_PEOPLE = 10_000
/** Longer than a replan takes, and than any change of rules moves an event. */
const SOON_MS = 2 * DAY_MS

export type ReplanOnRequest = (how: { dryRun: boolean }) => Promise<ReplanReport>

type Run = Limits & { deps: ReplanDeps; tallyOf: (zone: string) => Tally; dryRun?: boolean }

/** A process calls it when it starts, before its first claim: events planned by old rules would go out at the wrong hour. */
export async function replan(deps: ReplanDeps, how: Replan): Promise<ReplanReport> {
  const { store, planner, clock } = deps
  const { check, dryRun = false } = how
  const now = clock.now()
  const { states, due } = await readDue(deps, how)
  const tallies = createTallies(due)
  const run = { deps, tallyOf: tallies.of, ...how }
  // In a dry run nothing moves: the soonest events would be counted twice.
  const areSoonestDone = dryRun || (await moveSoonest(run, due, now + SOON_MS))
  const finished: DueZone[] = []
  for (const zone of areSoonestDone ? due : []) {
    if (zone.from > now || !(await movePeople(run, zone))) continue
    finished.push(zone)
    if (dryRun) continue
    reportMoves(deps, tallies.of(zone.state.zone), 'moved')
    // Recorded one by one: after a stop half-way, the next run continues from there.
    await recordZones(store, planner.table, [zone.state], now)
  }
  // A changed zone is checked once more.
  const isLast = (state: ZoneState<ZoneRecord>) => check !== 'rest' || state.kind !== 'changed'
  const complete = finished.length === due.length && finished.every(({ state }) => isLast(state))
  if (!dryRun) {
    const isDue = new Set(due.map(({ state }) => state))
    const others = states.filter((state) => !isDue.has(state))
    await recordZones(store, planner.table, others, now)
    const isFinished = new Set(finished.map(({ state }) => state.zone))
    for (const tally of tallies.all()) if (!isFinished.has(tally.zone)) reportMoves(deps, tally, 'moving')
  }
  return {
    release: planner.table.version,
    zones: tallies
      .all()
      .filter((tally) => tally.isListed())
      .map((tally) => tally.result()),
    // The log names them once, with the last part.
    ...(await reportSkipped(deps, states, { isLogged: complete && !dryRun })),
    failed: tallies.all().reduce((sum, { failed }) => sum + failed, 0),
    complete,
  }
}

/** Moves only events that can be claimed before an instant. */
export async function replanSoonest(
  deps: ReplanDeps,
  { before, ...limits }: Limits & { before: number },
): Promise<void> {
  const { due } = await readDue(deps, { check: 'rest' })
  const tallies = createTallies(due)
  await moveSoonest({ deps, tallyOf: tallies.of, ...limits }, due, before)
  for (const tally of tallies.all()) reportMoves(deps, tally, 'moving')
}

/** Returns false if it was stopped before the last page. */
async function moveSoonest(run: Run, due: readonly DueZone[], before: number): Promise<boolean> {
  if (due.length === 0) return true
  const { store, planner } = run.deps
  const timezones = due.map(({ state }) => state.zone)
  const release = planner.table.version
  return movePages(run, null, (page) => store.listOutdatedPlans({ timezones, release, before, ...page }))
}

/** Moves the events of everyone in a timezone. Returns false if it was stopped before the last page. */
async function movePeople(run: Run, { state, after, hasCursor }: DueZone): Promise<boolean> {
  const { deps, dryRun } = run
  const { store, planner } = deps
  const { zone: timezone } = state
  const tally = run.tallyOf(timezone)
  const isComplete = await movePages(
    run,
    after,
    (page) => store.listOpenPlans({ timezone, ...page }),
    async (people, cursor) => {
      tally.people += people
      if (!dryRun && tally.people % PROGRESS_PEOPLE === 0 && people > 0) reportMoves(deps, tally, 'moving')
      if (hasCursor && cursor !== null) await saveCursor(store, state, cursorOf(cursor, planner.table))
    },
  )
  // The record of a changed zone is written when all of them are moved.
  if (isComplete && hasCursor && state.kind === 'current')
    await saveCursor(store, state, cursorOf(DONE, planner.table))
  return isComplete
}

type ReadPage = (page: { limit: number; cursor: string | null }) => Promise<Page<OpenPlans>>

/** Moves the events that `read` gives, page by page. Returns false if it was stopped before the last page. */
async function movePages(
  { deps, tallyOf, dryRun = false, mayContinue = () => true, pageSize: limit = PAGE }: Run,
  after: string | null,
  read: ReadPage,
  onPage?: (people: number, cursor: string | null) => Promise<void>,
): Promise<boolean> {
  let cursor = after
  do {
    if (!mayContinue()) return false
    const page = await read({ limit, cursor })
    await movePage(deps, page.items, tallyOf, { dryRun })
    cursor = page.nextCursor
    await onPage?.(page.items.length, cursor)
  } while (cursor !== null)
  return true
}

function createTallies(due: readonly DueZone[]) {
  const tallies = new Map(
    due.map(({ state }) => [state.zone, createTally(state.zone, { hasChanged: state.kind === 'changed' })]),
  )
  return {
    /** A person may have moved to another timezone since the page was read. */
    of(zone: string): Tally {
      const tally = tallies.get(zone) ?? createTally(zone, { hasChanged: false })
      tallies.set(zone, tally)
      return tally
    },
    all: () => [...tallies.values()],
  }
}

/** Reports the timezones that are not replanned: recorded by a newer release, or missing from the table. */
async function reportSkipped(
  { store, planner, telemetry }: ReplanDeps,
  states: readonly ZoneState<ZoneRecord>[],
  { isLogged }: { isLogged: boolean },
): Promise<Pick<ReplanReport, 'ahead' | 'gone'>> {
  const release = planner.table.version
  const later = states.flatMap((state) => (state.kind === 'ahead' ? [state.known.version] : []))
  const ahead = later.sort().at(-1) ?? null
  if (ahead !== null && isLogged) telemetry({ kind: 'timezones', release, state: 'older', recorded: ahead })
  const gone: string[] = []
  for (const { kind, zone } of states) {
    if (kind !== 'gone') continue
    const { items } = await store.listUsers({ limit: 1, cursor: null, timezone: zone })
    if (items.length === 0) continue
    gone.push(zone)
    if (isLogged) telemetry({ kind: 'timezones', release, state: 'gone', zone })
  }
  return { ahead, gone }
}

function reportMoves({ telemetry, planner }: ReplanDeps, tally: Tally, state: 'moved' | 'moving'): void {
  if (!tally.isListed()) return
  const { zone, people, moved, unmoved, shiftMs } = tally.result()
  const counts = { release: planner.table.version, zone, people, moved }
  if (state === 'moving') telemetry({ kind: 'timezones', ...counts, state })
  else telemetry({ kind: 'timezones', ...counts, state, unmoved, shiftMs })
}
