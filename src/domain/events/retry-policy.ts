// Decides whether a failed attempt is tried again, and when. Never sleeps, never throws dice of its own.

export type RetryPolicy = {
  /** The longest wait before each retry. As many retries as there are waits. */
  delaysMs: readonly number[]
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Schedules that go by a name: the quick one, and that of the Standard Webhooks specification, over three days. */
export const RETRY_PRESETS = {
  seeds: { delaysMs: [SECOND, 2 * SECOND, 4 * SECOND] },
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

/** Three retries within 1, 2 and 4 seconds. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = RETRY_PRESETS.seeds

export type RetryDecision = { kind: 'retry'; atMs: number } | { kind: 'exhausted' }

export function decideRetry(
  policy: RetryPolicy,
  failed: { retryCount: number; now: number; retryAfterMs?: number | undefined; dice: number },
): RetryDecision {
  const delayMs = policy.delaysMs[failed.retryCount]
  if (delayMs === undefined) return { kind: 'exhausted' }
  // Anywhere up to the wait: events that failed together must not return together.
  const jitteredMs = delayMs * (1 - failed.dice)
  // A receiver that names its own wait is believed when it asks for more time, not for less.
  return { kind: 'retry', atMs: failed.now + Math.round(Math.max(jitteredMs, failed.retryAfterMs ?? 0)) }
}
