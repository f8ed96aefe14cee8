// How a message leaves: one call per attempt, its result as data.
import type { KeepResponses, ReceivedResponse } from '../domain/events/exchange.ts'
import type { EventStore } from './store.ts'
import type { Notice } from './telemetry.ts'

export type Delivery = {
  eventId: string
  /** The same for every attempt at this event. */
  idempotencyKey: string
  /** Sent byte for byte; never changed after the first attempt. */
  body: string
  /** The number of the attempt, from 1, as it is listed with the event. */
  attempt: number
  /** Whether the result has the response, which can quote the message. Without it: none. */
  keepResponses?: KeepResponses
  /**
   * Settles the event as delivered by this store, which writes in the transaction of the channel. False if the claim was lost:
   * the channel must roll back. Given to channels that settle.
   */
  settle?: (store: Pick<EventStore, 'settle' | 'readClaims'>) => Promise<boolean>
}

/**
 * `response`: the response of the receiver, if the delivery keeps it. It must not reach a log line. `onOutcome` is called with what
 * becomes of the event.
 */
export type DeliveryResult = {
  response?: ReceivedResponse
  onOutcome?: (outcome: OutcomeOfAttempt) => void
} & Outcome

export type OutcomeOfAttempt = (Notice & { kind: 'attempt' })['outcome']

type Outcome =
  /** `isSettled`: the channel has settled the event, by `settle`, and committed. */
  | { kind: 'delivered'; statusCode: number | null; isSettled?: true }
  /**
   * May work later. `retryAfterMs` is the wait that the receiver asked for; `about: 'event'` says that the destination is healthy and
   * only this one cannot be taken now, `about: 'process'` that this process cannot send, and others may.
   */
  | {
      kind: 'transient'
      error: string
      statusCode: number | null
      retryAfterMs?: number
      about?: 'event' | 'process'
    }
  /** Will not work however often it is tried. */
  | { kind: 'permanent'; error: string; statusCode: number | null }

export type Channel = {
  /** The effect of a delivery and its settlement are one transaction of the channel. */
  readonly settles?: true
  /** Where it sends: the URL without its query, or `smtp://host:port`. */
  readonly destination?: string
  /** Resolves for every answer and every failure of the network; a throw is a bug and counts as transient. */
  deliver(delivery: Delivery, signal: AbortSignal): Promise<DeliveryResult>
  close(): Promise<void>
}
