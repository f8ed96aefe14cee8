// Mistakes between the claim of a scheduler and the hand-over to the queue.
import { QUEUE_LEASE_MS } from '../../../src/runtimes/shared/serverless.ts'
import { type Mistake, replaceIn } from './mistake.ts'

const longLeaseBeforeQueued: Mistake = {
  name: 'long-lease-before-queued',
  description: 'A scheduler claims with the lease that an event in the queue needs.',
  breaks: ['short lease until queued'],
  store: (store) =>
    replaceIn(store, {
      claimDue: (claim) =>
        store.claimDue(claim.batch === undefined ? claim : { ...claim, leaseMs: QUEUE_LEASE_MS }),
    }),
}

const finalBeforeQueued: Mistake = {
  name: 'final-before-queued',
  description: 'A scheduler makes its leases final before the queue has the messages.',
  breaks: ['unknown only if queued', 'exclusive lease'],
  store: (store) =>
    replaceIn(store, {
      async claimDue(claim) {
        const claims = await store.claimDue(claim)
        const refs = claims.map(({ id, version }) => ({ eventId: id, version }))
        if (claim.batch !== undefined) await store.extendLeases(refs, { now: claim.now, leaseMs: 0 })
        return claims
      },
    }),
}

const provisionalLeaseUsed: Mistake = {
  name: 'provisional-lease-used',
  description: 'A consumer does not extend the lease of a claim that the scheduler has not extended yet.',
  breaks: ['final lease before send'],
  store: (store) =>
    replaceIn(store, {
      readClaims: async (refs) =>
        (await store.readClaims(refs)).map((claim) => ({ ...claim, provisional: false })),
    }),
}

export const HAND_OVER_MISTAKES: readonly Mistake[] = [
  longLeaseBeforeQueued,
  finalBeforeQueued,
  provisionalLeaseUsed,
]
