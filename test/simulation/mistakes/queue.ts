// Mistakes of the scheduler, the queue and the consumers.
import type { Disposition } from '../../../src/ports/queue.ts'
import { HOUR, MINUTE } from '../../support/fixtures.ts'
import { type Mistake, replaceIn } from './mistake.ts'

const ACK: Disposition = { kind: 'ack' }
const RETRY: Disposition = { kind: 'retry', delayMs: MINUTE }

export const QUEUE_MISTAKES: readonly Mistake[] = [
  {
    name: 'rejection-by-queue-ignored',
    description: 'A message that the queue rejects counts as queued.',
    breaks: ['rejected message is released', 'short lease until queued', 'unknown only if queued'],
    queue: (queue) => ({
      async send(refs) {
        await queue.send(refs)
        return { failed: [], error: null }
      },
    }),
  },
  {
    name: 'provisional-lease-used',
    description: 'A consumer does not extend the lease of a claim that the scheduler has not extended yet.',
    breaks: ['final lease before send'],
    store: (store) =>
      replaceIn(store, {
        readClaims: async (refs) =>
          (await store.readClaims(refs)).map((claim) => ({ ...claim, provisional: false })),
      }),
  },
  {
    name: 'dead-letter-dropped',
    description: 'A dead letter is acknowledged without settling its event.',
    breaks: ['acknowledged when settled'],
    consumer: (worker) => ({ ...worker, deadLetter: async (messages) => messages.map(() => ACK) }),
  },
  {
    name: 'stale-message-retried',
    description: 'Every message is retried, also if its event is settled or claimed by another.',
    breaks: ['stale message is dropped'],
    consumer: (worker) => ({
      ...worker,
      work: async (messages, until) => (await worker.work(messages, until)).map(() => RETRY),
    }),
  },
  {
    name: 'next-version',
    description: 'A consumer works on an event at another version than that of the message.',
    breaks: ['version of the message'],
    consumer: (worker) => ({
      ...worker,
      work: (messages, until) =>
        worker.work(
          messages.map((message) => ({ ...message, version: message.version + 1 })),
          until,
        ),
    }),
  },
  {
    name: 'deadline-ignored',
    description: 'A consumer takes as much time as it needs.',
    breaks: ['batch deadline'],
    consumer: (worker) => ({ ...worker, work: (messages, until) => worker.work(messages, until + HOUR) }),
  },
  {
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
  },
]
