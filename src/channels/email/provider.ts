// Delivers through a mail provider's HTTP API. Runs on Node and on Workers, with the dial of the runtime.
import { isKept, responseFromText } from '../../domain/events/exchange.ts'
import { parseRetryAfter } from '../../domain/events/retry-policy.ts'
import { withoutQuery } from '../../domain/settings/channel.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Dial, forbiddenResult } from '../dial/dial.ts'
import { readStart } from '../dial/response-text.ts'
import { composeMail, type Mail } from './mail.ts'
import type { MailSender } from './mail-sender.ts'

/** Builds the request for one provider and interprets its response. Pure. */
export type MailProvider = {
  url: string
  request(mail: Mail): { headers: Record<string, string>; body: string }
  read(response: ProviderResponse): DeliveryResult
}

export type ProviderResponse = {
  statusCode: number
  retryAfterMs: number | null
  /** At most 64 kB; shorter if the connection broke off. */
  text: string
}

type ProviderSettings = MailSender & {
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
}

export function createMailApi(
  deps: { clock: Clock; dial: Dial },
  provider: MailProvider,
  settings: ProviderSettings,
): Channel {
  const { clock, dial } = deps
  const { timeoutMs } = settings

  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    const composed = composeMail(delivery, settings)
    if (!composed.ok) return { kind: 'permanent', error: composed.error, statusCode: null }
    const cut = new AbortController()
    const onStop = () => cut.abort('CONNECTION: given up')
    const onDeadline = () => cut.abort(`TIMEOUT: no response within ${timeoutMs} ms`)
    const deadline = clock.after(timeoutMs, onDeadline)
    signal.addEventListener('abort', onStop, { once: true })
    if (signal.aborted) onStop()
    try {
      const { headers, body } = provider.request(composed.mail)
      // Redirects are not followed: the API key and the mail are meant for this host only.
      const request = { method: 'POST', headers, body, redirect: 'manual', signal: cut.signal } as const
      const response = await dial.fetch(provider.url, request)
      const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), clock.now())
      const text = await readStart(response)
      const result = provider.read({ statusCode: response.status, retryAfterMs, text })
      if (isKept(delivery.keepResponses ?? 'none', result.kind === 'delivered'))
        result.response = responseFromText(response.headers, text)
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

  return { destination: withoutQuery(provider.url), deliver, close: async () => {} }
}

/** The code of an error, never its message, which can quote the request. Node's fetch keeps the code in the cause. */
function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'failed'
}
