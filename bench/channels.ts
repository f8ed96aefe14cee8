// The channels that engines send through: a no-op, a POST to the sink, and a wrapper that counts deliveries.
import { createNodeDial } from '../src/channels/dial/node-dial.ts'
import { createWebhook } from '../src/channels/webhook/webhook.ts'
import type { Channel } from '../src/ports/channel.ts'

const DELIVERED = { kind: 'delivered', statusCode: 200 } as const

/** Delivers nothing; `onDeliver` receives the id of each event. */
export function noOp(onDeliver: (eventId: string) => void = () => {}): Channel {
  return {
    deliver: async ({ eventId }) => {
      onDeliver(eventId)
      return DELIVERED
    },
    close: async () => {},
  }
}

/** Every engine sends through the webhook channel of Terce, so that engines are compared, not HTTP clients. */
export function post(url: string, secrets: readonly string[] = []): Channel {
  const clock = {
    now: Date.now,
    after: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms)
      return { cancel: () => clearTimeout(timer) }
    },
  }
  return createWebhook(
    { clock, dial: createNodeDial('any') },
    { url, timeoutMs: 10_000, connections: 256, secrets },
  )
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
    /** Throws unless each event was delivered exactly once. */
    check(keys: readonly string[]): void {
      const missing = keys.filter((key) => !seen.has(key)).length
      if (missing > 0 || calls !== keys.length)
        throw new Error(
          `${missing} of ${keys.length} events were not delivered; there were ${calls} deliveries.`,
        )
    },
  }
}
