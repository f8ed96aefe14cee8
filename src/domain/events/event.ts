// One occurrence of an occasion, and the steps it may take. Pure: a step returns the event after it.
import { assertTransition, type EventStatus, isTerminal } from './event-status.ts'

/** What the planner decides: which occurrence, and the instant it falls on. */
export type PlannedEvent = {
  id: string
  occasionId: string
  /** Which one: the local year of a yearly rule. Unique within its occasion, for ever. */
  occurrence: string
  /** The instant the message is due, epoch milliseconds. */
  targetAt: number
  /** Local time minus UTC at that instant, by the table that planned it. */
  offsetSeconds: number
  timezone: string
  tzVersion: string
}

/** An event that sends again what an earlier one failed to bring. */
export type Replay = {
  /** The failed event; null for an original. */
  replayOf: string | null
  /** A replay under a key of its own is news to the receiver; under the original's it is a repetition. */
  ownKey: boolean
}

export const ORIGINAL: Replay = { replayOf: null, ownKey: false }

export type Event = PlannedEvent &
  Replay & {
    userId: string
    eventType: string
    /** Where its occasion is sent now; null for the default channel. */
    channelId: string | null
    status: EventStatus
    /** From when any worker may take it; null once terminal. */
    wakeAt: number | null
    /** The fencing token: rises by one with every change. */
    version: number
    retryCount: number
    claimedBy: string | null
    claimedAt: number | null
    executedAt: number | null
    statusCode: number | null
    failureReason: string | null
    /** The body sent, byte for byte, from the first attempt on. */
    deliveryPayload: string | null
    createdAt: number
    updatedAt: number
  }

/** One try at delivering an event. */
export type Attempt = {
  number: number
  claimedBy: string
  startedAt: number
  finishedAt: number
  outcome: AttemptOutcome
  statusCode: number | null
  error: string | null
}
export const ATTEMPT_OUTCOMES = ['DELIVERED', 'RETRY', 'PARKED', 'FAILED', 'UNKNOWN'] as const
/**
 * PARKED failed too, but with its destination, and does not count against the retries. UNKNOWN is one whose worker was
 * not heard of again: it may have been delivered.
 */
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

/** A planned event as it first stands in the store. */
export function newEvent(
  planned: PlannedEvent,
  of: { userId: string; eventType: string; now: number; channelId?: string | null },
): Event {
  return {
    ...planned,
    ...ORIGINAL,
    userId: of.userId,
    eventType: of.eventType,
    channelId: of.channelId ?? null,
    status: 'PENDING',
    wakeAt: planned.targetAt,
    version: 1,
    retryCount: 0,
    claimedBy: null,
    claimedAt: null,
    executedAt: null,
    statusCode: null,
    failureReason: null,
    deliveryPayload: null,
    createdAt: of.now,
    updatedAt: of.now,
  }
}

/** Takes a due event. A lease that ran out is taken again, which is not a transition. */
export function claim(event: Event, by: { worker: string; now: number; leaseMs: number }): Event {
  const leaseRanOut = event.status === 'PROCESSING' && event.wakeAt !== null && event.wakeAt <= by.now
  if (!leaseRanOut) assertTransition(event.status, 'PROCESSING')
  return {
    ...event,
    status: 'PROCESSING',
    wakeAt: by.now + by.leaseMs,
    version: event.version + 1,
    claimedBy: by.worker,
    claimedAt: by.now,
    updatedAt: by.now,
  }
}

export function markCompleted(event: Event, now: number, statusCode: number | null = null): Event {
  assertTransition(event.status, 'COMPLETED')
  return { ...settled(event, now), status: 'COMPLETED', statusCode }
}

export function markFailed(
  event: Event,
  now: number,
  reason: string,
  statusCode: number | null = null,
): Event {
  assertTransition(event.status, 'FAILED')
  return { ...settled(event, now), status: 'FAILED', failureReason: reason, statusCode }
}

function settled(event: Event, now: number): Event {
  return { ...event, wakeAt: null, executedAt: now, updatedAt: now, version: event.version + 1 }
}

/** The attempt that settled the event is told by the event itself; one that was never sent has none. */
export function settlingAttempt(event: Event, earlier: number): Attempt | null {
  const { status, claimedBy, claimedAt, executedAt, statusCode, failureReason, deliveryPayload } = event
  if (!isTerminal(status) || claimedBy === null || claimedAt === null || executedAt === null) return null
  if (deliveryPayload === null) return null
  return {
    number: earlier + 1,
    claimedBy,
    startedAt: claimedAt,
    finishedAt: executedAt,
    outcome: status === 'COMPLETED' ? 'DELIVERED' : 'FAILED',
    statusCode,
    error: failureReason,
  }
}
