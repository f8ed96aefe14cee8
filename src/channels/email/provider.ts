// Delivers through a mail provider's HTTP API. Runs on Node and on Workers, with the dial of the runtime.
import { isKept, responseFromText } from '../../domain/events/exchange.ts'
import { parseRetryAfter } from '../../domain/events/retry-policy.ts'
import { withoutQuery } from '../../domain/settings/channel.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Dial } from '../dial/dial.ts'
import { post } from '../dial/post.ts'
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
  const { timeoutMs } = settings

  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    const composed = composeMail(delivery, settings)
    if (!composed.ok) return { kind: 'permanent', error: composed.error, statusCode: null }
    const request = { url: provider.url, ...provider.request(composed.mail), timeoutMs, signal }
    return post(deps, request, async (response) => {
      const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), deps.clock.now())
      const text = await readStart(response)
      const result = provider.read({ statusCode: response.status, retryAfterMs, text })
      if (isKept(delivery.keepResponses ?? 'none', result.kind === 'delivered'))
        result.response = responseFromText(response.headers, text)
      return result
    })
  }

  return { destination: withoutQuery(provider.url), deliver, close: async () => {} }
}
