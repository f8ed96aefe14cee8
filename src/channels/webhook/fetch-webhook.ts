// The webhook for runtimes that have `fetch` and no sockets. Same headers, same limits, same meaning of answers; but names
// are looked up by the platform, so that of the target only what its spelling says can be checked.
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { headersFrom } from './headers.ts'
import { readAnswer } from './response.ts'
import { whatIsPrivate } from './target.ts'

export type FetchWebhookSettings = {
  url: string
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
  /** Each of them signs every delivery: two while one takes over from the other, none for unsigned deliveries. */
  secrets: readonly string[]
  /** `public` sends to no host that is private in its own spelling. */
  guard: 'public' | 'any'
}

/** As every runtime has it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const ANSWER_LIMIT = 64 * 1024

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
    const onDeadline = () => cut.abort(`TIMEOUT: no answer within ${timeoutMs} ms`)
    const deadline = clock.after(timeoutMs, onDeadline)
    signal.addEventListener('abort', onStop, { once: true })
    if (signal.aborted) onStop()
    try {
      const headers = headersOf(delivery)
      // A body meant for one address is not carried to another.
      const request = { method: 'POST', headers, body: delivery.body, redirect: 'manual' } as const
      const response = await fetch(url, { ...request, signal: cut.signal })
      const result = readAnswer(
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

/** Reads a short answer to its end, so that its connection can be used again. The status has been given: nothing here changes it. */
async function drain(response: Response): Promise<void> {
  let read = 0
  try {
    // Leaving the loop cancels the rest.
    for await (const chunk of response.body ?? []) {
      read += chunk.length
      if (read > ANSWER_LIMIT) return
    }
  } catch {
    return
  }
}

/** The code of a failure, never its text: that can quote what was sent. Node's fetch keeps it in the cause. */
function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'failed'
}
