// One request and its response. Ends once, with the status if one came: a later failure changes nothing.
import type { Dispatcher } from 'undici'
import { BODY_READ_BYTES, isKept, type KeepResponses, responseFrom } from '../../domain/events/exchange.ts'
import type { DeliveryResult } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { forbiddenResult } from '../dial/dial.ts'
import { readResponse } from './response.ts'

const RESPONSE_LIMIT = 64 * 1024
const MOST_INTERIM = 20

export class WebhookExchange implements Dispatcher.DispatchHandler {
  private readonly clock: Clock
  private readonly onEnd: (result: DeliveryResult, isReusable: boolean) => void
  private controller: Dispatcher.DispatchController | null = null
  private statusResult: DeliveryResult | null = null
  private read = 0
  private interim = 0
  private readonly keep: KeepResponses
  /** Null if the response is not kept. */
  private kept: { headers: Headers; start: Buffer } | null = null
  hasEnded = false

  /** `isReusable`: the response has ended, and its connection can be used again. */
  constructor(
    clock: Clock,
    onEnd: (result: DeliveryResult, isReusable: boolean) => void,
    keep: KeepResponses = 'none',
  ) {
    this.clock = clock
    this.onEnd = onEnd
    this.keep = keep
  }

  abort(error: string): void {
    this.end({ kind: 'transient', error, statusCode: null })
    this.controller?.abort(new Error(error))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.hasEnded) controller.abort(new Error('aborted before it was sent'))
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: Headers): void {
    // An interim response, such as 103, is not the result.
    if (statusCode < 200) {
      this.interim += 1
      if (this.interim > MOST_INTERIM) this.abort('CONNECTION: too many interim responses')
      return
    }
    const result = readResponse(statusCode, firstOf(headers['retry-after']), this.clock.now())
    this.statusResult = result
    if (isKept(this.keep, result.kind === 'delivered')) this.kept = { headers, start: EMPTY }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.read += chunk.length
    const { kept } = this
    if (kept !== null && kept.start.length < BODY_READ_BYTES)
      kept.start = kept.start.length === 0 ? chunk : Buffer.concat([kept.start, chunk])
    if (this.read <= RESPONSE_LIMIT) return
    this.end(this.statusResult!)
    controller.abort(new Error('the response is too long'))
  }

  onResponseEnd(): void {
    this.end(this.statusResult!, true)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.end(readFailure(error))
  }

  private end(result: DeliveryResult, isReusable = false): void {
    if (this.hasEnded) return
    this.hasEnded = true
    const final = this.statusResult ?? result
    if (this.kept !== null) final.response = responseFrom(Object.entries(this.kept.headers), this.kept.start)
    this.onEnd(final, isReusable)
  }
}

type Headers = Record<string, string | string[] | undefined>

const EMPTY = Buffer.alloc(0)

/** The code or the class of an error, never its message, which can quote the request. */
function readFailure(error: Error): DeliveryResult {
  const forbidden = forbiddenResult(error)
  if (forbidden !== null) return forbidden
  const { code } = error as { code?: unknown }
  return {
    kind: 'transient',
    error: `CONNECTION: ${typeof code === 'string' ? code : error.name}`,
    statusCode: null,
  }
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
