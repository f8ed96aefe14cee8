// Delivers by POST to one URL, on connections kept open. Follows no redirect and reads little of the answer.
import { Agent, type Dispatcher } from 'undici'
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
  const { timeoutMs } = settings
  const { origin, pathname, search } = new URL(settings.url)
  const target = { origin, path: pathname + search }
  // One deadline of our own covers the whole exchange.
  const agent = new Agent({ connections: settings.connections, headersTimeout: 0, bodyTimeout: 0 })

  // dispatch, not request: without a promise and a stream for each call it sends twice as many a second.
  function deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    return new Promise((resolve) => {
      const exchange = new Exchange(clock, (result) => {
        deadline.cancel()
        signal.removeEventListener('abort', onStop)
        resolve(result)
      })
      const onStop = () => exchange.cut('CONNECTION: given up')
      const deadline = clock.after(timeoutMs, () => exchange.cut(`TIMEOUT: no answer within ${timeoutMs} ms`))
      signal.addEventListener('abort', onStop, { once: true })
      const headers = { 'content-type': 'application/json', 'x-idempotency-key': delivery.idempotencyKey }
      agent.dispatch({ ...target, method: 'POST', headers, body: delivery.body }, exchange)
    })
  }

  return { deliver, close: () => agent.close() }
}

/** One request and its answer. Ends once, with the status if one came: what is wrong after it changes nothing. */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly clock: Clock
  private readonly onEnd: (result: DeliveryResult) => void
  private controller: Dispatcher.DispatchController | null = null
  private answer: DeliveryResult | null = null
  private read = 0
  private ended = false

  constructor(clock: Clock, onEnd: (result: DeliveryResult) => void) {
    this.clock = clock
    this.onEnd = onEnd
  }

  cut(error: string): void {
    this.end({ kind: 'transient', error, statusCode: null })
    this.controller?.abort(new Error(error))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.ended) controller.abort(new Error('given up before it was sent'))
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // A promise of an answer, such as 103, is not the answer.
    if (statusCode >= 200)
      this.answer = readAnswer(statusCode, firstOf(headers['retry-after']), this.clock.now())
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.read += chunk.length
    if (this.read <= ANSWER_LIMIT) return
    this.end(this.answer!)
    controller.abort(new Error('the answer is too long'))
  }

  onResponseEnd(): void {
    this.end(this.answer!)
  }

  /** The code of the failure, never its text: that can quote what was sent. */
  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const { code } = error as { code?: unknown }
    const reason = typeof code === 'string' ? code : 'failed'
    this.end({ kind: 'transient', error: `CONNECTION: ${reason}`, statusCode: null })
  }

  private end(result: DeliveryResult): void {
    if (this.ended) return
    this.ended = true
    this.onEnd(this.answer ?? result)
  }
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
