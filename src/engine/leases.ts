// The claims that this process holds: extends their leases, and knows which of them the store has confirmed just now.
import type { Claim, ClaimRef, HeldClaim } from '../ports/claim.ts'
import type { TelemetryOperation } from '../ports/telemetry.ts'
import type { EngineDeps } from './engine-deps.ts'
import { refOf } from './settlement.ts'
import { ageMs, type Moment, momentOf } from './timing.ts'

/**
 * `aging`: held, but stale soon. `stale`: not confirmed recently; confirm the claim before the event is sent. `lost`: deleted,
 * or claimed by another worker. `task` and `occasion`: still held, but the task was completed or the occasion paused.
 */
export type ClaimState = 'held' | 'aging' | 'stale' | 'lost' | 'task' | 'occasion'

export type LeaseKeeper = {
  /** `began`: before the call that returned these claims. */
  add(claims: readonly Claim[], began: Moment): void
  stateOf(claim: Claim): ClaimState
  /** Asks the store which of these claims are still held, in one statement. False if the store failed. */
  confirm(claims: readonly Claim[]): Promise<boolean>
  release(claim: Claim): void
  size(): number
  /** Forgets every claim and stops the heartbeat. The next claim that is added starts it again. */
  close(): void
}

type LeaseSettings = {
  /** How long a lease lasts that is granted now. */
  leaseMs: () => number
  /** Extends all leases this often; null for no heartbeat. */
  heartbeatMs: number | null
}

/** A message starts at most this long after the call that confirmed its claim began: a deletion takes effect in a second. */
const CONFIRMED_MS = 750
/** If the confirming call itself took longer than CONFIRMED_MS, messages may start for this long after it. */
const AFTER_SLOW_CALL_MS = 50
/** A claim is confirmed again this long before it is stale, so that no slot waits for the store. */
const AGING_MS = 250

/** The wait before claims are confirmed again after the store failed. Nothing is sent meanwhile. */
export const CONFIRM_RETRY_MS = 1_000

type Held = {
  claim: Claim
  /** Before the call that granted the lease; in the store it ends no earlier than `leaseMs` after it. */
  leasedAt: Moment
  leaseMs: number
  /** Before the call that confirmed the claim, and how long after it a message may start. */
  confirmedAt: Moment
  confirmedMs: number
  stopped: HeldClaim['stopped']
}

export function createLeaseKeeper(
  { store, clock, telemetry }: Pick<EngineDeps, 'store' | 'clock' | 'telemetry'>,
  { leaseMs, heartbeatMs }: LeaseSettings,
): LeaseKeeper {
  const claims = new Map<string, Held>()
  let closed = false
  let heartbeat = heartbeatMs === null ? null : clock.after(heartbeatMs, beat)

  /** Only this claim: a lost event may have been claimed again, under a newer version or, after a failover, under this one. */
  function find({ id, version, claimedAt }: Claim): Held | undefined {
    const held = claims.get(id)
    return held?.claim.version === version && held.claim.claimedAt === claimedAt ? held : undefined
  }

  function release(claim: Claim): void {
    if (find(claim) !== undefined) claims.delete(claim.id)
  }

  function stateOf(claim: Claim): ClaimState {
    const held = find(claim)
    if (held === undefined) return 'lost'
    const confirmedMs = ageMs(clock, held.confirmedAt)
    if (confirmedMs >= held.confirmedMs || leftMs(held) <= 0) return 'stale'
    return held.stopped ?? (confirmedMs < CONFIRMED_MS - AGING_MS ? 'held' : 'aging')
  }

  /** For a claim that the store confirmed in a call from `began` to now. */
  function confirmation(began: Moment): Pick<Held, 'confirmedAt' | 'confirmedMs'> {
    const confirmedMs = Math.max(CONFIRMED_MS, ageMs(clock, began) + AFTER_SLOW_CALL_MS)
    return { confirmedAt: began, confirmedMs }
  }

  function leftMs({ leasedAt, leaseMs }: Held): number {
    return leaseMs - ageMs(clock, leasedAt)
  }

  /** Returns false, and reports the error, if the store failed. */
  async function succeeds(operation: TelemetryOperation, retryInMs: number | null, work: Promise<void>) {
    try {
      await work
      return true
    } catch (error) {
      telemetry({ kind: 'error', operation, error, retryInMs })
      return false
    }
  }

  async function extend(asked: readonly Held[]): Promise<void> {
    if (asked.length === 0) return
    const began = momentOf(clock)
    const lease = { now: began.now, leaseMs: leaseMs() }
    const extended = new Set(await store.extendLeases(refsOf(asked), lease))
    for (const held of asked) {
      held.leasedAt = began
      held.leaseMs = lease.leaseMs
      if (!extended.has(held.claim.id)) release(held.claim)
    }
  }

  async function confirm(asked: readonly Held[]): Promise<void> {
    if (asked.length === 0) return
    const began = momentOf(clock)
    await extend(asked.filter((held) => leftMs(held) < CONFIRMED_MS))
    const found = await store.confirmClaims(refsOf(asked))
    const byId = new Map(found.map((one) => [one.eventId, one]))
    for (const held of asked) {
      const confirmed = byId.get(held.claim.id)
      if (confirmed === undefined) release(held.claim)
      Object.assign(held, confirmation(began))
      held.stopped = confirmed?.stopped ?? null
    }
  }

  function beat(): void {
    void succeeds('extend-leases', heartbeatMs, extend([...claims.values()])).then(() => {
      if (!closed) startHeartbeat()
    })
  }

  function startHeartbeat(): void {
    heartbeat?.cancel()
    heartbeat = heartbeatMs === null ? null : clock.after(heartbeatMs, beat)
  }

  return {
    add: (claimed, began) => {
      if (closed && claimed.length > 0) {
        closed = false
        startHeartbeat()
      }
      const granted = { leasedAt: began, leaseMs: leaseMs(), ...confirmation(began), stopped: null }
      for (const claim of claimed) claims.set(claim.id, { claim, ...granted })
    },
    stateOf,
    confirm: (asked) => {
      const unconfirmed = asked.filter((claim) => ['aging', 'stale'].includes(stateOf(claim)))
      const held = unconfirmed.map((claim) => find(claim)!)
      return succeeds('confirm-claims', CONFIRM_RETRY_MS, confirm(held))
    },
    release,
    size: () => claims.size,
    close: () => {
      closed = true
      claims.clear()
      heartbeat?.cancel()
    },
  }
}

function refsOf(asked: readonly Held[]): ClaimRef[] {
  return asked.map(({ claim }) => refOf(claim))
}
