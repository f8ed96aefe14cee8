// Hands claims over by Cloudflare Queues, and answers it for a batch that was received.

import type { ClaimRef } from '../ports/claim.ts'
import type { Consumer, Message, Queue } from '../ports/queue.ts'
import { fromBody, inBatches, toBody } from './wire.ts'

/** The part of the binding to a queue that is used here. */
export type QueueBinding = { sendBatch(messages: { body: unknown }[]): Promise<unknown> }

/** What it takes in one call. */
const MOST_MESSAGES = 100
/** A Worker has no more than six connections under way at once. */
const CALLS_AT_ONCE = 6

export function createCloudflareQueue(binding: QueueBinding): Queue {
  async function sendBatch(
    refs: readonly ClaimRef[],
  ): Promise<{ failed: readonly ClaimRef[]; error: unknown }> {
    try {
      await binding.sendBatch(refs.map((ref) => ({ body: toBody(ref) })))
      return { failed: [], error: null }
    } catch (error) {
      // It may have arrived all the same. Given back and claimed again, it has a newer version, and this one is stale.
      return { failed: refs, error }
    }
  }

  return {
    async send(refs) {
      const failed: ClaimRef[] = []
      let firstError: unknown = null
      for (const round of inBatches(inBatches(refs, MOST_MESSAGES), CALLS_AT_ONCE)) {
        for (const result of await Promise.all(round.map(sendBatch))) {
          failed.push(...result.failed)
          firstError ??= result.error
        }
      }
      return { failed, error: firstError }
    },
  }
}

/** A message as it is handed over. One that is neither acknowledged nor sent back is taken for acknowledged. */
export type CloudflareMessage = {
  readonly body: unknown
  /** 1 for the first time. */
  readonly attempts: number
  ack(): void
  retry(options?: { delaySeconds?: number }): void
}

/** The longest that a message can be put off. */
const LONGEST_DELAY_S = 43_200

/** Gives a batch to its consumer, and tells the queue what becomes of each. Returns how many were no references at all. */
export async function consumeCloudflare(
  batch: readonly CloudflareMessage[],
  consume: (messages: readonly Message[]) => ReturnType<Consumer>,
): Promise<{ unreadable: number }> {
  const readable: { carrier: CloudflareMessage; message: Message }[] = []
  for (const carrier of batch) {
    const ref = fromBody(carrier.body)
    // No attempt at it could ever end otherwise.
    if (ref === null) carrier.ack()
    else readable.push({ carrier, message: { ...ref, receives: carrier.attempts } })
  }
  const answers = readable.length === 0 ? [] : await consume(readable.map(({ message }) => message))
  for (const [i, { carrier }] of readable.entries()) {
    const answer = answers[i]
    if (answer?.kind === 'ack') carrier.ack()
    else carrier.retry({ delaySeconds: delayOf(answer?.delayMs ?? 0) })
  }
  return { unreadable: batch.length - readable.length }
}

function delayOf(delayMs: number): number {
  return Math.min(LONGEST_DELAY_S, Math.ceil(delayMs / 1000))
}
