// The share of the queue that each shard has: together they must stay below its limit, and no batch may outlast its lease.
import { describe, expect, it } from 'vitest'
import { HAND_OVER_MS } from '../../../../src/engine/queue/dispatcher.ts'
import { createCloudflareQueue, MESSAGES_PER_SECOND } from '../../../../src/queues/cloudflare.ts'
import { queueShare } from '../../../../src/runtimes/cloudflare/shards/queue-share.ts'
import { createTestClock, newId, T0 } from '../../../support/fixtures.ts'

const POWERS = Array.from({ length: 13 }, (_, power) => 2 ** power)

/** The instants at which messages are sent, if every shard hands a batch to the queue at one instant, and then another. */
async function sendFromAll(shards: number): Promise<number[][]> {
  const clock = createTestClock(T0)
  const { share, batchSize } = queueShare(shards)
  const senders = Array.from({ length: shards }, async () => {
    const sentAt: number[] = []
    const sendBatch = async (messages: unknown[]) => {
      sentAt.push(...messages.map(() => clock.now() - T0))
    }
    const queue = createCloudflareQueue({ sendBatch }, clock, share)
    for (let batch = 0; batch < 2; batch++)
      await queue.send(Array.from({ length: batchSize }, () => ({ eventId: newId(T0), version: 2 })))
    return sentAt
  })
  await clock.advance(2 * HAND_OVER_MS)
  return Promise.all(senders)
}

describe('the share of a shard', () => {
  it.each([1, 2, 16, 256])('keeps %i shards below 5,000 messages in any second', async (shards) => {
    const inSteps = new Map<number, number>()
    for (const at of (await sendFromAll(shards)).flat()) inSteps.set(at, (inSteps.get(at) ?? 0) + 1)
    const steps = [...inSteps].sort(([a], [b]) => a - b)
    for (const [from] of steps) {
      const inSecond = steps.filter(([at]) => at >= from && at < from + 1_000)
      expect(inSecond.reduce((sum, [, count]) => sum + count, 0)).toBeLessThan(5_000)
    }
  })

  it.each(POWERS)('lets a batch of one of %i shards end long before its lease expires', (shards) => {
    const { share, batchSize } = queueShare(shards)
    expect(batchSize).toBeGreaterThan(0)
    expect((1_000 * batchSize) / (MESSAGES_PER_SECOND * share)).toBeLessThan(HAND_OVER_MS / 4)
  })
})
