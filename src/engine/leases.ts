// What is in our hands, from claim to settlement, and the heartbeat that keeps its leases alive.

import type { Claim } from '../ports/claim.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'

export type Held = {
  take(claims: readonly Claim[]): void
  /** By version too: an event that we lost may be in our hands again under a newer one. */
  has(claim: Claim): boolean
  letGo(claim: Claim): void
  size(): number
  /** Lets go of everything and ends the heartbeat. */
  close(): void
}

export function createHeld(
  deps: { store: EventStore; clock: Clock; telemetry: Telemetry },
  leaseMs: number,
): Held {
  const { store, clock, telemetry } = deps
  const claims = new Map<string, Claim>()
  const everyMs = leaseMs / 3
  let closed = false
  let heartbeat = clock.after(everyMs, beat)

  function has({ id, version }: Claim): boolean {
    return claims.get(id)?.version === version
  }

  function letGo(claim: Claim): void {
    if (has(claim)) claims.delete(claim.id)
  }

  async function extendAll(): Promise<void> {
    const before = [...claims.values()]
    if (before.length === 0) return
    const refs = before.map(({ id, version }) => ({ eventId: id, version }))
    const ours = new Set(await store.extendLeases(refs, clock.now() + leaseMs))
    for (const claim of before) if (!ours.has(claim.id)) letGo(claim)
  }

  function beat(): void {
    extendAll()
      .catch((error) => telemetry({ kind: 'trouble', during: 'extend leases', error, retryInMs: everyMs }))
      .finally(() => {
        if (!closed) heartbeat = clock.after(everyMs, beat)
      })
  }

  return {
    take: (taken) => {
      for (const claim of taken) claims.set(claim.id, claim)
    },
    has,
    letGo,
    size: () => claims.size,
    close: () => {
      closed = true
      claims.clear()
      heartbeat.cancel()
    },
  }
}
