// The engine's port: claim, extend, settle and move open events. Each event is written whole or not at all; outcomes are values.
import type { PlannedEvent } from '../../domain/events/event.ts'
import type { LaneLimits } from '../../domain/events/lane.ts'
import type { Where } from '../../domain/occasions/schedule.ts'
import type { Claim, ClaimRef, HeldClaim, Render, Settlement, SettleResult } from '../claim.ts'
import type { Page } from '../query.ts'
import type { OccasionPlan } from './occasions.ts'

/**
 * A pending event to move; with `to: null` an event in flight, which stays and whose successor must be planned again, or with
 * `removed` a pending event to delete, because its occasion has no occurrence left.
 */
export type Reschedule = {
  eventId: string
  version: number
  to: PlannedEvent | null
  removed?: boolean
  /** Why it moves, if a person's timezone and date of birth changed together; only `updateUser` reads it. */
  cause?: 'BIRTH_DATE_CHANGED'
}

/** A user with the plans of the occasions that have an open event. Every `lastSettled` is null: it is not read. */
export type OpenPlans = { user: Where & { id: string }; plans: OccasionPlan[] }

export type OutdatedPlans = {
  timezones: readonly string[]
  release: string
  before: number
  limit: number
  cursor: string | null
}

/** A failed event to send again. The new event is due at once. */
export type NewReplay = { of: string; id: string; ownKey: boolean; at: number }

/** Events that were due and are not claimed, and the range of their target instants. */
export type Overdue = { count: number; oldestAt: number | null; newestAt: number | null }

export type DueClaim = {
  now: number
  limit: number
  leaseMs: number
  claimedBy: string
  /**
   * The number of the batch in a run that hands its events to a queue. The leases of the batch are provisional until
   * `extendLeases` is called for them: nothing is sent under a provisional lease.
   */
  batch?: number
  /** Every lane if not given. */
  lanes?: LaneLimits
  render: Render
}

/**
 * A call that throws may have been committed (a connection can break after COMMIT), so every method is safe to repeat with
 * the arguments of the first call. Two callers that race are ordered by the database: the version decides which one wins.
 */
export type EventStore = {
  /**
   * Claims up to `limit` due events, the oldest of each lane first: pending, waiting for a retry, or with an expired lease. An event is never
   * claimed by two callers at the same version. Each claim raises the version, which is its fencing token.
   *
   * An event without a body is rendered, and the body is stored before the claim is returned, so that every later attempt
   * sends the same bytes. If the call fails half-way, no message was sent: the events are claimable again at once or,
   * where the claim was committed first, when its lease expires.
   *
   * An expired lease is recorded as an attempt with the outcome UNKNOWN: its worker may have sent the message. An expired
   * provisional lease is not recorded. A lease that was granted in the future, before the clock was set back, counts as
   * expired.
   *
   * A batch with a number may be claimed again at once: a call that repeats the number returns the events that a failed call
   * with it had claimed, under a newer version.
   */
  claimDue(claim: DueClaim): Promise<Claim[]>

  /**
   * Reads claims again by reference, with the person, occasion and task as they are now. A claim that is no longer held at
   * that version is missing from the result. Writes nothing.
   */
  readClaims(refs: readonly ClaimRef[]): Promise<Claim[]>

  /**
   * Moves the end of leases to `leaseMs` from now, never to an earlier instant; a provisional lease becomes a final one.
   * Returns the ids of the events that are still claimed at that version, also if their lease had expired. If the call fails
   * half-way, some leases keep their old end and can be extended again.
   */
  extendLeases(refs: readonly ClaimRef[], lease: { now: number; leaseMs: number }): Promise<string[]>

  /**
   * Returns the claims that are still held at that version, also if their lease has expired; the caller must not send the
   * others. Writes nothing.
   */
  confirmClaims(refs: readonly ClaimRef[]): Promise<HeldClaim[]>

  /**
   * Writes the outcomes of claims. Each settlement is written whole or not at all: the outcome, the attempt, the successor and
   * the mark on a reminded task together. It is written only while the event is claimed at that version and, for a terminal
   * settlement, its plan revision is the one the successor was computed from.
   *
   * Idempotent: a settlement that an earlier call committed is reported as `settled`. After a failure the caller repeats the
   * batch; a settlement that is never written is recovered when the lease expires. Of two callers that settle one event,
   * the holder of the current version wins and the other finds it in `stale`.
   */
  settle(settlements: readonly Settlement[]): Promise<SettleResult>

  /** The instant at which the next event of these lanes becomes claimable; null if none of them has an open event. */
  nextWakeAt(lanes?: LaneLimits): Promise<number | null>

  /** Counts events that were due before `now` and are not claimed. */
  countOverdue(now: number): Promise<Overdue>

  /** Pages of the users in a timezone, in order of id, with their open events. Replays are not listed. */
  listOpenPlans(of: { timezone: string; limit: number; cursor: string | null }): Promise<Page<OpenPlans>>

  /**
   * Pages of the pending events in these timezones that can be claimed before an instant and that an earlier release than
   * `release` planned, the soonest first, each with its user. Replays are not listed.
   */
  listOutdatedPlans(of: OutdatedPlans): Promise<Page<OpenPlans>>

  /**
   * Moves events that are still pending at the version seen, and returns the ids of the moved ones. Left where they are: an
   * event that was claimed or changed meanwhile, one with `to: null`, and one whose new occurrence was settled before. A move
   * is recorded with it, unless the event keeps its occurrence, instant, offset and timezone. If the call fails half-way, some
   * events may have moved, each with its record; a repeated call leaves them.
   */
  replan(reschedules: readonly Reschedule[], at: number): Promise<string[]>

  /**
   * Inserts a new event for each FAILED one, and returns the ids of the failed events that were replayed. The failed row is
   * not changed. An occurrence that has an open event or was delivered is skipped; of two callers that replay one event, the
   * second finds the first one's event. If the original was pruned, the replay gets a key of its own: the bytes that went
   * out under the old key are gone, and different bytes must not follow under it. If the call fails half-way, some may be
   * replayed; a repeated call skips them.
   */
  replay(replays: readonly NewReplay[]): Promise<string[]>
}
