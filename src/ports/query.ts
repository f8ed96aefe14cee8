// What can be asked for a page at a time.
import type { EventStatus } from '../domain/events/event-status.ts'

/** Pages are in order of id; the cursor is the last id of the page before. */
export type Page<T> = { items: T[]; nextCursor: string | null }
export type UserQuery = {
  limit: number
  cursor: string | null
  search?: string
  timezone?: string
  externalId?: string
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
  occasionId?: string
  status?: EventStatus | readonly EventStatus[]
  type?: string
  dueFrom?: number
  dueBefore?: number
  /** The beginning of a failure: its code, or its code and error. */
  reason?: string
  /** A failure in brief, as `FailureCount` has it. */
  briefReason?: string
  /** Sent to one of these channels or, if not sent yet, to be sent to it; null for no recorded and no chosen channel. */
  channelIds?: readonly (string | null)[]
  /** Only failures without a replay: neither delivered since, nor being replayed, nor failed again. */
  unresolved?: true
  settledFrom?: number
  settledBefore?: number
  /** Only events with an attempt of unknown outcome that ended at this instant or later: they may have arrived twice. */
  unknownFrom?: number
}
