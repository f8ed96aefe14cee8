// One run of a scheduler: claims due events and hands them to the queue. Delivers nothing itself.
import type { LaneLimits } from '../../domain/events/lane.ts'
import { isDown } from '../../domain/settings/destination.ts'
import type { ReadyClaim } from '../../ports/claim.ts'
import type { Queue } from '../../ports/queue.ts'
import type { TelemetryOperation } from '../../ports/telemetry.ts'
import { claimBatch } from '../claim.ts'
import type { Destination } from '../deliver/destinations.ts'
import { backlogAfter, hasBacklog, lanesFor } from '../deliver/lanes.ts'
import type { EngineDeps } from '../engine-deps.ts'
import { retry } from '../retry.ts'
import { settleAll } from '../settle.ts'
import { refOf, release } from '../settlement.ts'
import { backoffMs, MAX_BEHIND_MS, sleep } from '../timing.ts'

type DispatchDeps = EngineDeps & { queue: Queue }

export type DispatchSettings = {
  /** Recorded with each claim; unique among runs. */
  claimedBy: string
  /** Longer than all receives of a message take. The event of a lost message is claimed again after it. */
  leaseMs: number
  /** Events claimed, and handed to the queue, at a time. */
  batchSize: number
  /** When the run has to end. */
  until: number
  /** Asked before each batch; false ends the run: the platform limits the queries of one call. Absent: no such limit. */
  mayContinue?: () => boolean
}

export type Dispatched = {
  handedOver: number
  /** Settled at the claim, without being sent. */
  ended: number
  /** Rejected by the queue, and released. */
  rejected: number
}

/** The state of a run. */
type Run = {
  total: Dispatched
  /** Batches claimed, empty ones included. */
  batches: number
  longestBatchMs: number
  /** Batches in a row that the queue rejected completely. */
  rejectedBatches: number
  /** The events of each destination that were handed over. */
  handed: Map<string, number>
  /** The lanes that have more due than was claimed of them. */
  backlog: ReadonlySet<number>
  /** Longer for a run that handed over a probe: its success opens the lane. */
  staysUntil: number
}

/**
 * The lease of a claim until the queue has the message. Longer than a batch takes, and so short that the next run, which begins
 * within a minute and lasts about as long, claims the events of a run that was killed in between.
 */
const HAND_OVER_MS = 45_000
/** When an event that the queue rejected can be claimed again. */
const REJECTED_MS = 5_000
/** How often a waiting run looks for newly planned events. */
const LOOK_MS = 2_000
/** How long a run that handed over a probe waits for its result. */
const PROBE_MS = 8_000
/** After 1, 2 and 4 seconds. D1 rejects every call of a run that has used up its queries. */
const MAX_RETRIES = 3

/** Events of a destination that is down in one run: one of them is the probe. */
const PROBES = 10
/** How many seconds of the messages of a limited destination a run hands over: the next run begins a minute later. */
const RUN_S = 60

function newRun(): Run {
  return {
    total: { handedOver: 0, ended: 0, rejected: 0 },
    batches: 0,
    longestBatchMs: 0,
    rejectedBatches: 0,
    handed: new Map(),
    backlog: new Set(),
    staysUntil: 0,
  }
}

/** A consumer can neither send more in time, nor let those of other destinations pass. */
function roomInRun(
  { destinations: { states } }: DispatchDeps,
  run: Run,
  destination: Destination,
  now: number,
): number {
  const { id, status, limits } = destination
  if (status !== 'ACTIVE') return 0
  const handed = run.handed.get(id) ?? 0
  if (isDown(states.of(id), now)) return states.isProbeDue(id, now) ? Math.max(0, PROBES - handed) : 0
  return limits.perSecond === null ? Infinity : Math.max(0, Math.ceil(RUN_S * limits.perSecond) - handed)
}

function lanesOfRun(deps: DispatchDeps, run: Run, limit: number): LaneLimits {
  const { destinations, clock } = deps
  const now = clock.now()
  const rooms = destinations
    .list()
    .map((destination) => ({ destination, events: roomInRun(deps, run, destination, now) }))
  return lanesFor({ rooms, byDefault: destinations.of(null), backlog: run.backlog, limit })
}

function countHanded({ destinations, clock }: DispatchDeps, run: Run, claims: readonly ReadyClaim[]): void {
  const now = clock.now()
  for (const { occasion } of claims) {
    const { id } = destinations.of(occasion.channelId)
    run.handed.set(id, (run.handed.get(id) ?? 0) + 1)
    if (isDown(destinations.states.of(id), now)) run.staysUntil = now + PROBE_MS
  }
}

/** Hands over all events that are due, batch by batch. */
export async function dispatch(deps: DispatchDeps, settings: DispatchSettings): Promise<Dispatched> {
  const run = newRun()
  await dispatchDue(deps, settings, run)
  return run.total
}

