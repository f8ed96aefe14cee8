// The webhook for runtimes that have `fetch` and no sockets, with the headers, limits and results of webhook.ts.
import { isKept, responseFromText } from '../../domain/events/exchange.ts'
import { withoutQuery } from '../../domain/settings/channel.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Dial, forbiddenResult } from '../dial/dial.ts'
import { discard, readStart } from '../dial/response-text.ts'
import { requestsTo } from './headers.ts'
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
  const { clock, dial } = deps
  const { url, timeoutMs } = settings
  const requestOf = requestsTo(url, settings.secrets, clock)

  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    const cut = new AbortController()
    const onStop = () => cut.abort('CONNECTION: given up')
    const onDeadline = () => cut.abort(`TIMEOUT: no response within ${timeoutMs} ms`)
    const deadline = clock.after(timeoutMs, onDeadline)
    signal.addEventListener('abort', onStop, { once: true })
    if (signal.aborted) onStop()
    try {
      const { headers, body } = requestOf(delivery)
      // Redirects are not followed: the body is meant for this URL only.
      const request = { method: 'POST', headers, body, redirect: 'manual' } as const
      const response = await dial.fetch(url, { ...request, signal: cut.signal })
      const result = readResponse(
        response.status,
        response.headers.get('retry-after') ?? undefined,
        clock.now(),
      )
      if (isKept(delivery.keepResponses ?? 'none', result.kind === 'delivered'))
        result.response = responseFromText(response.headers, await readStart(response))
      else await discard(response)
      return result
    } catch (error) {
      const forbidden = forbiddenResult(error)
      if (forbidden !== null) return forbidden
      const reason = cut.signal.aborted ? String(cut.signal.reason) : `CONNECTION: ${codeOf(error)}`
      return { kind: 'transient', error: reason, statusCode: null }
    } finally {
      deadline.cancel()
      signal.removeEventListener('abort', onStop)
    }
  }

  return { destination: withoutQuery(url), deliver, requestOf, close: async () => {} }
}

/** The code of an error, never its message, which can quote the request. Node's fetch keeps the code in the cause. */
function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'failed'
}
