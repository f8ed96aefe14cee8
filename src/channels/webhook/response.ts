// What an HTTP answer means for a delivery.
import { parseRetryAfter } from '../../domain/events/retry-policy.ts'
import type { DeliveryResult } from '../../ports/channel.ts'

const TOO_EARLY = 425

/** May succeed later: timed out, too early, too many requests, or an error of the receiver. */
const TRANSIENT = new Set([408, TOO_EARLY, 429])

export function readAnswer(statusCode: number, retryAfter: string | undefined, now: number): DeliveryResult {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode }
  const error = `HTTP ${statusCode}`
  if (statusCode >= 500 || TRANSIENT.has(statusCode)) {
    const retryAfterMs = parseRetryAfter(retryAfter, now)
    return {
      kind: 'transient',
      error,
      statusCode,
      ...(retryAfterMs !== null && { retryAfterMs }),
      // A receiver that is well, and at work on an earlier copy of this very message.
      ...(statusCode === TOO_EARLY && { about: 'event' }),
    }
  }
  // Redirects included: a body meant for one address is not carried to another.
  return { kind: 'permanent', error, statusCode }
}
