// An event from its claim to its settlement.
import type { PlannedEvent, Replay } from '../domain/events/event.ts'
import type { TerminalStatus } from '../domain/events/event-status.ts'
import type { Exchange } from '../domain/events/exchange.ts'
import type { Failure } from '../domain/events/failure-reason.ts'
import type { Occasion } from '../domain/occasions/occasion.ts'
import type { Task } from '../domain/tasks/task.ts'
import type { User } from '../domain/users/user.ts'

/** A claimed event, with everything that rendering, sending and planning its successor need. */
export type Claim = PlannedEvent &
  Replay & {
    eventType: string
    /** The fencing token. */
    version: number
    /** Rises when the user or the occasion changes while the event is in flight. */
    planRevision: number
    retryCount: number
    claimedAt: number
    /** The number under which its attempt is listed, from 1: one more than the attempts before, also those that used no retry, and lost ones. */
    attempt: number
    /** Claimed after another worker's lease expired: that worker may have sent the message. */
    reclaimed: boolean
    /** The lease is provisional: extend it before the message is sent. Set by `readClaims`. */
    provisional: boolean
    user: Pick<
      User,
      'id' | 'firstName' | 'lastName' | 'dateOfBirth' | 'timezone' | 'email' | 'language' | 'externalId'
    >
    occasion: Occasion
    /** The task of a TASK_REMINDER, as it is now. */
    task: Task | null
    /** Null if it could not be rendered. */
    body: string | null
  }

/** A claim with its body: ready to be sent. */
export type ReadyClaim = Claim & { body: string }

/** Renders an event's body at its first attempt; null if it cannot be rendered. */
export type Render = (claim: Claim) => string | null

export type ClaimRef = {
  eventId: string
  version: number
  /**
   * After a failover that lost a claim, PostgreSQL gives its version to another claim, and the instant tells them apart. A
   * queue message has none: its consumer reads the claim that is in the database.
   */
  claimedAt?: number
}

/** A claim that is still held. `stopped`: its task was completed or its occasion was paused, so it must not be sent. */
export type HeldClaim = { eventId: string; stopped: 'task' | 'occasion' | null }

/** The outcome of a claim, as the store writes it. */
export type Settlement = ClaimRef & {
  at: number
  /** The channel that the event was sent to. Null or missing: the event keeps the channel recorded before. */
  channelId?: string | null
  /** The destination and the response of the attempt; null or missing if they are not stored. */
  exchange?: Exchange | null
} & (
    | {
        kind: 'terminal'
        status: TerminalStatus
        /** Set for a FAILED event only. */
        failure: Failure | null
        statusCode: number | null
        /** The plan revision that the successor was computed from. */
        planRevision: number
        successor: PlannedEvent | null
        /** The task whose reminder was delivered, marked in the same step. */
        reminded?: string | null
      }
    /** The attempt failed and uses a retry. */
    | { kind: 'retry'; wakeAt: number; error: string; statusCode: number | null }
    /**
     * Uses no retry. `wakeAt` null: it can be claimed again at once, at its place in the order of claims. An attempt is recorded only if
     * the event was sent: its destination was down or rejected us; `attempt` is null otherwise.
     */
    | {
        kind: 'release'
        wakeAt: number | null
        attempt: { error: string; statusCode: number | null } | null
      }
  )

export type SettleResult = {
  settled: string[]
  /** Claimed again or deleted meanwhile: nothing was written. */
  stale: string[]
  /** Still claimed, but its plan changed: compute the successor again. Nothing was written. */
  replan: string[]
}
