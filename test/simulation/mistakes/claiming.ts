// Mistakes with claims and leases.
import type { Claim } from '../../../src/ports/claim.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { DAY, HOUR, SECOND, YEAR } from '../../support/fixtures.ts'
import { LEASE_MS } from '../support/settings.ts'
import { type Mistake, replaceIn } from './mistake.ts'

const noLease: Mistake = {
  name: 'no-lease',
  description: 'A claimed event can be claimed again at once.',
  breaks: ['exclusive lease'],
  store: (store) =>
    replaceIn(store, {
      claimDue: (claim) => store.claimDue({ ...claim, leaseMs: 0 }),
      extendLeases: async (refs) => refs.map(({ eventId }) => eventId),
    }),
}

/** The last claims of each simulated world. */
const given = new WeakMap<object, { at: number; claims: Claim[] }>()

const claimNotExclusive: Mistake = {
  name: 'claim-not-exclusive',
  description: 'Two processes that claim at nearly the same time get the same events.',
  breaks: ['exclusive lease'],
  store: (store, { world }) =>
    replaceIn(store, {
      async claimDue(claim) {
        const claims = await store.claimDue(claim)
        const last = given.get(world)
        const at = world.scheduler.now()
        if (claims.length > 0) given.set(world, { at, claims })
        return claims.length === 0 && last !== undefined && at - last.at < SECOND / 10 ? last.claims : claims
      },
    }),
}

const earlyByOwnClock: Mistake = {
  name: 'early-by-own-clock',
  description: 'A worker whose clock is ahead claims events before their due time.',
  breaks: ['never early', 'lease is bounded'],
  trustsCallers: true,
}

const renderedAgain: Mistake = {
  name: 'rendered-again',
  description: 'Every attempt renders its body again.',
  breaks: ['same bytes', 'stored before sent'],
  store: (store) =>
    replaceIn(store, {
      async claimDue(claim) {
        const claims = await store.claimDue(claim)
        return claims.map((claimed) => ({ ...claimed, body: claim.render(claimed) }))
      },
    }),
}

const bodyNotStored: Mistake = {
  name: 'body-not-stored',
  description: 'A body is sent that was not stored.',
  breaks: ['stored before sent', 'on time'],
  store: (store) =>
    replaceIn(store, {
      async claimDue(claim) {
        const claims = await store.claimDue({ ...claim, render: () => null })
        return claims.map((claimed) => ({ ...claimed, body: claim.render(claimed) }))
      },
    }),
}

const endlessLease: Mistake = {
  name: 'endless-lease',
  description: 'An event that a dead worker had claimed is never claimed again.',
  breaks: ['nothing lost', 'on time', 'lease is bounded'],
  store: (store) =>
    replaceIn(store, { claimDue: (claim) => store.claimDue({ ...claim, leaseMs: 100 * YEAR }) }),
}

const sleepsForever: Mistake = {
  name: 'sleeps-forever',
  description: 'A worker that finds no event sleeps for ever, also after SIGTERM.',
  breaks: ['stop completes', 'on time', 'nothing lost'],
  store: (store, { world }) =>
    replaceIn(store, {
      // Only the first worker that finds nothing: the others go on.
      async nextWakeAt() {
        const at = await store.nextWakeAt()
        if (at !== null || waiting.has(world)) return at
        waiting.add(world)
        return new Promise(() => {})
      },
    }),
}

const waiting = new WeakSet<object>()

const failedCallHangs: Mistake = {
  name: 'failed-call-hangs',
  description: 'A call that fails never returns, and its worker waits for it.',
  breaks: ['stop completes', 'on time'],
  store: (store) =>
    replaceIn(store, {
      claimDue: (claim) => store.claimDue(claim).catch(() => new Promise(() => {})),
      nextWakeAt: () => store.nextWakeAt().catch(() => new Promise(() => {})),
      listChannels: () => store.listChannels().catch(() => new Promise(() => {})),
    }),
}

