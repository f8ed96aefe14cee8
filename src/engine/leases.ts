// The claims that this worker holds, and the heartbeat that extends their leases.
import type { Claim } from '../ports/claim.ts'
import type { EngineDeps } from './settlement.ts'
import { refOf } from './settlement.ts'

export type LeaseKeeper = {
  add(claims: readonly Claim[]): void
  /** True for the same version only: a lost event may have been claimed again, under a newer one. */
  has(claim: Claim): boolean
  release(claim: Claim): void
  size(): number
  /** Forgets every claim and stops the heartbeat. */
  close(): void
}

export function createLeaseKeeper(
  { store, clock, telemetry }: Pick<EngineDeps, 'store' | 'clock' | 'telemetry'>,
  leaseMs: number,
): LeaseKeeper {
  const claims = new Map<string, Claim>()
  const everyMs = leaseMs / 3
  let closed = false
  let heartbeat = clock.after(everyMs, beat)

  function has({ id, version }: Claim): boolean {
    return claims.get(id)?.version === version
  }

  function release(claim: Claim): void {
    if (has(claim)) claims.delete(claim.id)
  }

  async function extendAll(): Promise<void> {
    const before = [...claims.values()]
    if (before.length === 0) return
    const extended = new Set(await store.extendLeases(before.map(refOf), clock.now() + leaseMs))
    for (const claim of before) if (!extended.has(claim.id)) release(claim)
  }

  function beat(): void {
    extendAll()
      .catch((error) => telemetry({ kind: 'error', operation: 'extend-leases', error, retryInMs: everyMs }))
      .finally(() => {
        if (!closed) heartbeat = clock.after(everyMs, beat)
      })
  }

  return {
    add: (claimed) => {
      for (const claim of claimed) claims.set(claim.id, claim)
    },
    has,
    release,
    size: () => claims.size,
    close: () => {
      closed = true
      claims.clear()
      heartbeat.cancel()
    },
  }
}
