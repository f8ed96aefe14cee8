// The event's state machine. Anything that is not listed here throws.
import { InvalidStateTransitionError } from '../errors.ts'

export const EVENT_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]
export type TerminalStatus = 'COMPLETED' | 'FAILED'

const STEPS: Record<EventStatus, readonly EventStatus[]> = {
  PENDING: ['PROCESSING'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
}

export function isTerminal(status: EventStatus): status is TerminalStatus {
  return STEPS[status].length === 0
}

export function isValidTransition(from: EventStatus, to: EventStatus): boolean {
  return STEPS[from].includes(to)
}

export function assertTransition(from: EventStatus, to: EventStatus): void {
  if (!isValidTransition(from, to)) throw new InvalidStateTransitionError(from, to)
}
