// The event's state machine, one table. The stores make the transitions in SQL; their contract suite checks them against it.
//
//   PENDING -> PROCESSING -> COMPLETED | FAILED
//                  |  ^
//                  +--+  claimed again: its lease expired, a retry is due, or it was released
import { InvalidStateTransitionError } from '../errors.ts'

export const EVENT_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]
export type TerminalStatus = 'COMPLETED' | 'FAILED'

const TRANSITIONS: Record<EventStatus, readonly EventStatus[]> = {
  PENDING: ['PROCESSING'],
  PROCESSING: ['PROCESSING', 'COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
}

export function isTerminal(status: EventStatus): status is TerminalStatus {
  return TRANSITIONS[status].length === 0
}

export function isValidTransition(from: EventStatus, to: EventStatus): boolean {
  return TRANSITIONS[from].includes(to)
}

export function assertTransition(from: EventStatus, to: EventStatus): void {
  if (!isValidTransition(from, to)) throw new InvalidStateTransitionError(from, to)
}
