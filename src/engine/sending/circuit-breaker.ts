// Tells whether a destination can be sent to. After a run of failures it is left alone, tried with one event at a time,
// and when it answers it gets its load back step by step. Pure: time comes with each question.

export type BreakerSettings = {
  /** So many failures in a row are the destination's fault and not an event's; more of them while more are under way. */
  failures: number
  /** The same for failures without any answer, which hardly ever are an event's. */
  unanswered: number
  /** How long it is left alone at first; doubled with each probe in vain. */
  firstWaitMs: number
  longestWaitMs: number
}

const FAILURES = 5

/**
 * For events tried so often: none may use up its attempts on a destination that does not answer at all, and so fewer
 * failures without an answer than one event has attempts open it. But one alone proves nothing.
 */
export function breakerFor(attempts: number): BreakerSettings {
  const unanswered = Math.max(2, Math.min(FAILURES, attempts))
  return { failures: FAILURES, unanswered, firstWaitMs: 1_000, longestWaitMs: 60_000 }
}

export type BreakerState = 'closed' | 'open' | 'probing'

export type Failure = { answered: boolean; retryAfterMs?: number | undefined }

/** What else is being sent there now. A destination that fails now and then fails so many in a row only if it is down. */
export type Load = { underWay: number }

export type Breaker = {
  state(): BreakerState
  /** How many sends may be under way now; none while it is open. */
  allowance(now: number): number
  /** For what may not be sent now: when to ask again, at the earliest. */
  retryAt(now: number): number
  onSuccess(): void
  onFailure(now: number, failure: Failure, load: Load): void
}

/** From this many at once on, a destination that came back is as good as new. */
const RECOVERED = 128

export function createBreaker(settings: BreakerSettings): Breaker {
  let failures = 0
  let unanswered = 0
  let waitMs = settings.firstWaitMs
  /** Null while closed or on the way back. */
  let openUntil: number | null = null
  /** How many at once on the way back; unlimited when closed. */
  let window = Number.POSITIVE_INFINITY

  return {
    state() {
      if (openUntil !== null) return 'open'
      return window === Number.POSITIVE_INFINITY ? 'closed' : 'probing'
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
      // The last answers of before the outage do not end it: only a probe does.
      if (openUntil !== null) return
      waitMs = settings.firstWaitMs
      window = window * 2 >= RECOVERED ? Number.POSITIVE_INFINITY : window * 2
    },

    onFailure(now, { answered, retryAfterMs = 0 }, { underWay }) {
      failures += 1
      unanswered = answered ? 0 : unanswered + 1
      // What was sent before it opened says nothing new.
      if (openUntil !== null) return
      if (window === Number.POSITIVE_INFINITY) {
        const many = underWay + 1
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