const wakesLate: Mistake = {
  name: 'wakes-late',
  description: 'A worker wakes an hour after the next event is due.',
  breaks: ['on time', 'nothing lost'],
  store: (store) =>
    replaceIn(store, {
      async nextWakeAt() {
        const at = await store.nextWakeAt()
        return at && at + HOUR
      },
    }),
}

const sleepsByTheClock: Mistake = {
  name: 'sleeps-by-the-clock',
  description: 'A worker whose clock is set back sleeps until the old instant, however short its poll is.',
  breaks: ['on time', 'nothing lost'],
  engine: ({ clock }) => ({
    clock: { ...clock, after: (ms, callback) => afterByTheClock(clock, ms, callback) },
  }),
}

/** A timer that waits for an instant of the clock, not for a time. */
function afterByTheClock(clock: Clock, ms: number, callback: () => void): { cancel(): void } {
  const at = clock.now() + ms
  let timer = clock.after(ms, fire)
  function fire(): void {
    const left = at - clock.now()
    if (left > 0) timer = clock.after(left, fire)
    else callback()
  }
  return { cancel: () => timer.cancel() }
}

const heartbeatForLostClaims: Mistake = {
  name: 'heartbeat-for-lost-claims',
  description: 'A worker extends leases that another worker holds by now.',
  breaks: ['fenced'],
  store: (store) => {
    const claimedOnce = new Set<string>()
    return replaceIn(store, {
      // With every claim, not with the heartbeat: so few heartbeats follow a lost claim that one seed in a hundred had one.
      async claimDue(claim) {
        const found = await Promise.all([...claimedOnce].map((eventId) => store.findEvent(eventId)))
        const refs = found.flatMap((one) =>
          one?.event.status === 'PROCESSING' ? [{ eventId: one.event.id, version: one.event.version }] : [],
        )
        if (refs.length > 0) await store.extendLeases(refs, claim)
        const claims = await store.claimDue(claim)
        for (const { id } of claims) claimedOnce.add(id)
        return claims
      },
    })
  },
}

const lostClaimReportedAsHeld: Mistake = {
  name: 'lost-claim-reported-as-held',
  description:
    'A confirmation does not report that a person was deleted, an occasion paused or a task completed.',
  breaks: ['stopped message is not sent'],
  store: (store) =>
    replaceIn(store, {
      confirmClaims: async (refs) => refs.map(({ eventId }) => ({ eventId, stopped: null })),
    }),
}

const expiredLeaseIsUsed: Mistake = {
  name: 'expired-lease-is-used',
  description: 'A worker relies on its lease for a day, and the database grants a minute.',
  breaks: ['no send under an expired lease'],
  believedLeaseMs: DAY,
  store: (store) =>
    replaceIn(store, {
      claimDue: (claim) => store.claimDue({ ...claim, leaseMs: grantedMs(claim) }),
      extendLeases: (refs, lease) => store.extendLeases(refs, { ...lease, leaseMs: grantedMs(lease) }),
    }),
}

/** Consumers have other leases. */
const grantedMs = ({ leaseMs }: { leaseMs: number }) => (leaseMs === DAY ? LEASE_MS : leaseMs)

const leaseByOwnClock: Mistake = {
  name: 'lease-by-own-clock',
  description:
    'The heartbeat of a worker whose clock is an hour ahead extends the lease by an hour too much.',
  breaks: ['lease is bounded'],
  store: (store) =>
    replaceIn(store, {
      extendLeases: (refs, { now, leaseMs }) => store.extendLeases(refs, { now, leaseMs: leaseMs + HOUR }),
    }),
}

export const CLAIMING_MISTAKES: readonly Mistake[] = [
  noLease,
  claimNotExclusive,
  earlyByOwnClock,
  renderedAgain,
  bodyNotStored,
  endlessLease,
  sleepsForever,
  failedCallHangs,
  wakesLate,
  sleepsByTheClock,
  heartbeatForLostClaims,
  lostClaimReportedAsHeld,
  expiredLeaseIsUsed,
  leaseByOwnClock,
]
