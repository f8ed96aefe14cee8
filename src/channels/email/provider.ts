// Delivers through a mail provider's HTTP API, by the fetch it is given: runs on Node and on Workers alike.
import { parseRetryAfter } from '../../domain/events/retry-policy.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { composeMail, type Mail } from './mail.ts'
import type { MailSender } from './mail-sender.ts'

/** How one provider is asked, and what its answers mean. Pure. */
export type MailProvider = {
  request(mail: Mail): { url: string; headers: Record<string, string>; body: string }
  read(answer: ProviderAnswer): DeliveryResult
}

export type ProviderAnswer = {
  statusCode: number
  retryAfterMs: number | null
  /** At most ANSWER_LIMIT of it; what came, if it broke off. */
  text: string
}

/** As every runtime has it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type ProviderSettings = MailSender & {
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
}

const ANSWER_LIMIT = 64 * 1024

export function createMailApi(
  deps: { clock: Clock; fetch: Fetch },
  provider: MailProvider,
  settings: ProviderSettings,
): Channel {
  const { clock, fetch } = deps
  const { timeoutMs } = settings

  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    const composed = composeMail(delivery, settings)
    if (!composed.ok) return { kind: 'permanent', error: composed.error, statusCode: null }
    const cut = new AbortController()
    const onStop = () => cut.abort('CONNECTION: given up')
    const onDeadline = () => cut.abort(`TIMEOUT: no answer within ${timeoutMs} ms`)
    const deadline = clock.after(timeoutMs, onDeadline)
    signal.addEventListener('abort', onStop, { once: true })
    if (signal.aborted) onStop()
    try {
      const { url, headers, body } = provider.request(composed.mail)
      // A redirect is not followed: the key and the mail are meant for this address alone.
      const request = { method: 'POST', headers, body, redirect: 'manual', signal: cut.signal } as const
      const response = await fetch(url, request)
      const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), clock.now())
      return provider.read({ statusCode: response.status, retryAfterMs, text: await readStart(response) })
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

/** The status is the answer: a body that breaks off, trickles until the deadline or never ends changes nothing. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let read = 0
  try {
    // Leaving the loop cancels the rest.
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk.subarray(0, ANSWER_LIMIT - read), { stream: true })
      read += chunk.length
      if (read >= ANSWER_LIMIT) break
    }
  } catch {
    return text
  }
  return text
}

/** The code of a failure, never its text: that can quote what was sent. Node's fetch keeps it in the cause. */
function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'failed'
}
