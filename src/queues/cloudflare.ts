// Sends claims by Cloudflare Queues, and handles a batch that it delivered.

import type { ClaimRef } from '../ports/claim.ts'
import type { Clock } from '../ports/clock.ts'
import type { Consumer, Message, Queue } from '../ports/queue.ts'
import { fromBody, inBatches, toBody } from './wire.ts'

/** The part of the binding to a queue that is used here. */
export type QueueBinding = { sendBatch(messages: { body: unknown }[]): Promise<unknown> }

/** The limit of one call. */
const MOST_MESSAGES = 100
/** A Worker has at most six connections at once. */
const CALLS_AT_ONCE = 6

/** A queue accepts 5,000 messages a second; the rest is for the retries of consumers. */
const MESSAGES_PER_SECOND = 4_500

/** `share` is the part of the rate that this sender has where several send to the queue at one instant. */
export function createCloudflareQueue(binding: QueueBinding, clock: Clock, share = 1): Queue {
  /** Messages that are sent at once, without exceeding the limit in any second. */
  const roundSize = Math.max(1, Math.floor(MOST_MESSAGES * CALLS_AT_ONCE * share))
  /** When the next messages may be sent. */
  let freeAt = Number.NEGATIVE_INFINITY

  /** Keeps the rate below the limit of the queue: every rejected message costs a release and another claim. */
  async function pace(messages: number): Promise<void> {
    const now = clock.now()
    const waitMs = freeAt - now
    freeAt = Math.max(freeAt, now) + (messages * 1_000) / (MESSAGES_PER_SECOND * share)
    if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve))
  }

  async function sendBatch(
    refs: readonly ClaimRef[],
  ): Promise<{ failed: readonly ClaimRef[]; error: unknown }> {
    try {
      await binding.sendBatch(refs.map((ref) => ({ body: toBody(ref) })))
      return { failed: [], error: null }
    } catch (error) {
      // The messages may have arrived. Their events are released and claimed again under a newer version, so these are stale.
      return { failed: refs, error }
    }
  }

  return {
    async send(refs) {
      const failed: ClaimRef[] = []
      let firstError: unknown = null
      for (const round of inBatches(refs, roundSize)) {
        await pace(round.length)
        for (const result of await Promise.all(inBatches(round, MOST_MESSAGES).map(sendBatch))) {
          failed.push(...result.failed)
          firstError ??= result.error
        }
      }
      return { failed, error: firstError }
    },
  }
}

/** A delivered message. Cloudflare counts a message that is neither acknowledged nor retried as acknowledged. */
export type CloudflareMessage = {
  readonly body: unknown
  /** 1 for the first time. */
  readonly attempts: number
  ack(): void
  retry(options?: { delaySeconds?: number }): void
}

/** The longest delay of a retry. */
const LONGEST_DELAY_S = 43_200

/** Passes a batch to its consumer, and acknowledges or retries each message. Returns how many were not references. */
export async function consumeCloudflare(
  batch: readonly CloudflareMessage[],
  consume: (messages: readonly Message[]) => ReturnType<Consumer>,
): Promise<{ unreadable: number }> {
  const readable: { carrier: CloudflareMessage; message: Message }[] = []
  for (const carrier of batch) {
    const ref = fromBody(carrier.body)
    // It would be unreadable at every delivery.
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
