// The claims that this process holds. Extends their leases, and knows which of them the store has confirmed just now.
import type { Claim, HeldClaim } from '../ports/claim.ts'
import type { EngineDeps } from './settlement.ts'
import { refOf } from './settlement.ts'

/**
 * `aging`: held, but stale soon. `stale`: not confirmed recently; extend the leases before the event is sent. `lost`: deleted,
 * or claimed by another worker. `task` and `occasion`: still held, but the task was completed or the occasion paused.
 */
export type ClaimState = 'held' | 'aging' | 'stale' | 'lost' | 'task' | 'occasion'

export type LeaseKeeper = {
  /** `at`: when the call that returned these claims began. */
  add(claims: readonly Claim[], at: number): void
  stateOf(claim: Claim): ClaimState
  /** Extends all leases in one statement, which also confirms the claims. False if the store failed. */
  extend(): Promise<boolean>
  release(claim: Claim): void
  size(): number
  /** Forgets every claim and stops the heartbeat. */
  close(): void
}

export type LeaseSettings = {
  /** How long a lease lasts that is granted now. */
  leaseMs: () => number
  /** Extends all leases this often; null for no heartbeat. */
  heartbeatMs: number | null
}

/** A message starts at most this long after the call that confirmed its claim began: a deletion takes effect in a second. */
const CONFIRMED_MS = 750
/** After a call that took longer, messages may start for this long. */
const AFTER_SLOW_CALL_MS = 50

/** The claim counts as confirmed from `from` until `until`, and as stale at any other time, also after the clock was set. */
type Held = { claim: Claim; from: number; until: number; stopped: HeldClaim['stopped'] }

export function createLeaseKeeper(
  { store, clock, telemetry }: Pick<EngineDeps, 'store' | 'clock' | 'telemetry'>,
  { leaseMs, heartbeatMs }: LeaseSettings,
): LeaseKeeper {
  const claims = new Map<string, Held>()
  let extending: Promise<boolean> | null = null
  let closed = false
  let heartbeat = heartbeatMs === null ? null : clock.after(heartbeatMs, beat)

  /** Only at the same version: a lost event may have been claimed again, under a newer one. */
  function find({ id, version }: Claim): Held | undefined {
    const held = claims.get(id)
    return held?.claim.version === version ? held : undefined
  }

  function release(claim: Claim): void {
    if (find(claim) !== undefined) claims.delete(claim.id)
  }

  function confirm(claim: Claim, at: number, stopped: HeldClaim['stopped']): void {
    const until = Math.max(at + CONFIRMED_MS, clock.now() + AFTER_SLOW_CALL_MS)
    // Never after the lease, which begins no later than `at`.
    claims.set(claim.id, { claim, from: at, until: Math.min(until, at + leaseMs()), stopped })
  }

  async function extendAll(): Promise<void> {
    const before = [...claims.values()].map(({ claim }) => claim)
    if (before.length === 0) return
    const now = clock.now()
    const held = await store.extendLeases(before.map(refOf), { now, leaseMs: leaseMs() })
    const byId = new Map(held.map((one) => [one.eventId, one]))
    for (const claim of before) {
      if (find(claim) === undefined) continue
      const extended = byId.get(claim.id)
      if (extended === undefined) release(claim)
      else confirm(claim, now, extended.stopped)
    }
  }

  function extend(): Promise<boolean> {
    extending ??= extendAll()
      .then(() => true)
      .catch((error) => {
        telemetry({ kind: 'error', operation: 'extend-leases', error, retryInMs: heartbeatMs })
        return false
      })
      .finally(() => {
        extending = null
      })
    return extending
  }

  function beat(): void {
    void extend().then(() => {
      if (!closed) heartbeat = clock.after(heartbeatMs!, beat)
    })
  }

  return {
    add: (claimed, at) => {
      for (const claim of claimed) confirm(claim, at, null)
    },
    stateOf: (claim) => {
      const held = find(claim)
      if (held === undefined) return 'lost'
      const now = clock.now()
      // For good: a clock that was set back must not make the claim fresh when it reaches this time again.
      if (now < held.from || now >= held.until) held.until = Number.NEGATIVE_INFINITY
      if (now >= held.until) return 'stale'
      return held.stopped ?? (now < held.from + CONFIRMED_MS / 2 ? 'held' : 'aging')
    },
    extend,
    release,
    size: () => claims.size,
    close: () => {
      closed = true
      claims.clear()
      heartbeat?.cancel()
    },
  }
}
