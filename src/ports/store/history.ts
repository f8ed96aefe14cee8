// Events as they are shown: reading them, and pruning old ones.
import type { Attempt, Event } from '../../domain/events/event.ts'
import type { EventMove } from '../../domain/events/move.ts'
import type { User } from '../../domain/users/user.ts'
import type { EventQuery, Page } from '../query.ts'

/** An event with the name and the external id of its user. */
export type NamedEvent = Event & Pick<User, 'firstName' | 'lastName' | 'externalId'>

/** Whether a failed event can be replayed, and the local time after which it was not to be sent on its day. */
export type ReplayOutlook = {
  eventId: string
  state: 'free' | 'in-progress' | 'delivered'
  notAfter: string | null
}

export type HistoryStore = {
  /** An event, open or settled, with its attempts in order. `isFree`: it is PROCESSING without a lease. */
  findEvent(eventId: string): Promise<{ event: NamedEvent; attempts: Attempt[]; isFree: boolean } | null>

  /**
   * The recorded moves of an event, oldest first, and those of events that were removed and had its occurrence: pausing an
   * occasion removes its event, and resuming inserts another.
   */
  listMoves(of: Pick<Event, 'id' | 'occasionId' | 'occurrence'>): Promise<EventMove[]>

  /** Pages of open and settled events, in order of id: ascending, or descending with `order: 'newest'`. */
  listEvents(query: EventQuery): Promise<Page<NamedEvent>>

  /** The outlook of each of the events that is FAILED; the others are missing from the result. */
  replayOutlook(eventIds: readonly string[]): Promise<ReplayOutlook[]>

  /**
   * Deletes up to `limit` events settled before the instant, oldest first, with their attempts, moves and bodies, and returns how
   * many. The last settled event of each occasion stays: it prevents its occurrence from being sent again. Also deletes enqueued
   * changes that were rejected before the instant. If it fails half-way, some events are deleted, each whole; safe to repeat.
   */
  prune(prune: { before: number; limit: number }): Promise<number>

  /**
   * Drops the months of which every event was due before the instant, oldest first, and keeps what `prune` keeps. Calls `onMonth`
   * after each month with the number of events removed, and stops if it returns true. Then `prune` leaves a month alone until it
   * can be dropped. Does nothing on a store without a partition for each month. If it fails half-way, the months before are
   * dropped, each whole; safe to repeat.
   */
  pruneMonths(before: number, onMonth: (removed: number) => boolean): Promise<void>

  /** Creates the partitions of the next months, on a store that has one for each month. Safe to repeat. */
  createMonths(): Promise<void>

  /** How many events `pruneMonths`, and then `prune` without a limit, would delete. */
  countPrunable(before: number): Promise<number>
}
