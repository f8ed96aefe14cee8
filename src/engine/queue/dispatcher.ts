// One run of a scheduler: claims due events and hands them to the queue. Delivers nothing itself.
import type { ReadyClaim } from '../../ports/claim.ts'
import type { Queue } from '../../ports/queue.ts'
import { claimBatch } from '../claim.ts'
import { wakeProbes } from '../sending/recovery.ts'
import { settleAll } from '../settle.ts'
import { type EngineDeps, release } from '../settlement.ts'
import { MAX_BEHIND_MS, sleep } from '../timing.ts'

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
  refused: number
  /** The queue rejected the whole last batch: another call right now would fail too. */
  blocked: boolean
}

/** When an event that the queue rejected can be claimed again. */
const REJECTED_MS = 5_000
/** How often a waiting run looks for newly planned events. */
const LOOK_MS = 2_000
/** How long a run that woke a probe waits for the events that the success of the probe wakes. */
const PROBE_MS = 8_000

/** Hands over all events that are due, batch by batch. Does not start a batch that may not end in time. */
export async function dispatch(deps: DispatchDeps, settings: DispatchSettings): Promise<Dispatched> {
  const { clock } = deps
  const { claimedBy, leaseMs, batchSize: limit, until } = settings
  const total: Dispatched = { handedOver: 0, ended: 0, refused: 0, blocked: false }
  let longestMs = 0
  while (!total.blocked && mayContinue(settings) && clock.now() + 2 * longestMs < until) {
    const began = clock.now()
    const batch = await claimBatch(deps, { limit, leaseMs, claimedBy })
    if (batch.claims.length === 0) break
    const [refused] = await Promise.all([
      handOver(deps, batch.ready, until),
      settleAll(deps, batch.unsent, until),
    ])
    total.handedOver += batch.ready.length - refused
    total.ended += batch.unsent.length
    total.refused += refused
    total.blocked = refused > 0 && refused === batch.ready.length
    if (batch.claims.length < limit) break
    longestMs = Math.max(longestMs, clock.now() - began)
  }
  return total
}

function mayContinue(settings: DispatchSettings): boolean {
  return settings.mayContinue?.() ?? true
}

/** Returns how many the queue rejected. They are released, so that nobody has to wait for their leases to expire. */
async function handOver(deps: DispatchDeps, ready: readonly ReadyClaim[], until: number): Promise<number> {
  if (ready.length === 0) return 0
  const byId = new Map(ready.map((claim) => [claim.id, claim]))
  const { failed, error } = await deps.queue.send(
    ready.map(({ id: eventId, version }) => ({ eventId, version })),
  )
  if (failed.length === 0) return 0
  deps.telemetry({ kind: 'error', operation: 'hand-over', error, retryInMs: REJECTED_MS })
  const now = deps.clock.now()
  const released = failed.map(({ eventId }) => {
    const claim = byId.get(eventId)!
    return { claim, settlement: release(claim, now, now + REJECTED_MS) }
  })
  await settleAll(deps, released, until)
  return failed.length
}

/**
 * Dispatches, then waits for events that fall due before `until`: 9:00 is met to the second although the scheduler is called
 * once a minute. Returns at once if none does and no parked event was woken.
 */
export async function dispatchUntil(deps: DispatchDeps, settings: DispatchSettings): Promise<Dispatched> {
  const { store, clock } = deps
  await deps.destinations.refresh()
  const probes = await wakeProbes(deps)
  const staysUntil = Math.min(clock.now() + (probes > 0 ? PROBE_MS : 0), settings.until)
  const total = await dispatch(deps, settings)
  while (!total.blocked && mayContinue(settings)) {
    const next = (await store.nextWakeAt()) ?? Number.POSITIVE_INFINITY
    const now = clock.now()
    if (Math.max(next, now) >= settings.until && now >= staysUntil) break
    await sleep(clock, Math.min(Math.max(next - now, MAX_BEHIND_MS), LOOK_MS))
    const more = await dispatch(deps, settings)
    total.handedOver += more.handedOver
    total.ended += more.ended
    total.refused += more.refused
    total.blocked = more.blocked
  }
  return total
}
