// A run of a scheduler: claims what is due and hands it to the queue. Sends nothing itself.
import type { Queue } from '../../ports/queue.ts'
import { pause } from '../backoff.ts'
import { type ClaimDeps, type Ready, takeDue } from '../claim.ts'
import { type Ended, settleAll } from '../settle.ts'
import { release } from '../settlement.ts'

export type DispatchDeps = ClaimDeps & { queue: Queue }

export type DispatchSettings = {
  /** Who claims: a name that no other run has. */
  claimedBy: string
  /** Longer than a message can be under way, every receive of it included; a lost one is healed after it. */
  leaseMs: number
  /** Claimed, and handed over, in one go. */
  batchSize: number
  /** When to be done. */
  until: number
}

export type Dispatched = {
  handedOver: number
  /** Ended at the claim: too late, or nothing that could be rendered. */
  ended: number
  /** Not taken by the queue, and given back. */
  refused: number
  /** The queue took nothing of the last batch: whoever calls again at once is refused again. */
  blocked: boolean
}

/** What the queue refused is taken again this soon. */
const REFUSED_MS = 5_000
/** How soon to ask a store again whose clock is behind. */
const BEHIND_MS = 25
/** While a run waits for what falls due, it looks this often for what nobody told it of. */
const LOOK_MS = 2_000

/** Hands over all that is due now, batch by batch. A batch that might not be through in time is not begun. */
export async function dispatch(deps: DispatchDeps, settings: DispatchSettings): Promise<Dispatched> {
  const { clock, telemetry } = deps
  const { claimedBy, leaseMs, batchSize: limit, until } = settings
  const total: Dispatched = { handedOver: 0, ended: 0, refused: 0, blocked: false }
  let longestMs = 0
  while (!total.blocked && clock.now() + 2 * longestMs < until) {
    const began = clock.now()
    const taken = await takeDue(deps, { limit, leaseMs, claimedBy })
    const { length: count } = taken.claims
    if (count === 0) break
    telemetry({ kind: 'claimed', count })
    const [refused] = await Promise.all([
      handOver(deps, taken.ready, until),
      settleAll(deps, taken.ended, until),
    ])
    total.handedOver += taken.ready.length - refused
    total.ended += taken.ended.length
    total.refused += refused
    total.blocked = refused > 0 && refused === taken.ready.length
    if (count < limit) break
    longestMs = Math.max(longestMs, clock.now() - began)
  }
  return total
}

/** Returns how many the queue refused. They are given back: no lease has to run out first. */
async function handOver(deps: DispatchDeps, ready: readonly Ready[], until: number): Promise<number> {
  if (ready.length === 0) return 0
  const byId = new Map(ready.map(({ claim }) => [claim.id, claim]))
  const { failed, error } = await deps.queue.send(
    ready.map(({ claim }) => ({ eventId: claim.id, version: claim.version })),
  )
  if (failed.length === 0) return 0
  deps.telemetry({ kind: 'trouble', during: 'handing over', error, retryInMs: REFUSED_MS })
  const now = deps.clock.now()
  const back = failed.map(({ eventId }): Ended => {
    const claim = byId.get(eventId)!
    return { claim, settlement: release(claim, now, now + REFUSED_MS) }
  })
  await settleAll(deps, back, until)
  return failed.length
}

/**
 * The same, and stays for what falls due before `until`: nine o'clock is met to the second although the scheduler is called
 * once a minute. Ends at once when there is nothing to stay for.
 */
export async function dispatchUntil(deps: DispatchDeps, settings: DispatchSettings): Promise<Dispatched> {
  const { store, clock } = deps
  const total = await dispatch(deps, settings)
  while (!total.blocked) {
    const next = await store.nextWakeAt()
    const now = clock.now()
    if (next === null || Math.max(next, now) >= settings.until) break
    await pause(clock, Math.min(Math.max(next - now, BEHIND_MS), LOOK_MS))
    const more = await dispatch(deps, settings)
    total.handedOver += more.handedOver
    total.ended += more.ended
    total.refused += more.refused
    total.blocked = more.blocked
  }
  return total
}
