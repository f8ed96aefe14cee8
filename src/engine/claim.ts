// From due to ready: takes a batch of due events, each with what every attempt at it will say.

import type { Claim, Settlement } from '../ports/claim.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/store.ts'
import { prepare } from './prepare.ts'
import type { Ended } from './settle.ts'
import { type DeliverDeps, expire, release } from './settlement.ts'

export type ClaimDeps = DeliverDeps & { store: EventStore; clock: Clock }

/** A claim and the body that every attempt at it sends. */
export type Ready = { claim: Claim; body: string }

export type Taken = {
  claims: Claim[]
  ready: Ready[]
  /** Ended before it was sent: too late, or nothing that could be rendered. */
  ended: Ended[]
}

export async function takeDue(
  deps: ClaimDeps,
  how: { limit: number; leaseMs: number; claimedBy: string },
): Promise<Taken> {
  await Promise.all([deps.destinations.refresh(), deps.templates.refresh()])
  const now = deps.clock.now()
  const endings = new Map<string, Settlement>()
  const claims = await deps.store.claimDue({
    ...how,
    now,
    render: (claim) => {
      // Its channel was made a moment ago: it is taken again once that is known, and goes nowhere else.
      if (!deps.destinations.knows(claim.occasion.channelId)) {
        endings.set(claim.id, release(claim, now))
        return null
      }
      const prepared = prepare(deps, claim, now)
      if (prepared.kind === 'send') return prepared.body
      endings.set(claim.id, prepared.settlement)
      return null
    },
  })
  const unknown = claims.filter(({ reclaimed }) => reclaimed).map(({ id }) => id)
  if (unknown.length > 0) deps.telemetry({ kind: 'unknown', eventIds: unknown })
  const taken: Taken = { claims, ready: [], ended: [] }
  for (const claim of claims) {
    const known = endings.has(claim.id) || deps.destinations.knows(claim.occasion.channelId)
    const ending = known ? (endings.get(claim.id) ?? expire(deps, claim, now)) : release(claim, now)
    if (ending !== null) taken.ended.push({ claim, settlement: ending })
    else if (claim.body !== null) taken.ready.push({ claim, body: claim.body })
  }
  return taken
}
