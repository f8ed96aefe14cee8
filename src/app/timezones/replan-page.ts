// Moves a page of pending events to the instants that the timezone table gives. Never moves an event that changed since it was
// read.
import { isNewer } from '../../domain/time/tz-difference.ts'
import { type Planner, planReplan } from '../../engine/plan.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore, OpenEvent, OpenPlans, Reschedule, UserStore, ZoneStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import type { Tally } from './zone-tally.ts'

export type ReplanDeps = {
  store: EventStore & UserStore & ZoneStore
  planner: Planner
  clock: Clock
  telemetry: Telemetry
  /** Called with the earliest new instant. */
  onPlanned: (earliestAt: number) => void
}

/** Events in one write. */
const MOST_WRITTEN = 1_000
/** Moves the events of a page. `tallyOf` gives the tally of a timezone. */
export async function movePage(
  deps: ReplanDeps,
  page: readonly OpenPlans[],
  tallyOf: (zone: string) => Tally,
  { dryRun }: { dryRun: boolean },
): Promise<void> {
  let people = page
  let areComplete = false
  /** Events that the store did not move, with the version that was read. */
  const notMoved = new Map<string, number>()
  await retryOnConflict('A pending event', async () => {
    const moves = people.flatMap((person) => movesOf(deps, person, tallyOf(person.user.timezone)))
    // An event that did not change since was rejected: the occurrence that it would move to was settled before.
    const rejected = moves.filter(({ open }) => notMoved.get(open.id) === open.version)
    for (const { open, tally } of rejected) reportError(deps, tally, open, new Error('Settled before.'))
    // The last settled event can only forbid another occurrence: an event that keeps its own needs no look at it.
    const incomplete = areComplete ? [] : moves.filter(({ open, to }) => open.occurrence !== to.occurrence)
    const changed = new Set(incomplete.map(({ userId }) => userId))
    const wanted = moves.filter((move) => !rejected.includes(move) && !changed.has(move.userId))
    for (let i = 0; i < wanted.length; i += MOST_WRITTEN) {
      const batch = wanted.slice(i, i + MOST_WRITTEN)
      const written = dryRun ? null : await write(deps, batch)
      for (const { open, to, userId, tally } of batch) {
        if (written === null || written.has(open.id)) tally.add(open, to)
        else {
          notMoved.set(open.id, open.version)
          changed.add(userId)
        }
      }
    }
    people = await readAgain(deps.store, changed)
    areComplete = true
    return people.length === 0 ? 'done' : null
  })
}

function reportError({ telemetry }: ReplanDeps, tally: Tally, { id }: OpenEvent, error: unknown): void {
  tally.failed += 1
  telemetry({ kind: 'error', operation: 'replan', error, retryInMs: null, eventId: id })
}

type Move = {
  userId: string
  open: OpenEvent
  to: NonNullable<Reschedule['to']>
  reschedule: Reschedule
  tally: Tally
}

/** The pending events of a person whose instant or release differs from the table's. */
function movesOf(deps: ReplanDeps, { user, plans }: OpenPlans, tally: Tally): Move[] {
  const { planner, clock } = deps
  const now = clock.now()
  return plans.flatMap((plan): Move[] => {
    const { open } = plan
    // Skip an event that was planned by a newer release than this table.
    if (open === null || isNewer(open.tzVersion, planner.table.version)) return []
    try {
      const reschedule = planReplan(planner, plan, user, now)
      const to = reschedule?.to
      if (!reschedule || !to || staysPut(open, to, now)) return []
      return [{ userId: user.id, open, to, reschedule, tally }]
    } catch (error) {
      // An event that cannot be planned must not stop the others.
      reportError(deps, tally, open, error)
      return []
    }
  })
}

/** True if a move would change nothing: the event is already there, or it is due by both tables. */
function staysPut(open: OpenEvent, to: NonNullable<Reschedule['to']>, now: number): boolean {
  if (open.targetAt <= now && to.targetAt <= now) return true
  return (
    open.targetAt === to.targetAt &&
    open.occurrence === to.occurrence &&
    open.offsetSeconds === to.offsetSeconds &&
    open.tzVersion === to.tzVersion
  )
}

/** Returns the ids of the events that were moved. */
async function write(deps: ReplanDeps, batch: readonly Move[]): Promise<ReadonlySet<string>> {
  const reschedules = batch.map(({ reschedule }) => reschedule)
  const written = new Set(await deps.store.replan(reschedules, deps.clock.now()))
  const earliest = batch
    .filter(({ open }) => written.has(open.id))
    .reduce((least, { to }) => Math.min(least, to.targetAt), Infinity)
  if (earliest !== Infinity) deps.onPlanned(earliest)
  return written
}

/** People whose events were claimed, moved or removed since they were read, or whose last settled events are needed. */
async function readAgain(store: UserStore, userIds: ReadonlySet<string>): Promise<OpenPlans[]> {
  const ids = [...userIds]
  if (ids.length === 0) return []
  return (await store.listPeople({ ids, limit: ids.length, cursor: null })).items
}