/** Starts no batch that may not end in time. */
async function dispatchDue(deps: DispatchDeps, settings: DispatchSettings, run: Run): Promise<void> {
  const { clock } = deps
  const { total } = run
  const { claimedBy, leaseMs, batchSize: limit, until } = settings
  const provisionalMs = Math.min(leaseMs, HAND_OVER_MS)
  await retried(deps, until, 'load-channels', () => deps.destinations.refresh())
  for (let isDue = true; goesOn(deps, settings, run); isDue = false) {
    const lanes = lanesOfRun(deps, run, limit)
    if (!isDue && !hasBacklog(lanes, run.backlog)) break
    // A queue that rejects everything gets the next batch after 1, 2, 4 … seconds.
    if (run.rejectedBatches > 0) await sleep(clock, backoffMs(run.rejectedBatches))
    const began = clock.now()
    run.batches += 1
    const how = { limit, leaseMs: provisionalMs, claimedBy, batch: run.batches }
    // With the number of the failed call, which may have been committed: its events are claimed again.
    const { claims, ready, unsent } = await retried(deps, until, 'claim', () =>
      claimBatch(deps, { ...how, lanes }),
    )
    run.backlog = backlogAfter(run.backlog, { ...lanes, limit }, claims)
    countHanded(deps, run, ready)
    const [rejected] = await Promise.all([
      handOver(deps, ready, { leaseMs, until }),
      settleAll(deps, unsent, until),
    ])
    total.handedOver += ready.length - rejected
    total.ended += unsent.length
    total.rejected += rejected
    const isRejected = rejected > 0 && rejected === ready.length
    run.rejectedBatches = isRejected ? run.rejectedBatches + 1 : 0
    run.longestBatchMs = Math.max(run.longestBatchMs, clock.now() - began)
  }
}

/** Whether the run may start another batch, and the batch is likely to end in time. */
function goesOn({ clock }: DispatchDeps, { mayContinue, until }: DispatchSettings, run: Run): boolean {
  const waitMs = run.rejectedBatches === 0 ? 0 : backoffMs(run.rejectedBatches)
  return (mayContinue?.() ?? true) && clock.now() + waitMs + 2 * run.longestBatchMs < until
}

/** Returns how many the queue rejected. They are released, so that nobody has to wait for their leases to expire. */
async function handOver(
  deps: DispatchDeps,
  ready: readonly ReadyClaim[],
  { leaseMs, until }: Pick<DispatchSettings, 'leaseMs' | 'until'>,
): Promise<number> {
  if (ready.length === 0) return 0
  const { failed, error } = await deps.queue.send(
    ready.map(({ id: eventId, version }) => ({ eventId, version })),
  )
  const failedIds = new Set(failed.map(({ eventId }) => eventId))
  if (failedIds.size > 0)
    deps.telemetry({ kind: 'error', operation: 'hand-over', error, retryInMs: REJECTED_MS })
  const now = deps.clock.now()
  const rejected = ready.filter(({ id }) => failedIds.has(id))
  const released = rejected.map((claim) => ({ claim, settlement: release(claim, now, now + REJECTED_MS) }))
  const stored = ready.filter(({ id }) => !failedIds.has(id))
  await Promise.all([extendLeases(deps, stored, leaseMs), settleAll(deps, released, until)])
  return rejected.length
}

/** An error is only reported: the consumer extends a provisional lease before it sends. */
async function extendLeases(deps: DispatchDeps, claims: readonly ReadyClaim[], leaseMs: number) {
  if (claims.length === 0) return
  try {
    await deps.store.extendLeases(claims.map(refOf), { now: deps.clock.now(), leaseMs })
  } catch (error) {
    deps.telemetry({ kind: 'error', operation: 'extend-leases', error, retryInMs: null })
  }
}

/** Repeats a call of the store that failed, and rejects with its last error. */
async function retried<T>(
  deps: DispatchDeps,
  until: number,
  operation: TelemetryOperation,
  call: () => Promise<T>,
): Promise<T> {
  const waitAfter = (error: unknown, failures: number) => {
    const retryInMs = backoffMs(failures)
    if (failures > MAX_RETRIES || deps.clock.now() + retryInMs >= until) return null
    deps.telemetry({ kind: 'error', operation, error, retryInMs })
    return retryInMs
  }
  return retry(deps.clock, waitAfter, call)
}

/**
 * Dispatches, then waits for events that fall due before `until`: 9:00 is met to the second although the scheduler is called
 * once a minute. Returns at once if none does and no probe was handed over.
 */
export async function dispatchUntil(deps: DispatchDeps, settings: DispatchSettings): Promise<Dispatched> {
  const { store, clock } = deps
  const { until } = settings
  const run = newRun()
  await dispatchDue(deps, settings, run)
  while (goesOn(deps, settings, run)) {
    const lanes = lanesOfRun(deps, run, settings.batchSize)
    const next =
      (await retried(deps, until, 'claim', () => store.nextWakeAt(lanes))) ?? Number.POSITIVE_INFINITY
    const now = clock.now()
    if (Math.max(next, now) >= until && now >= Math.min(run.staysUntil, until)) break
    await sleep(clock, Math.min(Math.max(next - now, MAX_BEHIND_MS), LOOK_MS))
    await dispatchDue(deps, settings, run)
  }
  return run.total
}
