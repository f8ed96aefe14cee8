// Delivers by signed POST to one URL, on connections kept open. Follows no redirect and reads little of the answer.
import { Agent } from 'undici'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { connectToPublic, type Resolve } from './dial.ts'
import { Exchange } from './exchange.ts'
import { headersFrom } from './headers.ts'

export type WebhookSettings = {
  url: string
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
  connections: number
  /** Each of them signs every delivery: two while one takes over from the other, none for unsigned deliveries. */
  secrets: readonly string[]
  /** `public` dials no address of a private network, whatever the URL says or its name resolves to. */
  guard: 'public' | 'any'
  /** The system's resolver unless given. */
  resolve?: Resolve
}

export function createWebhook(clock: Clock, settings: WebhookSettings): Channel {
  const { timeoutMs, connections, guard } = settings
  const { origin, pathname, search } = new URL(settings.url)
  const target = { origin, path: pathname + search, method: 'POST' } as const
  const headersOf = headersFrom(clock, settings.secrets)
  // One deadline of our own covers the whole exchange.
  const limits = { connections, headersTimeout: 0, bodyTimeout: 0 }
  const agent = new Agent(
    guard === 'any' ? limits : { ...limits, connect: connectToPublic(settings.resolve) },
  )

  // dispatch, not request: without a promise and a stream for each call it sends twice as many a second.
  function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    return new Promise((resolve) => {
      const exchange = new Exchange(clock, (result) => {
        deadline.cancel()
        signal.removeEventListener('abort', onStop)
        resolve(result)
      })
      const onStop = () => exchange.cut('CONNECTION: given up')
      const deadline = clock.after(timeoutMs, () => exchange.cut(`TIMEOUT: no answer within ${timeoutMs} ms`))
      signal.addEventListener('abort', onStop, { once: true })
      agent.dispatch({ ...target, headers: headersOf(delivery), body: delivery.body }, exchange)
    })
  }

  return { deliver, close: () => agent.close() }
}
