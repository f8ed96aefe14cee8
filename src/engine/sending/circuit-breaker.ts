// The circuit breaker of one destination: closed, open after a run of failures, half-open while the load comes back step by
// step. Reads no clock: each call passes the time.

export type BreakerSettings = {
  /** This many failures in a row open the breaker; more are needed while more sends are in flight. */
  failures: number
  /** This many failures without any response open it: they are hardly ever caused by the event. */
  unanswered: number
  /** How long it stays open at first; doubled with each failed probe. */
  firstWaitMs: number
  longestWaitMs: number
}

const FAILURES = 5

/**
 * No event may use up its attempts on a destination that never responds, so the breaker opens after at most as many
 * failures without a response as one event has attempts. A single failure proves nothing: two are the least.
 */
export function breakerFor(attempts: number): BreakerSettings {
  const unanswered = Math.max(2, Math.min(FAILURES, attempts))
  return { failures: FAILURES, unanswered, firstWaitMs: 1_000, longestWaitMs: 60_000 }
}

export type BreakerState = 'closed' | 'open' | 'half-open'

export type Failure = { answered: boolean; retryAfterMs?: number | undefined }

/** Other sends in flight to the destination. With many in flight, a few failures in a row happen by chance. */
export type Load = { inFlight: number }

export type Breaker = {
  state(): BreakerState
  /** How many sends may be in flight now; none while it is open. */
  allowance(now: number): number
  /** The earliest time to ask again for an event that may not be sent now. */
  retryAt(now: number): number
  onSuccess(): void
  onFailure(now: number, failure: Failure, load: Load): void
}

/** A half-open breaker closes when this many sends may be in flight. */
const RECOVERED = 128

export function createBreaker(settings: BreakerSettings): Breaker {
  let failures = 0
  let unanswered = 0
  let waitMs = settings.firstWaitMs
  /** Null while closed or half-open. */
  let openUntil: number | null = null
  /** How many sends may be in flight while half-open; unlimited when closed. */
  let window = Number.POSITIVE_INFINITY

  return {
    state() {
      if (openUntil !== null) return 'open'
      return window === Number.POSITIVE_INFINITY ? 'closed' : 'half-open'
    },

    allowance(now) {
      if (openUntil !== null && now >= openUntil) {
        openUntil = null
        window = 1
      }
      return openUntil === null ? window : 0
    },

    retryAt: (now) => Math.max(openUntil ?? 0, now + waitMs),

    onSuccess() {
      failures = 0
      unanswered = 0
      // Only a probe closes the breaker, not a late response to a send from before it opened.
      if (openUntil !== null) return
      waitMs = settings.firstWaitMs
      window = window * 2 >= RECOVERED ? Number.POSITIVE_INFINITY : window * 2
    },

    onFailure(now, { answered, retryAfterMs = 0 }, { inFlight }) {
      failures += 1
      unanswered = answered ? 0 : unanswered + 1
      // This send started before the breaker opened.
      if (openUntil !== null) return
      if (window === Number.POSITIVE_INFINITY) {
        const many = inFlight + 1
        const isDown =
          failures >= Math.max(settings.failures, many) || unanswered >= Math.max(settings.unanswered, many)
        if (isDown) openUntil = now + Math.max(waitMs, retryAfterMs)
      } else if (window > 1) {
        window = Math.floor(window / 2)
      } else {
        waitMs = Math.min(waitMs * 2, settings.longestWaitMs)
        openUntil = now + Math.max(waitMs, retryAfterMs)
      }
    },
  }
}
