// Decides whether a failed attempt is tried again, and when. Never sleeps, never throws dice of its own.

export type RetryPolicy = {
  /** The wait before each retry. Its length is the number of retries. */
  delaysMs: readonly number[]
}

/** Three retries after 1, 2 and 4 seconds. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = { delaysMs: [1_000, 2_000, 4_000] }

/** Up to this share is added to each wait, so that events that failed together do not return together. */
const SPREAD = 0.1

export type RetryDecision = { kind: 'retry'; atMs: number } | { kind: 'exhausted' }

export function decideRetry(
  policy: RetryPolicy,
  failed: { retryCount: number; now: number; retryAfterMs?: number | undefined; dice: number },
): RetryDecision {
  const delayMs = policy.delaysMs[failed.retryCount]
  if (delayMs === undefined) return { kind: 'exhausted' }
  const spreadMs = delayMs * (1 + SPREAD * failed.dice)
  // A receiver that names its own wait is believed when it asks for more time, not for less.
  return { kind: 'retry', atMs: failed.now + Math.round(Math.max(spreadMs, failed.retryAfterMs ?? 0)) }
}
