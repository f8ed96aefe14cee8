// Turns an HTTP response into a delivery result.
import { parseRetryAfter } from '../../domain/events/retry-policy.ts'
import type { DeliveryResult } from '../../ports/channel.ts'

const TOO_EARLY = 425

/** May succeed later: timed out, too early, too many requests, or an error of the receiver. */
const TRANSIENT = new Set([408, TOO_EARLY, 429])

export function readResponse(
  statusCode: number,
  retryAfter: string | undefined,
  now: number,
): DeliveryResult {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode }
  const error = `HTTP ${statusCode}`
  if (statusCode >= 500 || TRANSIENT.has(statusCode)) {
    const retryAfterMs = parseRetryAfter(retryAfter, now)
    return {
      kind: 'transient',
      error,
      statusCode,
      ...(retryAfterMs !== null && { retryAfterMs }),
      // The receiver is healthy and still processes an earlier copy of this message.
      ...(statusCode === TOO_EARLY && { about: 'event' }),
    }
  }
  // Redirects included: the body is meant for this URL only.
  return { kind: 'permanent', error, statusCode }
}
