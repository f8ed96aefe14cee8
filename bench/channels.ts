// The channels that engines send through: a no-op, and a wrapper that counts deliveries.
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
