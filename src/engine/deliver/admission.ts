// Decides whether an event may be sent to its destination now. The only place that does: the channel's status, the circuit
// breaker and the limits are all read here.
import type { Claim, ReadyClaim } from '../../ports/claim.ts'
import type { Dice } from '../../ports/clock.ts'
import type { Breaker } from './circuit-breaker.ts'
import type { Destination } from './destinations.ts'
import type { Limiter } from './limits/limiter.ts'

export type Admission =
  | { kind: 'queue' }
  | Parking
  /** The channel is disabled: the event fails. */
  | { kind: 'reject' }

/** Park the event until it is woken, or can be claimed again at `until`. `forLimit`: the destination takes events, but no more now. */
export type Parking = { kind: 'park'; until: number; forLimit: boolean; destination: Destination }

/** What is known of one destination's traffic. */
export type Traffic = {
  waiting: ReadyClaim[]
  inFlight: number
  breaker: Breaker
  limiter: Limiter
}

type At = { now: number; dice: Dice }
/** `isBatch`: of a queue of messages, whose consumer works on no others and wakes none. */
type OnClaim = At & { isBatch?: boolean }

/** How much of the queue of a destination with `perSecond` stays in memory. The leases of a longer one cost more than its messages. */
const QUEUED_S = 2
/** Of a batch: a run hands over what is sent in a minute. */
const QUEUED_OF_BATCH_S = 60
/** How many events are queued for each send that may be in flight. */
const QUEUED_PER_SLOT = 5

/** How many events are queued for each one that a half-open breaker lets be in flight. */
const AHEAD = 4

/** Queue the event here, park it or reject it. */
export function admit(claim: ReadyClaim, destination: Destination, traffic: Traffic, at: OnClaim): Admission {
  if (destination.status === 'DISABLED') return { kind: 'reject' }
  if (destination.status === 'HELD') return parkUnsent(claim, destination, at)
  const { waiting, inFlight, breaker, limiter } = traffic
  // While the breaker is half-open, only a few events wait here; the others come back later.
  if (waiting.length + inFlight >= AHEAD * breaker.allowance(at.now)) {
    const until = parkUntil(claim, destination, traffic, at)
    return { kind: 'park', until, forLimit: false, destination }
  }
  // Not woken here: a worker that has slots finds it.
  if (limiter.isDenied())
    return {
      kind: 'park',
      until: Math.ceil(at.now + DENIED_MS + DENIED_SPREAD_MS * at.dice()),
      forLimit: false,
      destination,
    }
  if (waiting.length >= mostQueued(destination, at.isBatch ? QUEUED_OF_BATCH_S : QUEUED_S))
    return { kind: 'park', until: spreadFrom(limitParkMs(claim), at), forLimit: true, destination }
  return { kind: 'queue' }
}

/** Also for an event without a body. */
export function parkUnsent(claim: Claim, destination: Destination, at: At): Parking {
  const until = spreadFrom(longestParkMs(claim) / 2, at)
  return { kind: 'park', until, forLimit: false, destination }
}

/** How many events to wake. While a limit applies, none before half of the queue is empty: a statement for each event would cost too much. */
export function roomFor(destination: Destination, traffic: Traffic, now: number): number {
  const { waiting, inFlight, breaker, limiter } = traffic
  const most = mostQueued(destination)
  if (destination.status !== 'ACTIVE' || limiter.isDenied() || waiting.length > most / 2) return 0
  return Math.floor(Math.min(AHEAD * breaker.allowance(now) - inFlight, most) - waiting.length)
}

/** How many events of the destination are kept in memory. */
function mostQueued(destination: Destination, seconds = QUEUED_S): number {
  const perSecond = destination.limits.perSecond ?? Infinity
  return Math.max(1, Math.min(perSecond * seconds, mostInFlight(destination) * QUEUED_PER_SLOT))
}

/** How many sends may be in flight by the settings of the channel, and of this process. */
function mostInFlight({ limits, localConcurrency }: Destination): number {
  return Math.min(limits.concurrency ?? Infinity, localConcurrency ?? Infinity)
}

/** Whether nothing may be sent to the destination: queued events must be admitted again. */
export function isBlocked(destination: Destination, { breaker, limiter }: Traffic, now: number): boolean {
  return destination.status !== 'ACTIVE' || breaker.allowance(now) === 0 || limiter.isDenied()
}

/** Whether the destination has a limit of its own, which bounds its queue in `admit`. */
export function isLimited(destination: Destination, { breaker }: Traffic, now: number): boolean {
  const most = Math.min(mostInFlight(destination), breaker.allowance(now))
  return destination.limits.perSecond !== null || Number.isFinite(most)
}

/** Whether one more send may start now. */
export function mayStart(destination: Destination, traffic: Traffic, now: number): boolean {
  if (isBlocked(destination, traffic, now)) return false
  const { breaker, limiter, inFlight } = traffic
  const most = Math.min(breaker.allowance(now), mostInFlight(destination))
  return inFlight < most && limiter.mayStart(destination.limits, inFlight)
}

/** When an event of a destination that is down or held is tried again, unless it is woken before. */
export function parkUntil(claim: ReadyClaim, destination: Destination, traffic: Traffic, at: At): number {
  const isSuspected =
    destination.status === 'ACTIVE' && traffic.breaker.allowance(at.now) === Number.POSITIVE_INFINITY
  const waitMs = isSuspected && claim.parkCount < SUSPECTED_PARKS ? SUSPECTED_MS : longestParkMs(claim) / 2
  return spreadFrom(waitMs, at)
}

/**
 * An event that got no response is soon tried again while the circuit breaker is closed: either it is delivered, or the
 * breaker opens. Limited, because each process has a breaker of its own, and a serverless one may forget it.
 */
const SUSPECTED_MS = 1_000
const SUSPECTED_PARKS = 10

/** Between once and twice the wait from now. */
function spreadFrom(waitMs: number, { now, dice }: At): number {
  return Math.ceil(now + waitMs + waitMs * dice())
}

/**
 * The longest wait of a parked event that nothing wakes: a minute at first, about an eighth of the outage later, 5 min at
 * most, so that a million events parked for a day do not overload the database.
 */
const PARKED_MS = 60_000
const LONGEST_PARKED_MS = 300_000

/** How long an event is parked while the worker gets no slot. */
const DENIED_MS = 1_000
const DENIED_SPREAD_MS = 5_000

/** The shortest wait of an event that nothing wakes when there is room: half a minute at first, twice as long each time, 8 min at most. */
const LIMIT_PARK_MS = 30_000
const DOUBLED_AT_MOST = 4

const limitParkMs = ({ parkCount }: Claim) => LIMIT_PARK_MS * 2 ** Math.min(parkCount, DOUBLED_AT_MOST)

/** Grows from the fifth time on that an event is parked. */
function longestParkMs({ parkCount }: Claim): number {
  const times = Math.max(0, parkCount - 4)
  return Math.min(PARKED_MS * 1.15 ** times, LONGEST_PARKED_MS)
}
