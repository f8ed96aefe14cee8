// What can be asked for a page at a time.
import type { EventStatus } from '../domain/events/event-status.ts'

/** The cursor continues after the page: the id up to which the list was read. */
export type Page<T> = { items: T[]; nextCursor: string | null }

export type UserFilter = {
  ids?: readonly string[]
  search?: string
  timezone?: string
  externalId?: string
  /** Only users with an occasion of this type. */
  type?: string
  /** Only users with a paused occasion, or only users without one. */
  paused?: boolean
  /** Only users with a failed event that was not delivered since. */
  failed?: true
  /** Only users with an open event that may be sent before this instant. Replays do not count. */
  dueBefore?: number
}

export type UserQuery = UserFilter & {
  limit: number
  cursor: string | null
  /** By default in order of id, which is the order of creation but for users with a keyed id. */
  order?: 'newest'
}

export type TaskQuery = {
  limit: number
  cursor: string | null
  userId?: string
  dueFrom?: number
  dueBefore?: number
  reminded?: boolean
  completed?: boolean
}

export type EventQuery = {
  limit: number
  cursor: string | null
  /** By default the event that was first due earliest comes first. */
  order?: 'newest'
  ids?: readonly string[]
  userId?: string
  /** Only events of the users who match. */
  people?: UserFilter
  occasionId?: string
  status?: EventStatus | readonly EventStatus[]
  type?: string
  dueFrom?: number
  dueBefore?: number
  /** Only events due on this date where their user is, such as `2026-12-15`. */
  localDate?: string
  /** The beginning of a failure: its code, or its code and error. */
  reason?: string
  /** A failure in brief, as `FailureCount` has it. */
  briefReason?: string
  /** Sent to one of these channels or, if not sent yet, to be sent to it; null for no recorded and no chosen channel. */
  channelIds?: readonly (string | null)[]
  /** Only failures without a replay: neither delivered since, nor being replayed, nor failed again. */
  unresolved?: true
  /** Leaves out failures that an operator has dismissed. */
  undismissed?: true
  settledFrom?: number
  settledBefore?: number
  /** Only events with an attempt of unknown outcome that ended at this instant or later: they may have arrived twice. */
  unknownFrom?: number
}
