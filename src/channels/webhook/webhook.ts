// Delivers by POST to one URL, on connections kept open. Follows no redirect and reads little of the answer.
import { Agent, request } from 'undici'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { readAnswer } from './answer.ts'

export type WebhookSettings = {
  url: string
  /** From the first byte sent to the last byte read. */
  timeoutMs: number
  connections: number
}

const ANSWER_LIMIT = 64 * 1024

export function createWebhook(clock: Clock, settings: WebhookSettings): Channel {
  const { url, timeoutMs } = settings
  const agent = new Agent({ connections: settings.connections, connect: { timeout: timeoutMs } })

  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    const cut = new AbortController()
    const onStop = () => cut.abort()
    signal.addEventListener('abort', onStop, { once: true })
    const deadline = clock.after(timeoutMs, () => cut.abort(TIMED_OUT))
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-idempotency-key': delivery.idempotencyKey },
        body: delivery.body,
        signal: cut.signal,
      })
      await answer.body.dump({ limit: ANSWER_LIMIT })
      return readAnswer(answer.statusCode, firstOf(answer.headers['retry-after']), clock.now())
    } catch (error) {
      return { kind: 'transient', error: describe(error, timeoutMs), statusCode: null }
    } finally {
      deadline.cancel()
      signal.removeEventListener('abort', onStop)
    }
  }

  return { deliver, close: () => agent.close() }
}

const TIMED_OUT = Symbol('timed out')

/** The code of the failure, never its text: that can quote what was sent. */
function describe(error: unknown, timeoutMs: number): string {
  if (error === TIMED_OUT) return `TIMEOUT: no answer within ${timeoutMs} ms`
  const code = (error as { code?: unknown }).code
  return `CONNECTION: ${typeof code === 'string' ? code : 'failed'}`
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
