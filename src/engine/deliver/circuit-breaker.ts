// The circuit breaker of one destination in one process: closed, open while the destination is down, half-open while a probe is
// sent and while the load comes back step by step. Reads no clock: each call passes the time.
import { OUTDATED_MS } from '../../domain/settings/destination.ts'

export type BreakerSettings = {
  /** This many events that failed in a row open the breaker; more are needed while more sends are in flight. */
  failures: number
  /** This many attempts in a row without a usable response open it, also if they were attempts at one event. */
  unresponsive: number
  /** The wait between two probes: a 300th of the outage so far, within these limits. */
  firstWaitMs: number
  longestWaitMs: number
}

/**
 * Five events that failed: the events of one user with a broken handler are fewer. Three attempts without a response:
 * these are hardly ever caused by the event, and an outage has to be noticed by the process that meets it with one event.
 */
export const BREAKER: BreakerSettings = {
  failures: 5,
  unresponsive: 3,
  firstWaitMs: 1_000,
  longestWaitMs: 60_000,
}

/**
 * For a consumer of a queue, to which the scheduler sends one probe a minute: a breaker that stays open for a minute would park
 * every second probe.
 */
export const CONSUMER_BREAKER: BreakerSettings = { ...BREAKER, longestWaitMs: 30_000 }

/** The end of an outage of up to ten minutes is noticed within two seconds, at the cost of one request a second. */
const PROBES_IN_AN_OUTAGE = 300

type BreakerState = 'closed' | 'open' | 'half-open'

/** `responded` is false if the receiver did not respond, or if a proxy responded in its place. */
export type FailedSend = { eventId: string; responded: boolean; retryAfterMs?: number | undefined }

/** Other sends in flight to the destination. With many in flight, a few failures in a row happen by chance. */
export type Load = { inFlight: number }

export type Breaker = {
  state(): BreakerState
  /** How many sends may be in flight now; none while it is open. */
  allowance(now: number): number
  /** When the next probe may be sent; null while the breaker is closed. */
  probeAt(now: number): number | null
  /** True if the next success is the first one since the destination was down. */
  isProbing(): boolean
  /** This process may probe the destination until then. */
  onProbe(until: number): void
  /** Another process has found the destination down, or is probing it. */
  onDown(now: number, down: { downSince: number; nextProbeAt: number }): void
  /** Another process has found the destination up. */
  onRecovered(): void
  onSuccess(): void
  /** True if it opened the breaker. */
  onFailure(now: number, failure: FailedSend, load: Load): boolean
}

/** A half-open breaker closes when this many sends may be in flight. */
const RECOVERED = 128

export function createBreaker(settings: BreakerSettings): Breaker {
  /** The events that failed since the last success. */
  const failed = new Set<string>()
  let unresponsive = 0
  /** When the breaker first opened in this outage; null if a send has succeeded since. */
  let downSince: number | null = null
  /** While open: when the destination may be probed. Null while closed or half-open. */
  let openUntil: number | null = null
  let openedAt = 0
  let probeUntil = 0
  /** How many sends may be in flight while half-open; unlimited when closed. */
  let window = Number.POSITIVE_INFINITY

  function waitMs(now: number): number {
    const { firstWaitMs, longestWaitMs } = settings
    return Math.min(Math.max((now - (downSince ?? now)) / PROBES_IN_AN_OUTAGE, firstWaitMs), longestWaitMs)
  }

  function open(now: number, retryAfterMs: number): true {
    openedAt = now
    downSince ??= now
    openUntil = Math.ceil(now + Math.max(waitMs(now), retryAfterMs))
    return true
  }

  function close(): void {
    openUntil = null
    downSince = null
    failed.clear()
    unresponsive = 0
    window = Number.POSITIVE_INFINITY
  }

  function halfOpen(): void {
    openUntil = null
    window = 1
  }

  return {
    state() {
      if (openUntil !== null) return 'open'
      return window === Number.POSITIVE_INFINITY ? 'closed' : 'half-open'
    },

    allowance(now) {
      // The clock was set back: otherwise the breaker would stay open until the old instant.
      if (openUntil !== null && now < openedAt) {
        openUntil -= openedAt - now
        openedAt = now
      }
      if (openUntil !== null && now - openUntil > OUTDATED_MS) close()
      // The probe found no event, or was lost with it: any process may claim the next one.
      if (openUntil === null && downSince !== null && now >= probeUntil) openUntil = probeUntil
      return openUntil === null ? window : 0
    },

    probeAt(now) {
      if (openUntil !== null) return Math.max(openUntil, now)
      return window === Number.POSITIVE_INFINITY ? null : Math.ceil(now + waitMs(now))
    },

    isProbing: () => openUntil === null && downSince !== null,

    onProbe(until) {
      halfOpen()
      probeUntil = until
    },

    onDown(now, down) {
      const isOwnProbe = openUntil === null && downSince !== null && down.nextProbeAt === probeUntil
      if (isOwnProbe) return
      downSince = down.downSince
      openUntil = down.nextProbeAt
      openedAt = now
    },

    onRecovered() {
      downSince = null
      if (openUntil !== null) halfOpen()
    },

    onSuccess() {
      // Only a probe closes the breaker, not a late response to a send from before it opened.
      if (openUntil !== null) return
      downSince = null
      failed.clear()
      unresponsive = 0
      window = window * 2 >= RECOVERED ? Number.POSITIVE_INFINITY : window * 2
    },

    onFailure(now, { eventId, responded, retryAfterMs = 0 }, { inFlight }) {
      // This send started before the breaker opened.
      if (openUntil !== null) return false
      failed.add(eventId)
      unresponsive = responded ? 0 : unresponsive + 1
      if (window === Number.POSITIVE_INFINITY) {
        const many = inFlight + 1
        const isDown =
          failed.size >= Math.max(settings.failures, many) ||
          unresponsive >= Math.max(settings.unresponsive, many)
        return isDown && open(now, retryAfterMs)
      }
      if (window === 1) return open(now, retryAfterMs)
      window = Math.floor(window / 2)
      return false
    },
  }
}
