// Delivers by signed POST to one URL, on connections kept open. Follows no redirect and reads little of the response.
import { withoutQuery } from '../../domain/settings/channel.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NodeDial } from '../dial/node-dial.ts'
import { WebhookExchange } from './exchange.ts'
import { requestsTo } from './headers.ts'

type WebhookSettings = {
  url: string
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
  connections: number
  /** Every one signs each delivery: two during a rotation, none for unsigned deliveries. */
  secrets: readonly string[]
}

type InFlight = { exchanges: Set<WebhookExchange>; onStop: () => void }

export function createWebhook(deps: { clock: Clock; dial: NodeDial }, settings: WebhookSettings): Channel {
  const { clock, dial } = deps
  const { url, timeoutMs, connections } = settings
  const { origin, pathname, search } = new URL(url)
  const target = { origin, path: pathname + search, method: 'POST' } as const
  const requestOf = requestsTo(url, settings.secrets, clock)
  // One deadline of our own covers the whole exchange.
  const agent = dial.agent({ connections, headersTimeout: 0, bodyTimeout: 0 })

  /** The exchanges under each signal. One listener for all of them: a listener of each one's own cost a tenth of the CPU. */
  const inFlight = new Map<AbortSignal, InFlight>()

  function begin(signal: AbortSignal, exchange: WebhookExchange): void {
    const known = inFlight.get(signal)
    if (known !== undefined) {
      known.exchanges.add(exchange)
      return
    }
    const exchanges = new Set([exchange])
    const onStop = () => exchanges.forEach(giveUp)
    signal.addEventListener('abort', onStop, { once: true })
    inFlight.set(signal, { exchanges, onStop })
  }

  /** The signal outlives the channel, so the last exchange removes the listener. */
  function end(signal: AbortSignal, exchange: WebhookExchange): void {
    const known = inFlight.get(signal)
    if (known === undefined || !known.exchanges.delete(exchange) || known.exchanges.size > 0) return
    signal.removeEventListener('abort', known.onStop)
    inFlight.delete(signal)
  }

  // dispatch, not request: without a promise and a stream for each call it sends twice as many per second.
  function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    return new Promise((resolve) => {
      const onEnd = (result: DeliveryResult) => {
        deadline.cancel()
        end(signal, exchange)
        resolve(result)
      }
      const exchange = new WebhookExchange(clock, onEnd, delivery.keepResponses)
      const deadline = clock.after(timeoutMs, () =>
        exchange.abort(`TIMEOUT: no response within ${timeoutMs} ms`),
      )
      if (signal.aborted) return giveUp(exchange)
      begin(signal, exchange)
      const { headers, body } = requestOf(delivery)
      agent.dispatch({ ...target, headers, body }, exchange)
    })
  }

  let closing: Promise<void> | null = null
  function close(): Promise<void> {
    closing ??= agent.close()
    return closing
  }

  return { destination: withoutQuery(url), deliver, requestOf, close }
}

function giveUp(exchange: WebhookExchange): void {
  exchange.abort('CONNECTION: given up')
}
