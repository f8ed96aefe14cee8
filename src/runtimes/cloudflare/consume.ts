// The queue consumer on Workers: delivers a batch, or fails the events of dead letters.
import { createQueueConsumer, type QueueConsumer, retryAfter } from '../../engine/queue/consumer.ts'
import { type CloudflareMessage, consumeCloudflare } from '../../queues/cloudflare.ts'
import { consumerSettingsOf, guarded, QUEUE_LEASE_MS } from '../shared/serverless.ts'
import type { CloudflareRuntime } from './parts.ts'
import type { SchedulerParts } from './schedule.ts'

type ConsumerParts = CloudflareRuntime & Pick<SchedulerParts, 'flow'>

export type Batch = { queue: string; messages: readonly CloudflareMessage[] }

/** The time for a batch of a hundred, six at a time. Events not started by then are released. */
const CONSUME_MS = 120_000
/** The platform makes further calls wait, while their deadline runs. */
export const MOST_CONNECTIONS = 6

/** Works on one batch at a time; several run at once. Kept between batches because it knows which destinations are down. */
const idle: QueueConsumer[] = []

export function consumeBatch(runtime: ConsumerParts, { queue, messages }: Batch): Promise<void> {
  return guarded(runtime, 'consume', async () => {
    const worker = idle.pop() ?? makeWorker(runtime)
    const consume = queue.endsWith('-dead') ? worker.deadLetter : worker.work
    const until = runtime.clock.now() + CONSUME_MS
    const { unreadable } = await consumeCloudflare(messages, (received) => consume(received, until))
    if (unreadable > 0)
      runtime.logger.error({ count: unreadable }, 'Dropped messages that do not name an event')
    idle.push(worker)
  })
}

/**
 * Returns a batch to the queue while the Worker is not set up. A call that throws would be repeated every ten seconds, and
 * use up all receives before the lease expires: the events would fail because of a setting.
 */
export function retryLater({ messages }: Batch): void {
  const retryMs = retryAfter(QUEUE_LEASE_MS)
  for (const message of messages) message.retry({ delaySeconds: retryMs(message.attempts) / 1_000 })
}

function makeWorker(runtime: ConsumerParts): QueueConsumer {
  const settings = consumerSettingsOf(runtime)
  const concurrency = Math.min(settings.concurrency, MOST_CONNECTIONS)
  return createQueueConsumer(runtime.flow, { ...settings, concurrency })
}
