// Delivers by signed POST to one URL, on connections kept open. Follows no redirect and reads little of the response.
import type { Client } from 'undici'
import { withoutQuery } from '../../domain/settings/channel.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { NodeDial } from '../dial/node-dial.ts'
import { createConnections } from './connections.ts'
import { WebhookExchange } from './exchange.ts'
import { createHeaders } from './headers.ts'

type WebhookSettings = {
  url: string
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
  connections: number
  /** Every one signs each delivery: two during a rotation, none for unsigned deliveries. */
  secrets: readonly string[]
}

/** Exchanges that began under one signal within `BATCH_MS`. */
type Batch = {
  signal: AbortSignal
  startedAt: number
  exchanges: Set<WebhookExchange>
  deadline: { cancel(): void }
  onStop: () => void
}

/** A timer and a listener for each exchange cost a tenth of the CPU. So much may an exchange time out early. */
const BATCH_MS = 5

export function createWebhook(deps: { clock: Clock; dial: NodeDial }, settings: WebhookSettings): Channel {
  const { clock, dial } = deps
  const { url, timeoutMs } = settings
  const { origin, pathname, search } = new URL(url)
  const target = { path: pathname + search, method: 'POST' } as const
  const headersOf = createHeaders(settings.secrets, clock)
  // One deadline of our own covers the whole exchange.
  const open = () => dial.client(origin, { headersTimeout: 0, bodyTimeout: 0 })
  const connections = createConnections(open, settings.connections)
  let latest: Batch | null = null

  function begin(signal: AbortSignal, startedAt: number): Batch {
    const exchanges = new Set<WebhookExchange>()
    const abortAll = (error: string) => {
      for (const exchange of exchanges) exchange.abort(error)
    }
    const onStop = () => abortAll(GIVEN_UP)
    const onDeadline = () => abortAll(`TIMEOUT: no response within ${timeoutMs} ms`)
    signal.addEventListener('abort', onStop, { once: true })
    return { signal, startedAt, exchanges, deadline: clock.after(timeoutMs, onDeadline), onStop }
  }

  function join(signal: AbortSignal, exchange: WebhookExchange): Batch {
    const now = clock.elapsedMs()
    if (latest?.signal !== signal || now - latest.startedAt >= BATCH_MS) latest = begin(signal, now)
    latest.exchanges.add(exchange)
    return latest
  }

  /** The signal outlives the channel, so the last exchange of a batch removes the listener. */
  function leave(batch: Batch, exchange: WebhookExchange): void {
    batch.exchanges.delete(exchange)
    if (batch.exchanges.size > 0) return
    batch.deadline.cancel()
    batch.signal.removeEventListener('abort', batch.onStop)
    if (latest === batch) latest = null
  }

  // dispatch, not request: without a promise and a stream for each call it sends twice as many per second.
  function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    return new Promise((resolve, reject) => {
      let client: Client | null = null
      const onEnd = (result: DeliveryResult, isReusable: boolean) => {
        leave(batch, exchange)
        resolve(result)
        if (client !== null) connections.release(client, isReusable)
      }
      const exchange = new WebhookExchange(clock, onEnd, delivery.keepResponses)
      const batch = join(signal, exchange)
      if (signal.aborted) return exchange.abort(GIVEN_UP)
      const headers = headersOf(delivery)
      const request = { ...target, headers, body: delivery.body }
      const send = (lent: Client) => {
        // It timed out while it waited for a connection.
        if (exchange.hasEnded) return false
        client = lent
        client.dispatch(request, exchange)
        return true
      }
      try {
        connections.lend(send)
      } catch (error) {
        reject(error)
        exchange.abort(GIVEN_UP)
      }
    })
  }

  return { destination: withoutQuery(url), deliver, close: connections.close }
}

const GIVEN_UP = 'CONNECTION: given up'
