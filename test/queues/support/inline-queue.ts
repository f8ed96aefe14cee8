// A queue in memory, for the contract: the events of messages lost with the process are claimed again.
import type { Consumer, Message, Queue } from '../../../src/ports/queue.ts'
import { inBatches, toBody } from '../../../src/queues/wire.ts'

export type InlineQueue = Queue & {
  /** Delivers the waiting messages batch by batch; retried ones come at the next call. Returns how many were delivered. */
  deliver(until: number): Promise<number>
}

export type InlineSettings = {
  batchSize: number
  /** After this many receives a message goes to `deadLetter`. */
  maxReceives: number
}

export function createInlineQueue(
  consumers: { work: Consumer; deadLetter: Consumer },
  settings: InlineSettings,
): InlineQueue {
  let waiting: Message[] = []

  async function hand(consume: Consumer, messages: Message[], until: number): Promise<void> {
    // If the consumer throws, the whole batch is delivered again, and dead-lettered in the end.
    const dispositions = await consume(messages, until).catch(() => [])
    for (const [i, message] of messages.entries())
      if (dispositions[i]?.kind !== 'ack') waiting.push({ ...message, receives: message.receives + 1 })
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
