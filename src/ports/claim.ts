// An event from the moment it is taken to the moment it is settled.
import type { PlannedEvent, Replay } from '../domain/events/event.ts'
import type { TerminalStatus } from '../domain/events/event-status.ts'
import type { Occasion } from '../domain/occasions/occasion.ts'
import type { Task } from '../domain/tasks/task.ts'
import type { User } from '../domain/users/user.ts'

/** An event taken for delivery, with what is needed to render it, send it and plan its successor. */
export type Claim = PlannedEvent &
  Replay & {
    eventType: string
    version: number
    /** Rises when the user or the occasion changes while the event is in flight. */
    planRevision: number
    retryCount: number
    claimedAt: number
    /** The lease of another ran out: whoever held it may have sent the message or not. */
    takenOver: boolean
    user: Pick<User, 'id' | 'firstName' | 'lastName' | 'dateOfBirth' | 'timezone' | 'email' | 'language'>
    occasion: Occasion
    /** What a TASK_REMINDER reminds of, as it is now. */
    task: Task | null
    /** Null if it could not be rendered. */
    body: string | null
  }

/** What an event will say, at its first attempt; null if that cannot be told. */
export type Render = (claim: Claim) => string | null

export type ClaimRef = { eventId: string; version: number }

/** How an attempt ended, as the store writes it. */
export type Settlement = ClaimRef & { at: number } & (
    | {
        kind: 'terminal'
        status: TerminalStatus
        failureReason: string | null
        statusCode: number | null
        /** The plan revision that the successor was computed from. */
        planRevision: number
        successor: PlannedEvent | null
        /** The task whose reminder was delivered, to be marked in the same step. */
        reminded?: string | null
      }
    /** Tried in vain, and to be tried again. One that does not count leaves the number of retries as it was. */
    | { kind: 'retry'; wakeAt: number; error: string; statusCode: number | null; counts: boolean }
    /** Given back untried: no attempt is recorded. */
    | { kind: 'release'; wakeAt: number }
  )

export type SettleResult = {
  settled: string[]
  /** Claimed anew or deleted since: nothing was written. */
  stale: string[]
  /** Still ours, but the plan changed under it: compute the successor again. Nothing was written. */
  replan: string[]
}
