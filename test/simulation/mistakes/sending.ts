// Mistakes between the claim and the receiver.
import { createHash } from 'node:crypto'
import type { Channel, DeliveryResult } from '../../../src/ports/channel.ts'
import { SECOND } from '../../support/fixtures.ts'
import type { Bug } from './mistake.ts'

/** The channel with every result looked at. */
export function answering(channel: Channel, change: (result: DeliveryResult) => DeliveryResult): Channel {
  return {
    ...channel,
    deliver: async (delivery, signal) => change(await channel.deliver(delivery, signal)),
  }
}

const keyFromInstant: Bug = {
  name: 'key-from-instant',
  words: 'The key is made from the instant the event is due at.',
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

const completedBeforeSent: Bug = {
  name: 'completed-before-sent',
  words: 'An event counts as delivered as soon as the message is on its way.',
  breaks: ['completed was accepted', 'within its limits'],
  channel: (channel) => ({
    ...channel,
    deliver: async (delivery, signal) => {
      void channel.deliver(delivery, signal)
      return { kind: 'delivered', statusCode: 200 }
    },
  }),
}

const retryWithoutLimit: Bug = {
  name: 'retry-without-limit',
  words: 'A message is tried for as long as it fails.',
  breaks: ['tries are limited'],
  engine: () => ({ retryPolicy: { delaysMs: Array.from({ length: 1_000 }, () => SECOND) } }),
}

const givesUpAtOnce: Bug = {
  name: 'gives-up-at-once',
  words: 'A message is not tried again at all.',
  breaks: ['failed for cause'],
  engine: () => ({ retryPolicy: { delaysMs: [] } }),
}

const refusalRetried: Bug = {
  name: 'refusal-retried',
  words: 'A refusal for good is tried again.',
  breaks: ['no means no'],
  channel: (channel) =>
    answering(channel, (result) => (result.kind === 'permanent' ? { ...result, kind: 'transient' } : result)),
}

const impatient: Bug = {
  name: 'retry-after-ignored',
  words: 'A receiver that asks for time gets none.',
  breaks: ['time granted'],
  channel: (channel) =>
    answering(channel, (result) => (result.kind === 'transient' ? { ...result, retryAfterMs: 0 } : result)),
}

export const SENDING_BUGS: readonly Bug[] = [
  keyFromInstant,
  completedBeforeSent,
  retryWithoutLimit,
  givesUpAtOnce,
  refusalRetried,
  impatient,
]
