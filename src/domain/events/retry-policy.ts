// Decides whether a failed attempt is retried, and when. Never sleeps; its randomness is an argument.

export type RetryPolicy = {
  /** The shortest wait before each retry. As many retries as there are waits. */
  delaysMs: readonly number[]
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Named schedules: `standard` is the one of the Standard Webhooks specification, over three days. */
export const RETRY_PRESETS = {
  quick: { delaysMs: [SECOND, 2 * SECOND, 4 * SECOND] },
  standard: {
    delaysMs: [
      5 * SECOND,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
    ],
  },
} as const satisfies Record<string, RetryPolicy>

/** The waits of `quick`, and three longer ones: 12 min 37 s at least, so that a receiver may be restarted meanwhile. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  delaysMs: [...RETRY_PRESETS.quick.delaysMs, 30 * SECOND, 2 * MINUTE, 10 * MINUTE],
}

/** The longest wait is this many times the shortest. */
export const JITTER = 1.5

export type RetryDecision = { kind: 'retry'; atMs: number } | { kind: 'exhausted' }

export function decideRetry(
  policy: RetryPolicy,
  failed: { retryCount: number; now: number; retryAfterMs?: number | undefined; dice: number },
): RetryDecision {
  const delayMs = policy.delaysMs[failed.retryCount]
  if (delayMs === undefined) return { kind: 'exhausted' }
  // Events that failed together must not retry together. The jitter only lengthens the wait: with full jitter (a random wait up
  // to the delay) 85 % of events did not survive an outage of 5 s on 1, 2 and 4 s.
  const jitteredMs = delayMs * (1 + (JITTER - 1) * failed.dice)
  // Retry-After may lengthen the wait, never shorten it.
  return { kind: 'retry', atMs: failed.now + Math.round(Math.max(jitteredMs, failed.retryAfterMs ?? 0)) }
}

/** A longer Retry-After is cut to this, so that a receiver cannot postpone an event until it is worthless. */
const MAX_RETRY_AFTER_MS = 24 * HOUR

/** Reads the HTTP header Retry-After: seconds or an HTTP date. Null for any other text. */
export function parseRetryAfter(text: string | null | undefined, now: number): number | null {
  if (text === null || text === undefined) return null
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null
}
