// Mistakes in taking events and holding them.
import type { Claim } from '../../../src/ports/claim.ts'
import { HOUR, SECOND, YEAR } from '../../support/fixtures.ts'
import { type Bug, replaceIn } from './mistake.ts'

const noLease: Bug = {
  name: 'no-lease',
  words: 'A claimed event is free again at once.',
  breaks: ['one holder'],
  store: (store) =>
    replaceIn(store, {
      claimDue: (claim) => store.claimDue({ ...claim, leaseMs: 0 }),
      extendLeases: async (refs) => refs.map(({ eventId }) => eventId),
    }),
}

/** What each database gave out last. */
const given = new WeakMap<object, { at: number; claims: Claim[] }>()

const claimNotExclusive: Bug = {
  name: 'claim-not-exclusive',
  words: 'Two that claim at nearly the same time get the same events.',
  breaks: ['one holder'],
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

const earlyByOwnClock: Bug = {
  name: 'early-by-own-clock',
  words: 'A worker whose clock runs ahead takes events before their time.',
  breaks: ['never early'],
  trustsCallers: true,
}

const renderedAgain: Bug = {
  name: 'rendered-again',
  words: 'Every attempt writes its body anew.',
  breaks: ['same bytes', 'written first'],
  store: (store) =>
    replaceIn(store, {
      async claimDue(claim) {
        const claims = await store.claimDue(claim)
        return claims.map((taken) => ({ ...taken, body: claim.render(taken) }))
      },
    }),
}

const bodyNotKept: Bug = {
  name: 'body-not-kept',
  words: 'A body is sent that was not written down.',
  breaks: ['written first', 'each on time'],
  store: (store) =>
    replaceIn(store, {
      async claimDue(claim) {
        const claims = await store.claimDue({ ...claim, render: () => null })
        return claims.map((taken) => ({ ...taken, body: claim.render(taken) }))
      },
    }),
}

const endlessLease: Bug = {
  name: 'endless-lease',
  words: 'What a dead worker held is never taken over.',
  breaks: ['nothing lost', 'each on time'],
  store: (store) =>
    replaceIn(store, { claimDue: (claim) => store.claimDue({ ...claim, leaseMs: 100 * YEAR }) }),
}

const waitsForNothing: Bug = {
  name: 'waits-for-nothing',
  words: 'A worker that has nothing ahead of it waits for ever, also when it is told to stop.',
  breaks: ['stopping ends', 'each on time', 'nothing lost'],
  store: (store, { world }) =>
    replaceIn(store, {
      // The first to find nothing: the others go on.
      async nextWakeAt() {
        const at = await store.nextWakeAt()
        if (at !== null || waiting.has(world)) return at
        waiting.add(world)
        return new Promise(() => {})
      },
    }),
}

const waiting = new WeakSet<object>()

const unanswered: Bug = {
  name: 'unanswered',
  words: 'A call that fails is never heard of again, and its worker waits for it.',
  breaks: ['stopping ends', 'each on time'],
  store: (store) =>
    replaceIn(store, {
      claimDue: (claim) => store.claimDue(claim).catch(() => new Promise(() => {})),
      nextWakeAt: () => store.nextWakeAt().catch(() => new Promise(() => {})),
      listChannels: () => store.listChannels().catch(() => new Promise(() => {})),
    }),
}

const oversleeps: Bug = {
  name: 'oversleeps',
  words: 'A worker wakes an hour after the next event.',
  breaks: ['each on time', 'nothing lost'],
  store: (store) =>
    replaceIn(store, {
      async nextWakeAt() {
        const at = await store.nextWakeAt()
        return at && at + HOUR
      },
    }),
}

const heartbeatForLost: Bug = {
  name: 'heartbeat-for-lost',
  words: 'A worker keeps extending leases that are another’s by now.',
  breaks: ['fenced'],
  store: (store) =>
    replaceIn(store, {
      async extendLeases(refs, leaseUntil) {
        const found = await Promise.all(refs.map(({ eventId }) => store.findEvent(eventId)))
        const now = found.flatMap((one) => (one === null ? [] : [one.event]))
        return store.extendLeases(
          now.map(({ id, version }) => ({ eventId: id, version })),
          leaseUntil,
        )
      },
    }),
}

export const CLAIMING_BUGS: readonly Bug[] = [
  noLease,
  claimNotExclusive,
  earlyByOwnClock,
  renderedAgain,
  bodyNotKept,
  endlessLease,
  waitsForNothing,
  unanswered,
  oversleeps,
  heartbeatForLost,
]
