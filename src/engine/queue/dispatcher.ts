// One run of a scheduler: claims due events and hands them to the queue. Delivers nothing itself.
import type { ReadyClaim } from '../../ports/claim.ts'
import type { Queue } from '../../ports/queue.ts'
import type { TelemetryOperation } from '../../ports/telemetry.ts'
import { type ClaimedBatch, claimBatch } from '../claim.ts'
import type { Admission } from '../deliver/admission.ts'
import { createDeferrals, type Deferrals } from '../deliver/deferrals.ts'
import type { EngineDeps, Outcome } from '../engine-deps.ts'
import { retry } from '../retry.ts'
import { settleAll } from '../settle.ts'
import { forChannel, park, refOf, release } from '../settlement.ts'
import { backoffMs, MAX_BEHIND_MS, sleep } from '../timing.ts'
import { createRunRoom, type RunRoom } from './run-room.ts'
import { wakeForRun } from './wake-for-run.ts'

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
  room: RunRoom
  deferrals: Deferrals
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
/** How long a run that woke a probe waits for the events that the success of the probe wakes. */
const PROBE_MS = 8_000
/** After 1, 2 and 4 seconds. D1 rejects every call of a run that has used up its queries. */
const MAX_RETRIES = 3

function newRun(deps: DispatchDeps, { claimedBy }: DispatchSettings): Run {
  const total = { handedOver: 0, ended: 0, rejected: 0 }
  const deferrals = createDeferrals(deps, { workerId: claimedBy })
  return { total, batches: 0, longestBatchMs: 0, rejectedBatches: 0, room: createRunRoom(deps), deferrals }
}

/** Hands over all events that are due, batch by batch. */
export async function dispatch(deps: DispatchDeps, settings: DispatchSettings): Promise<Dispatched> {
  const run = newRun(deps, settings)
  await dispatchDue(deps, settings, run)
  return run.total
}

/** Starts no batch that may not end in time. */
async function dispatchDue(deps: DispatchDeps, settings: DispatchSettings, run: Run): Promise<void> {
  const { clock } = deps
  const { total } = run
  const { claimedBy, leaseMs, batchSize: limit, until } = settings
  const provisionalMs = Math.min(leaseMs, HAND_OVER_MS)
  while (goesOn(deps, settings, run)) {
    // A queue that rejects everything gets the next batch after 1, 2, 4 … seconds.
    if (run.rejectedBatches > 0) await sleep(clock, backoffMs(run.rejectedBatches))
    const began = clock.now()
    run.batches += 1
    const how = { limit, leaseMs: provisionalMs, claimedBy, batch: run.batches }
    const deferred = await retried(deps, until, 'claim', () => run.deferrals.next())
    const except = run.deferrals.except()
    // With the number of the failed call, which may have been committed: its events are claimed again.
    const batch = await retried(deps, until, 'claim', () => claimBatch(deps, { ...how, except }))
    const { ready, unsent } = parkWithoutRoom(deps, run, batch, batch.claims.length === limit)
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
    // A claim that was not filled has found all that was due, unless it left out a backlog.
    if (batch.claims.length < limit && !deferred) break
  }
}

/** Parks the events of the batch that go to a destination without room in this run. */
function parkWithoutRoom(
  { destinations, clock }: DispatchDeps,
  { room, deferrals }: Run,
  batch: ClaimedBatch,
  isFull: boolean,
): { ready: ReadyClaim[]; unsent: Outcome[] } {
  const now = clock.now()
  const ready: ReadyClaim[] = []
  const unsent = [...batch.unsent]
  const admissions: Admission[] = [...batch.parkings]
  for (const claim of batch.ready) {
    const parking = room.park(claim, now)
    admissions.push(parking ?? { kind: 'queue' })
    if (parking === null) ready.push(claim)
    else {
      const settlement = forChannel(
        park(claim, null, now, parking),
        destinations.of(claim.occasion.channelId),
      )
      unsent.push({ claim, settlement })
    }
  }
  deferrals.onBatch(admissions, isFull)
  return { ready, unsent }
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
 * once a minute. Returns at once if none does and no probe was woken.
 */
export async function dispatchUntil(deps: DispatchDeps, settings: DispatchSettings): Promise<Dispatched> {
  const { store, clock } = deps
  const { until } = settings
  await retried(deps, until, 'load-channels', () => deps.destinations.refresh())
  const probes = await wakeForRun(deps)
  const staysUntil = Math.min(clock.now() + (probes > 0 ? PROBE_MS : 0), until)
  const run = newRun(deps, settings)
  await dispatchDue(deps, settings, run)
  while (goesOn(deps, settings, run)) {
    const next = (await retried(deps, until, 'claim', () => store.nextWakeAt())) ?? Number.POSITIVE_INFINITY
    const now = clock.now()
    if (Math.max(next, now) >= until && now >= staysUntil) break
    await sleep(clock, Math.min(Math.max(next - now, MAX_BEHIND_MS), LOOK_MS))
    await dispatchDue(deps, settings, run)
  }
  return run.total
}
