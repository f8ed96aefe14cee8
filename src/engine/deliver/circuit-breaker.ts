// The circuit breaker of one destination in one process: finds out that the destination is down, and lets the load come back step
// by step. Whether it is down and who probes it is the state that all processes share. Reads no clock: each call passes the time.
import { isDown } from '../../domain/settings/destination.ts'
import type { SharedStates } from './shared-states.ts'

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
 * Five events that failed: the events of one user with a broken handler are fewer. Three attempts without a response: these are
 * hardly ever caused by the event, and an outage has to be noticed by the process that meets it with one event. The longest wait is
 * shorter than a minute, the time between two runs of a serverless scheduler: otherwise only every second run would probe.
 */
export const BREAKER: BreakerSettings = {
  failures: 5,
  unresponsive: 3,
  firstWaitMs: 1_000,
  longestWaitMs: 30_000,
}

/** The end of an outage of up to ten minutes is noticed within two seconds, at the cost of one request a second. */
const PROBES_IN_AN_OUTAGE = 300

/**
 * `responded` is false if the receiver did not respond, or if a proxy responded in its place. `isLocal`: the failure is about this
 * process, not about the destination for all. `inFlight`: other sends; with many, a few failures in a row happen by chance.
 */
export type FailedSend = {
  eventId: string
  error: string
  responded: boolean
  isLocal: boolean
  inFlight: number
  retryAfterMs?: number | undefined
}

export type Breaker = {
  /** How many sends may be in flight now: none while the destination is down, one if this process probes it. */
  allowance(now: number): number
  /** The destination is up, and nothing has failed since the last success. */
  isHealthy(now: number): boolean
  /** True if it is the first success since the destination was down. */
  onSuccess(now: number): boolean
  onFailure(now: number, failure: FailedSend): void
}

/** The load is unlimited again when this many sends may be in flight. */
const RECOVERED = 128

export function createBreaker(
  { failures, unresponsive: mostUnresponsive, firstWaitMs, longestWaitMs }: BreakerSettings,
  states: SharedStates,
  channelId: string,
): Breaker {
  /** The events that failed since the last success. */
  const failed = new Set<string>()
  let unresponsive = 0
  /** How many sends may be in flight after an outage; unlimited otherwise. */
  let window = Number.POSITIVE_INFINITY

  function reset(to: number): void {
    failed.clear()
    unresponsive = 0
    window = to
  }

  /** The state now, with the window that belongs to it. */
  function follow(now: number): 'up' | 'down' | 'probing' {
    const state = states.of(channelId)
    if (isDown(state, now)) {
      reset(1)
      return states.isProber(channelId, now) ? 'probing' : 'down'
    }
    // Nobody has probed it for long, or the clock was set back: nothing is known of the present.
    if (state.downSince !== null && Number.isFinite(window)) reset(Number.POSITIVE_INFINITY)
    return 'up'
  }

  function waitMs(now: number): number {
    const state = states.of(channelId)
    const outageMs = isDown(state, now) ? now - state.downSince : 0
    return Math.min(Math.max(outageMs / PROBES_IN_AN_OUTAGE, firstWaitMs), longestWaitMs)
  }

  return {
    allowance(now) {
      const state = follow(now)
      return state === 'down' ? 0 : window
    },

    isHealthy: (now) => follow(now) === 'up' && failed.size === 0,

    onSuccess(now) {
      const state = follow(now)
      // Only a probe shows that it is up, not a late response to a send from before the outage was found. A probe may have taken
      // longer than its claim.
      if (state === 'down' && !states.awaitsProbe(channelId)) return false
      if (state !== 'up') states.markUp(channelId, now)
      reset(window * 2 >= RECOVERED ? Number.POSITIVE_INFINITY : window * 2)
      return state !== 'up'
    },

    onFailure(now, { eventId, error, responded, isLocal, inFlight, retryAfterMs = 0 }) {
      const state = follow(now)
      // This send started before the outage was found.
      if (state === 'down') return
      if (Number.isFinite(window)) window = Math.max(1, Math.floor(window / 2))
      failed.add(eventId)
      unresponsive = responded ? 0 : unresponsive + 1
      // One failure after an outage is not another outage: several processes send their first message then.
      const isFound =
        state === 'probing' ||
        failed.size >= Math.max(failures, inFlight + 1) ||
        unresponsive >= Math.max(mostUnresponsive, inFlight + 1)
      const nextProbeAt = Math.ceil(now + Math.max(waitMs(now), retryAfterMs))
      if (isFound) states.markDown({ channelId, at: now, error, nextProbeAt, isLocal })
    },
  }
}
