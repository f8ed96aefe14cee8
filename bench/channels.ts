// What engines do with a due event: nothing, or a POST; and the count of what they did, to hold them to their promise.
import { createWebhook } from '../src/channels/webhook/webhook.ts'
import type { Channel } from '../src/ports/channel.ts'

const DELIVERED = { kind: 'delivered', statusCode: 200 } as const

/** A handler that only looks at the event, if at that. */
export function noOp(look: (eventId: string) => void = () => {}): Channel {
  return {
    deliver: async ({ eventId }) => {
      look(eventId)
      return DELIVERED
    },
    close: async () => {},
  }
}

/** The channel of the product, for every engine: what is compared is the engines, not their HTTP clients. */
export function post(url: string): Channel {
  const clock = {
    now: Date.now,
    after: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms)
      return { cancel: () => clearTimeout(timer) }
    },
  }
  return createWebhook(clock, { url, timeoutMs: 10_000, connections: 256, secrets: [], guard: 'any' })
}

export function counting(inner: Channel) {
  const seen = new Set<string>()
  let calls = 0
  const channel: Channel = {
    ...inner,
    deliver: (delivery, signal) => {
      calls += 1
      seen.add(delivery.eventId)
      return inner.deliver(delivery, signal)
    },
  }
  return {
    channel,
    /** Throws unless each was handled exactly once. */
    check(keys: readonly string[]): void {
      const missing = keys.filter((key) => !seen.has(key)).length
      if (missing > 0 || calls !== keys.length)
        throw new Error(`Of ${keys.length} events ${missing} were not handled; ${calls} were handled in all.`)
    },
  }
}
