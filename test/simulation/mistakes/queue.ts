// Mistakes between the scheduler and the consumers.

import type { Claim } from '../../../src/ports/claim.ts'
import type { Disposition, Message } from '../../../src/ports/queue.ts'
import { HOUR, MINUTE } from '../../support/fixtures.ts'
import { type Bug, replaceIn } from './mistake.ts'

const ACK: Disposition = { kind: 'ack' }

const acksFirst: Bug = {
  name: 'acks-first',
  words: 'A consumer says that it is done with a batch before it is.',
  breaks: ['done when acknowledged'],
  consumer: (worker) => ({
    ...worker,
    async work(messages, until) {
      void worker.work(messages, until)
      return messages.map(() => ACK)
    },
  }),
}

const buryOnlyAcks: Bug = {
  name: 'deadLetter-only-acks',
  words: 'A dead letter is thrown away.',
  breaks: ['done when acknowledged'],
  consumer: (worker) => ({ ...worker, deadLetter: async (messages) => messages.map(() => ACK) }),
}

const staleSpins: Bug = {
  name: 'stale-spins',
  words: 'What is out of date is asked for again until it is a dead letter.',
  breaks: ['stale is done with'],
  consumer: (worker, { store }) => ({
    ...worker,
    async work(messages, until) {
      const held = await store.readClaims(messages.map(({ eventId, version }) => ({ eventId, version })))
      const answers = await worker.work(messages, until)
      const isHeld = (message: Message) =>
        held.some(({ id, version }) => id === message.eventId && version === message.version)
      return messages.map((message, i) =>
        isHeld(message) ? answers[i]! : { kind: 'retry', delayMs: MINUTE },
      )
    },
  }),
}

const claimsKept: Bug = {
  name: 'claims-kept',
  words: 'A consumer does not read a claim again that it has read before.',
  breaks: ['stale is done with'],
  store(store, { who }) {
    if (!who.startsWith('consumer')) return store
    const kept = new Map<string, Claim>()
    return replaceIn(store, {
      async readClaims(refs) {
        const unknown = refs.filter(({ eventId, version }) => !kept.has(`${eventId} ${version}`))
        for (const claim of await store.readClaims(unknown)) kept.set(`${claim.id} ${claim.version}`, claim)
        return refs.flatMap(({ eventId, version }) => kept.get(`${eventId} ${version}`) ?? [])
      },
    })
  },
}

const newestVersion: Bug = {
  name: 'newest-version',
  words: 'A consumer works on an event at the version that it finds, not at that of the message.',
  breaks: ['as the message says'],
  consumer: (worker, { store }) => ({
    ...worker,
    async work(messages, until) {
      const found = await Promise.all(
        messages.map(({ eventId }) => store.findEvent(eventId).catch(() => null)),
      )
      const newest = messages.map((message, i) => ({
        ...message,
        version: found[i]?.event.version ?? message.version,
      }))
      return worker.work(newest, until)
    },
  }),
}

const refusalUnheard: Bug = {
  name: 'refusal-unheard',
  words: 'What the queue refuses counts as handed over.',
  breaks: ['refused is free', 'each on time'],
  queue: (queue) => ({
    async send(refs) {
      await queue.send(refs)
      return { failed: [], error: null }
    },
  }),
}

const shortLease: Bug = {
  name: 'short-lease',
  words: 'A lease ends before a message of which nothing is heard comes again.',
  breaks: ['one holder'],
  queueLeaseMs: MINUTE,
}

const noHurry: Bug = {
  name: 'no-hurry',
  words: 'A consumer takes as much time as it needs.',
  breaks: ['in its time'],
  consumer: (worker) => ({ ...worker, work: (messages, until) => worker.work(messages, until + HOUR) }),
}

const allAtOnce: Bug = {
  name: 'all-at-once',
  words: 'Messages that came before are worked on together with all others.',
  breaks: ['not taken along'],
  consumer: (worker) => ({
    ...worker,
    work: (messages, until) =>
      worker.work(
        messages.map((message) => ({ ...message, receives: 1 })),
        until,
      ),
  }),
}

export const QUEUE_BUGS: readonly Bug[] = [
  acksFirst,
  buryOnlyAcks,
  staleSpins,
  claimsKept,
  newestVersion,
  refusalUnheard,
  shortLease,
  noHurry,
  allAtOnce,
]
