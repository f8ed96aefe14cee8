// One occurrence of an occasion as it is stored, and its attempts. The stores change its status, within event-status.ts.
import { type EventStatus, isTerminal } from './event-status.ts'
import type { Exchange } from './exchange.ts'
import { failureReason } from './failure-reason.ts'

/** An event as the planner makes it: which occurrence, and when it is due. */
export type PlannedEvent = {
  id: string
  occasionId: string
  /** Names the occurrence, such as the local year of a yearly rule. Unique within its occasion for ever. */
  occurrence: string
  /** The instant the message is due, epoch milliseconds. */
  targetAt: number
  /** Local time minus UTC at that instant, by the timezone table that planned it. */
  offsetSeconds: number
  timezone: string
  tzVersion: string
}

/** Marks an event that sends a failed event again. */
export type Replay = {
  /** The failed event; null for an original. */
  replayOf: string | null
  /** True for a new idempotency key: a new message to the receiver. False: the original's key, so a repetition. */
  ownKey: boolean
}

const ORIGINAL: Replay = { replayOf: null, ownKey: false }

export type Event = PlannedEvent &
  Replay & {
    userId: string
    eventType: string
    /** The channel of its latest attempt; before the first one the channel of its occasion, null for the default channel. */
    channelId: string | null
    status: EventStatus
    /** From when a worker may claim it; null once terminal. */
    wakeAt: number | null
    /** The fencing token: rises by one with every change. */
    version: number
    retryCount: number
    claimedBy: string | null
    claimedAt: number | null
    executedAt: number | null
    statusCode: number | null
    /** Why it is FAILED; `failureReason` in failure-reason.ts composes the two for people. */
    failureCode: string | null
    lastError: string | null
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
  /** Null if it is not known: the worker never reported, or the attempt is older than the record of channels. */
  channelId: string | null
  /** Null if it is not known or not stored. */
  exchange: Exchange | null
}
export const ATTEMPT_OUTCOMES = ['DELIVERED', 'RETRY', 'RELEASED', 'FAILED', 'UNKNOWN'] as const
/**
 * RELEASED: failed because the destination is down or rejected our credentials; uses no retry. UNKNOWN: the lease expired without an outcome, so the
 * message may have been delivered.
 */
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

/** A planned event as it is first stored. */
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
    failureCode: null,
    lastError: null,
    deliveryPayload: null,
    createdAt: of.now,
    updatedAt: of.now,
  }
}

/** The attempt that settled the event, read from the event's own fields; null if it was never sent. */
export function settlingAttempt(event: Event, earlier: number, exchange: Exchange | null): Attempt | null {
  const { status, claimedBy, claimedAt, executedAt, statusCode, deliveryPayload, channelId } = event
  if (!isTerminal(status) || claimedBy === null || claimedAt === null || executedAt === null) return null
  if (deliveryPayload === null) return null
  return {
    number: earlier + 1,
    claimedBy,
    startedAt: claimedAt,
    finishedAt: executedAt,
    outcome: status === 'COMPLETED' ? 'DELIVERED' : 'FAILED',
    statusCode,
    error: failureReason(event),
    channelId,
    exchange,
  }
}
