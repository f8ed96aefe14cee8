// The webhook for runtimes that have `fetch` and no sockets, with the headers, limits and results of webhook.ts.
import { isKept, responseFromText } from '../../domain/events/exchange.ts'
import { withoutQuery } from '../../domain/settings/channel.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Dial } from '../dial/dial.ts'
import { post } from '../dial/post.ts'
import { discard, readStart } from '../dial/response-text.ts'
import { createHeaders } from './headers.ts'
import { readResponse } from './response.ts'

export type FetchWebhookSettings = {
  url: string
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
  /** Every one signs each delivery: two during a rotation, none for unsigned deliveries. */
  secrets: readonly string[]
}

export function createFetchWebhook(
  deps: { clock: Clock; dial: Dial },
  settings: FetchWebhookSettings,
): Channel {
  const { url, timeoutMs } = settings
  const headersOf = createHeaders(settings.secrets, deps.clock)

  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    const headers = headersOf(delivery)
    return post(deps, { url, headers, body: delivery.body, timeoutMs, signal }, async (response) => {
      const retryAfter = response.headers.get('retry-after') ?? undefined
      const result = readResponse(response.status, retryAfter, deps.clock.now())
      if (isKept(delivery.keepResponses ?? 'none', result.kind === 'delivered'))
        result.response = responseFromText(response.headers, await readStart(response))
      else await discard(response)
      return result
    })
  }

  return { destination: withoutQuery(url), deliver, close: async () => {} }
}
