// The event's state machine: every pair of statuses, and whether it is a transition.
import { describe, expect, it } from 'vitest'
import { InvalidStateTransitionError } from '../../../src/domain/errors.ts'
import {
  assertTransition,
  EVENT_STATUSES,
  type EventStatus,
  isTerminal,
  isValidTransition,
} from '../../../src/domain/events/event-status.ts'

const transitions = new Set([
  'PENDING PROCESSING',
  'PROCESSING PROCESSING',
  'PROCESSING COMPLETED',
  'PROCESSING FAILED',
])
const pairs = EVENT_STATUSES.flatMap((from) =>
  EVENT_STATUSES.map((to) => [from, to] as [EventStatus, EventStatus]),
)

describe('event status', () => {
  it('has four values, of which COMPLETED and FAILED are terminal', () => {
    expect(EVENT_STATUSES).toEqual(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'])
    expect(EVENT_STATUSES.filter(isTerminal)).toEqual(['COMPLETED', 'FAILED'])
  })

  it.each(pairs)('from %s to %s is a valid transition only if the table lists it', (from, to) => {
    const valid = transitions.has(`${from} ${to}`)
    expect(isValidTransition(from, to)).toBe(valid)
    if (valid) expect(() => assertTransition(from, to)).not.toThrow()
    else expect(() => assertTransition(from, to)).toThrow(InvalidStateTransitionError)
  })

  it('error for an invalid transition names both statuses and a stable code', () => {
    const error = new InvalidStateTransitionError('COMPLETED', 'PENDING')
    expect(error).toMatchObject({ name: 'InvalidStateTransitionError', code: 'INVALID_STATE_TRANSITION' })
    expect(error.message).toBe('Invalid state transition from COMPLETED to PENDING.')
  })
})
