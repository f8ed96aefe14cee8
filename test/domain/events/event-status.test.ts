// The state machine: every pair of states, and whether there is a step between them.
import { describe, expect, it } from 'vitest'
import { InvalidStateTransitionError } from '../../../src/domain/errors.ts'
import {
  assertTransition,
  EVENT_STATUSES,
  type EventStatus,
  isTerminal,
  isValidTransition,
} from '../../../src/domain/events/event-status.ts'

const steps = new Set(['PENDING PROCESSING', 'PROCESSING COMPLETED', 'PROCESSING FAILED'])
const pairs = EVENT_STATUSES.flatMap((from) =>
  EVENT_STATUSES.map((to) => [from, to] as [EventStatus, EventStatus]),
)

describe('the state machine of an event', () => {
  it('has four states, two of them final', () => {
    expect(EVENT_STATUSES).toEqual(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'])
    expect(EVENT_STATUSES.filter(isTerminal)).toEqual(['COMPLETED', 'FAILED'])
  })

  it.each(pairs)('from %s to %s is a step only if it is listed', (from, to) => {
    const valid = steps.has(`${from} ${to}`)
    expect(isValidTransition(from, to)).toBe(valid)
    if (valid) expect(() => assertTransition(from, to)).not.toThrow()
    else expect(() => assertTransition(from, to)).toThrow(InvalidStateTransitionError)
  })

  it('names both states and a stable code when it refuses', () => {
    const error = new InvalidStateTransitionError('COMPLETED', 'PENDING')
    expect(error).toMatchObject({ name: 'InvalidStateTransitionError', code: 'INVALID_STATE_TRANSITION' })
    expect(error.message).toBe('Invalid state transition from COMPLETED to PENDING.')
  })
})
