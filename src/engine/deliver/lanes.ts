// Decides which lanes a claim takes events of, and how many: the only place that does. Pure: the status of the channels, the circuit
// breakers and the limits are read here, and nothing is kept.
import { type LaneLimits, laneOf } from '../../domain/events/lane.ts'
import type { ReadyClaim } from '../../ports/claim.ts'
import type { Breaker } from './circuit-breaker.ts'
import type { Destination } from './destinations.ts'
import type { Limiter } from './limits/limiter.ts'

/** What is known of one destination's traffic. */
export type Traffic = {
  waiting: ReadyClaim[]
  inFlight: number
  breaker: Breaker
  limiter: Limiter
}

/** How many events may be claimed for a destination now. */
export type Room = { destination: Destination; events: number }

/** How much of the queue of a destination with `perSecond` stays in memory. The leases of a longer one cost more than its messages. */
const QUEUED_S = 2
/** How many events are queued for each send that may be in flight. */
const QUEUED_PER_SLOT = 5
/** How many events are held for each one that a circuit breaker lets be in flight after an outage. */
const AHEAD = 4

/** Whether nothing may be sent to the destination. */
export function isBlocked({ status }: Destination, { breaker, limiter }: Traffic, now: number): boolean {
  return status !== 'ACTIVE' || breaker.allowance(now) === 0 || limiter.isDenied()
}

/** Whether the destination has a limit of its own, which bounds its queue. */
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

/**
 * How many events to claim for a destination. `capacity`: how many the process can use of one without a limit. A claim is worth its
 * cost only with room for half of the queue, or as a probe.
 */
export function roomOf(
  destination: Destination,
  traffic: Traffic,
  at: { now: number; capacity: number },
): number {
  if (isBlocked(destination, traffic, at.now)) return 0
  const { waiting, inFlight, breaker } = traffic
  const allowance = breaker.allowance(at.now)
  if (allowance === 1) return Math.max(0, 1 - waiting.length - inFlight)
  const most = Math.min(
    isLimited(destination, traffic, at.now) ? mostQueued(destination) : at.capacity,
    AHEAD * allowance,
  )
  const room = Math.floor(Math.min(most, AHEAD * allowance - inFlight) - waiting.length)
  return waiting.length > most / 2 ? 0 : Math.max(0, room)
}

/** How many events of the destination are kept in memory. */
function mostQueued(destination: Destination): number {
  const perSecond = destination.limits.perSecond ?? Infinity
  return Math.max(1, Math.min(perSecond * QUEUED_S, mostInFlight(destination) * QUEUED_PER_SLOT))
}

/** How many sends may be in flight by the settings of the channel, and of this process. */
function mostInFlight({ limits, localConcurrency }: Destination): number {
  return Math.min(limits.concurrency ?? Infinity, localConcurrency ?? Infinity)
}

type Asked = {
  rooms: readonly Room[]
  /** The destination of events whose occasion names none. */
  byDefault: Destination
  /** The lanes that had more due than the last claim of them took. */
  backlog: ReadonlySet<number>
  /** How many events are claimed in all. */
  limit: number
  /** Of events without a channel, only those of these types. */
  types?: readonly string[] | undefined
}

/**
 * The lanes of a claim. Lanes with a backlog share it, after the others: a message that is due in another lane is claimed at once,
 * however many are due in those.
 */
export function lanesFor({ rooms, byDefault, backlog, limit, types }: Asked): LaneLimits {
  const roomOfDefault = rooms.find(({ destination }) => destination.id === byDefault.id)?.events ?? 0
  const byLane = new Map(rooms.map(({ destination, events }) => [laneOfChannel(destination.id), events]))
  const each = Math.ceil(limit / (backlog.size + 1))
  const share = Math.ceil(limit / Math.max(1, backlog.size))
  const listed = new Map<number, number>()
  for (const type of types ?? []) listed.set(laneOf({ channelId: null, type }), Math.min(each, roomOfDefault))
  for (const [lane, events] of byLane) if (events < each) listed.set(lane, events)
  for (const lane of backlog) {
    if (lane < 0 && types !== undefined && !listed.has(lane)) continue
    const room = lane < 0 ? roomOfDefault : (byLane.get(lane) ?? roomOfDefault)
    listed.delete(lane)
    listed.set(lane, Math.min(share, room))
  }
  const ofDefault = types === undefined ? Math.min(each, roomOfDefault) : 0
  return { ofChannels: each, ofDefault, listed: [...listed] }
}

/** Only the lanes of one destination. */
export function lanesOf(
  { id }: Destination,
  { byDefault, types, limit }: Omit<Asked, 'rooms' | 'backlog'>,
): LaneLimits {
  const own = laneOfChannel(id)
  if (id !== byDefault.id) return { ofChannels: 0, ofDefault: 0, listed: [[own, limit]] }
  const ofTypes = (types ?? []).map((type) => [laneOf({ channelId: null, type }), limit] as const)
  return { ofChannels: 0, ofDefault: types === undefined ? limit : 0, listed: [[own, limit], ...ofTypes] }
}

/** The lanes that a claim leaves out, but those of other types. */
export function closedLanes({ ofDefault, listed }: LaneLimits, types?: readonly string[]): LaneLimits {
  const closed = listed.map(([lane, limit]) => [lane, limit === 0 ? 1 : 0] as const)
  return { ofChannels: 0, ofDefault: ofDefault === 0 && types === undefined ? 1 : 0, listed: closed }
}

const laneOfChannel = (channelId: string) => laneOf({ channelId, type: '' })

/** The lanes with a backlog after a claim: those of which it took as many as it could. */
export function backlogAfter(
  before: ReadonlySet<number>,
  asked: LaneLimits & { limit: number },
  claims: readonly { occasion: { channelId: string | null; type: string } }[],
): Set<number> {
  const taken = new Map<number, number>()
  for (const { occasion } of claims) {
    const lane = laneOf(occasion)
    taken.set(lane, (taken.get(lane) ?? 0) + 1)
  }
  const isFull = claims.length >= asked.limit
  const limits = new Map(asked.listed)
  const limitOf = (lane: number) => limits.get(lane) ?? (lane < 0 ? asked.ofDefault : asked.ofChannels)
  // A lane that this claim did not ask for, or was too full for, still has its backlog.
  const after = new Set([...before].filter((lane) => isFull || limitOf(lane) === 0))
  for (const [lane, count] of taken) if (isFull || count >= limitOf(lane)) after.add(lane)
  return after
}

/** Whether a lane that had no room has room now. */
export function opensLane(before: LaneLimits, now: LaneLimits): boolean {
  if (before.ofDefault === 0 && now.ofDefault > 0) return true
  const limits = new Map(now.listed)
  const limitOf = (lane: number) => limits.get(lane) ?? (lane < 0 ? now.ofDefault : now.ofChannels)
  return before.listed.some(([lane, limit]) => limit === 0 && limitOf(lane) > 0)
}

/** Whether a claim of these lanes finds more of a backlog: so many of one lane at least. */
export function hasBacklog({ listed }: LaneLimits, backlog: ReadonlySet<number>, least = 1): boolean {
  return listed.some(([lane, limit]) => limit >= least && backlog.has(lane))
}
