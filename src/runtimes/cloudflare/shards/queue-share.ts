// How much of a large backlog one shard hands to the queue: all shards share one queue, and have their backlogs at one instant.
import { BATCH_SIZE } from '../../../engine/claim.ts'
import { MESSAGES_PER_SECOND } from '../../../queues/cloudflare.ts'

/** As much as one connection sends to a receiver that responds after 100 ms: with less, handing over is of no use. */
const LEAST_PER_SECOND = 10
/** Far shorter than a provisional lease: an event of a batch that waits for the queue cannot be sent by the shard itself. */
const BATCH_SECONDS = 5

/** `share` is a part of the rate of the queue. */
export function queueShare(shards: number): { share: number; batchSize: number } {
  const perSecond = Math.max(LEAST_PER_SECOND, MESSAGES_PER_SECOND / shards)
  const batchSize = Math.min(BATCH_SIZE, Math.floor(perSecond * BATCH_SECONDS))
  return { share: perSecond / MESSAGES_PER_SECOND, batchSize }
}
