// A queue within one process, for a home that has none: what it forgets with the process is healed by the lease.
import type { Consumer, Message, Queue } from '../ports/queue.ts'
import { inBatches, toBody } from './wire.ts'

export type InlineQueue = Queue & {
  /** Hands over what waits, batch after batch. What is to come again comes at the next call. Returns how many were handed over. */
  deliver(until: number): Promise<number>
}

export type InlineSettings = {
  batchSize: number
  /** After so many times in vain a message goes to `deadLetter`. */
  maxReceives: number
}

export function createInlineQueue(
  consumers: { work: Consumer; deadLetter: Consumer },
  settings: InlineSettings,
): InlineQueue {
  let waiting: Message[] = []

  async function hand(consume: Consumer, messages: Message[], until: number): Promise<void> {
    // Whatever threw, nothing is known of its batch: all of it comes again, and ends with a reason if that goes on.
    const answers = await consume(messages, until).catch(() => [])
    for (const [i, message] of messages.entries())
      if (answers[i]?.kind !== 'ack') waiting.push({ ...message, receives: message.receives + 1 })
  }

  return {
    async send(refs) {
      waiting.push(...refs.map((ref) => ({ ...toBody(ref), receives: 1 })))
      return { failed: [], error: null }
    },

    async deliver(until) {
      const messages = waiting
      waiting = []
      const isDead = ({ receives }: Message) => receives > settings.maxReceives
      const dead = messages.filter(isDead)
      const living = messages.filter((message) => !isDead(message))
      for (const batch of inBatches(living, settings.batchSize)) await hand(consumers.work, batch, until)
      if (dead.length > 0) await hand(consumers.deadLetter, dead, until)
      return messages.length
    },
  }
}
