// What an HTTP answer means for a delivery.
import type { DeliveryResult } from '../../ports/channel.ts'

const TOO_EARLY = 425

/** Not done, but another time it may be: timed out, too early, too many, or the far side's own trouble. */
const TRANSIENT = new Set([408, TOO_EARLY, 429])

/** A receiver may ask for a pause, but not for so long that the event is as good as lost. */
const LONGEST_PAUSE_MS = 24 * 60 * 60 * 1000

export function readAnswer(statusCode: number, retryAfter: string | undefined, now: number): DeliveryResult {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode }
  const error = `HTTP ${statusCode}`
  if (statusCode >= 500 || TRANSIENT.has(statusCode)) {
    const retryAfterMs = readRetryAfter(retryAfter, now)
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

/** Seconds, or a date of HTTP. Anything else is as if it were not there. */
function readRetryAfter(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return ms > 0 ? Math.min(ms, LONGEST_PAUSE_MS) : null
}
