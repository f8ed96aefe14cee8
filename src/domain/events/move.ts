// The moves of an event before it is sent: from when and where, to when and where, and why.
import type { PlannedEvent } from './event.ts'

export const MOVE_CAUSES = [
  'TIMEZONE_CHANGED',
  'BIRTH_DATE_CHANGED',
  'OCCASION_CHANGED',
  'OCCASION_PAUSED',
  'OCCASION_RESUMED',
  'REPAIRED',
  'TASK_CHANGED',
  'TIMEZONE_RULES_CHANGED',
] as const
export type MoveCause = (typeof MOVE_CAUSES)[number]

/** Which occurrence an event is, and when and where it is due. */
export type EventSlot = Pick<PlannedEvent, 'occurrence' | 'targetAt' | 'offsetSeconds' | 'timezone'>

export type EventMove = {
  eventId: string
  /** The version of the event after the move. */
  version: number
  cause: MoveCause
  at: number
  /** Null if the change inserted the event. */
  from: EventSlot | null
  /** Null if the change removed the event. */
  to: EventSlot | null
}
