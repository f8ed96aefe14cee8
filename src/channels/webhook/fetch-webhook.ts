// The webhook for runtimes that have `fetch` and no sockets, with the headers, limits and results of webhook.ts. The platform
// resolves names, so only the host name in the URL can be checked.
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { whatIsPrivate } from '../dial/target.ts'
import { headersFrom } from './headers.ts'
import { readResponse } from './response.ts'

export type FetchWebhookSettings = {
  url: string
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
  /** Every one signs each delivery: two during a rotation, none for unsigned deliveries. */
  secrets: readonly string[]
  /** `public` sends to no host that the URL itself shows to be private. */
  guard: 'public' | 'any'
}

/** The part of `fetch` that every runtime has. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const RESPONSE_LIMIT = 64 * 1024

export function createFetchWebhook(
  deps: { clock: Clock; fetch: Fetch },
  settings: FetchWebhookSettings,
): Channel {
  const { clock, fetch } = deps
  const { url, timeoutMs } = settings
  const headersOf = headersFrom(clock, settings.secrets)
  const forbidden = settings.guard === 'any' ? null : whatIsPrivate(new URL(url).hostname)

  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    if (forbidden !== null)
      return { kind: 'permanent', error: `FORBIDDEN_TARGET: the target is ${forbidden}`, statusCode: null }
    const cut = new AbortController()
    const onStop = () => cut.abort('CONNECTION: given up')
    const onDeadline = () => cut.abort(`TIMEOUT: no response within ${timeoutMs} ms`)
    const deadline = clock.after(timeoutMs, onDeadline)
    signal.addEventListener('abort', onStop, { once: true })
    if (signal.aborted) onStop()
    try {
      const headers = headersOf(delivery)
      // Redirects are not followed: the body is meant for this URL only.
      const request = { method: 'POST', headers, body: delivery.body, redirect: 'manual' } as const
      const response = await fetch(url, { ...request, signal: cut.signal })
      const result = readResponse(
        response.status,
        response.headers.get('retry-after') ?? undefined,
        clock.now(),
      )
      await drain(response)
      return result
    } catch (error) {
      const reason = cut.signal.aborted ? String(cut.signal.reason) : `CONNECTION: ${codeOf(error)}`
      return { kind: 'transient', error: reason, statusCode: null }
    } finally {
      deadline.cancel()
      signal.removeEventListener('abort', onStop)
    }
  }

  return { deliver, close: async () => {} }
}

/** Reads a short response to its end, so that its connection can be used again. An error here does not change the result. */
async function drain(response: Response): Promise<void> {
  let read = 0
  try {
    // Leaving the loop cancels the rest.
    for await (const chunk of response.body ?? []) {
      read += chunk.length
      if (read > RESPONSE_LIMIT) return
    }
  } catch {
    return
  }
}

/** The code of an error, never its message, which can quote the request. Node's fetch keeps the code in the cause. */
function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'failed'
}
