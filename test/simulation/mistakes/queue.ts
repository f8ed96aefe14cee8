// Mistakes of the scheduler, the queue and the consumers.

import type { Claim } from '../../../src/ports/claim.ts'
import type { Disposition, Message } from '../../../src/ports/queue.ts'
import { HOUR, MINUTE } from '../../support/fixtures.ts'
import { type Mistake, replaceIn } from './mistake.ts'

const ACK: Disposition = { kind: 'ack' }

const acknowledgedBeforeSent: Mistake = {
  name: 'acknowledged-before-sent',
  description: 'A consumer acknowledges a batch before it has sent it.',
  breaks: ['acknowledged when settled'],
  consumer: (worker) => ({
    ...worker,
    async work(messages, until) {
      void worker.work(messages, until)
      return messages.map(() => ACK)
    },
  }),
}

const deadLetterDropped: Mistake = {
  name: 'dead-letter-dropped',
  description: 'A dead letter is acknowledged without settling its event.',
  breaks: ['acknowledged when settled'],
  consumer: (worker) => ({ ...worker, deadLetter: async (messages) => messages.map(() => ACK) }),
}

const staleMessageRetried: Mistake = {
  name: 'stale-message-retried',
  description: 'An outdated message is retried until it is a dead letter.',
  breaks: ['stale message is dropped'],
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

const claimsCached: Mistake = {
  name: 'claims-cached',
  description: 'A consumer does not read a claim again that it has read before.',
  breaks: ['stale message is dropped', 'stopped message is not sent'],
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

const newestVersion: Mistake = {
  name: 'newest-version',
  description: 'A consumer works on an event at the version it finds, not at the version of the message.',
  breaks: ['version of the message'],
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

const rejectionByQueueIgnored: Mistake = {
  name: 'rejection-by-queue-ignored',
  description: 'A message that the queue rejects counts as queued.',
  breaks: ['rejected message is released', 'on time', 'short lease until queued'],
  queue: (queue) => ({
    async send(refs) {
      await queue.send(refs)
      return { failed: [], error: null }
    },
  }),
}

const shortLease: Mistake = {
  name: 'short-lease',
  description: 'A lease expires before the queue delivers an unacknowledged message again.',
  breaks: ['exclusive lease'],
  queueLeaseMs: MINUTE,
}

const deadlineIgnored: Mistake = {
  name: 'deadline-ignored',
  description: 'A consumer takes as much time as it needs.',
  breaks: ['batch deadline', 'lease is bounded'],
  consumer: (worker) => ({ ...worker, work: (messages, until) => worker.work(messages, until + HOUR) }),
}

const redeliveredInOneBatch: Mistake = {
  name: 'redelivered-in-one-batch',
  description: 'Messages that were delivered before are processed together with all others.',
  breaks: ['poison message fails alone'],
  consumer: (worker) => ({
    ...worker,
    work: (messages, until) =>
      worker.work(
        messages.map((message) => ({ ...message, receives: 1 })),
        until,
      ),
  }),
}

export const QUEUE_MISTAKES: readonly Mistake[] = [
  acknowledgedBeforeSent,
  deadLetterDropped,
  staleMessageRetried,
  claimsCached,
  newestVersion,
  rejectionByQueueIgnored,
  shortLease,
  deadlineIgnored,
  redeliveredInOneBatch,
]
