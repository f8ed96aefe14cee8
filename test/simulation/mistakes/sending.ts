// Mistakes between the claim and the receiver: keys, retries, results.
import { createHash } from 'node:crypto'
import type { Channel, DeliveryResult } from '../../../src/ports/channel.ts'
import { SECOND } from '../../support/fixtures.ts'
import type { Mistake } from './mistake.ts'

/** The channel with every result changed. */
export function answering(channel: Channel, change: (result: DeliveryResult) => DeliveryResult): Channel {
  return {
    ...channel,
    deliver: async (delivery, signal) => change(await channel.deliver(delivery, signal)),
  }
}

const keyFromInstant: Mistake = {
  name: 'key-from-instant',
  description: 'The key is derived from the due time of the event.',
  breaks: ['one key'],
  channel: (channel) => ({
    ...channel,
    deliver(delivery, signal) {
      const { userId, targetTimestampUTC } = JSON.parse(delivery.body)
      const hash = createHash('sha256').update(`${userId}:${targetTimestampUTC}`).digest('hex')
      return channel.deliver({ ...delivery, idempotencyKey: `event-${hash.slice(0, 32)}` }, signal)
    },
  }),
}

const completedBeforeSent: Mistake = {
  name: 'completed-before-sent',
  description: 'An event counts as delivered as soon as its message is in flight.',
  breaks: ['completed was accepted', 'channel limits'],
  channel: (channel) => ({
    ...channel,
    deliver: async (delivery, signal) => {
      void channel.deliver(delivery, signal)
      return { kind: 'delivered', statusCode: 200 }
    },
  }),
}

const retryWithoutLimit: Mistake = {
  name: 'retry-without-limit',
  description: 'A message is retried for as long as it fails.',
  breaks: ['attempts are limited'],
  engine: () => ({ retryPolicy: { delaysMs: Array.from({ length: 1_000 }, () => SECOND) } }),
}

const noRetry: Mistake = {
  name: 'no-retry',
  description: 'A message is never retried.',
  breaks: ['failure reason is true'],
  engine: () => ({ retryPolicy: { delaysMs: [] } }),
}

const permanentRejectionRetried: Mistake = {
  name: 'permanent-rejection-retried',
  description: 'A permanent rejection is retried.',
  breaks: ['permanent rejection is final'],
  channel: (channel) =>
    answering(channel, (result) => (result.kind === 'permanent' ? { ...result, kind: 'transient' } : result)),
}

const retryAfterIgnored: Mistake = {
  name: 'retry-after-ignored',
  description: 'A receiver that asks for time gets none.',
  breaks: ['Retry-After is honoured'],
  channel: (channel) =>
    answering(channel, (result) => (result.kind === 'transient' ? { ...result, retryAfterMs: 0 } : result)),
}

export const SENDING_MISTAKES: readonly Mistake[] = [
  keyFromInstant,
  completedBeforeSent,
  retryWithoutLimit,
  noRetry,
  permanentRejectionRetried,
  retryAfterIgnored,
]
