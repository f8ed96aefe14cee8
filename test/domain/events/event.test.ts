// The steps of one event, and those it refuses.
import { describe, expect, it } from 'vitest'
import { InvalidStateTransitionError } from '../../../src/domain/errors.ts'
import { claim, type Event, markCompleted, markFailed, ORIGINAL } from '../../../src/domain/events/event.ts'
import type { EventStatus } from '../../../src/domain/events/event-status.ts'
import { makePerson, T0 } from '../../support/fixtures.ts'

function makeEvent(over: Partial<Event> = {}): Event {
  const { user, events } = makePerson({ targetAt: T0 })
  return {
    ...events[0]!,
    ...ORIGINAL,
    userId: user.id,
    eventType: 'BIRTHDAY',
    channelId: null,
    status: 'PENDING',
    wakeAt: T0,
    version: 1,
    retryCount: 0,
    claimedBy: null,
    claimedAt: null,
    executedAt: null,
    statusCode: null,
    failureReason: null,
    deliveryPayload: null,
    createdAt: T0 - 1,
    updatedAt: T0 - 1,
    ...over,
  }
}

const by = { worker: 'worker-1', now: T0 + 5, leaseMs: 1_000 }

describe('claiming an event', () => {
  it('takes a pending one: one version on, leased', () => {
    const event = makeEvent()
    expect(claim(event, by)).toEqual({
      ...event,
      status: 'PROCESSING',
      wakeAt: T0 + 1_005,
      version: 2,
      claimedBy: 'worker-1',
      claimedAt: T0 + 5,
      updatedAt: T0 + 5,
    })
  })

  it('leaves the event it was given as it was', () => {
    const event = makeEvent()
    const before = structuredClone(event)
    claim(event, by)
    expect(event).toEqual(before)
  })

  it('takes one again whose lease ran out, to the millisecond', () => {
    const held = makeEvent({ status: 'PROCESSING', wakeAt: T0 + 5, version: 2, deliveryPayload: 'body' })
    expect(claim(held, by)).toMatchObject({ version: 3, claimedBy: 'worker-1', deliveryPayload: 'body' })
    expect(() => claim({ ...held, wakeAt: T0 + 6 }, by)).toThrow(InvalidStateTransitionError)
  })

  it.each(['COMPLETED', 'FAILED'] as EventStatus[])('refuses one that is %s', (status) => {
    expect(() => claim(makeEvent({ status, wakeAt: null }), by)).toThrow(InvalidStateTransitionError)
  })
})

describe('settling an event', () => {
  const held = () => makeEvent({ status: 'PROCESSING', wakeAt: T0 + 1_000, version: 2 })

  it('completes one that is being delivered', () => {
    const event = held()
    expect(markCompleted(event, T0 + 9, 204)).toEqual({
      ...event,
      status: 'COMPLETED',
      wakeAt: null,
      version: 3,
      executedAt: T0 + 9,
      updatedAt: T0 + 9,
      statusCode: 204,
    })
  })

  it('fails one with its reason', () => {
    expect(markFailed(held(), T0 + 9, 'HTTP 410', 410)).toMatchObject({
      status: 'FAILED',
      wakeAt: null,
      version: 3,
      executedAt: T0 + 9,
      failureReason: 'HTTP 410',
      statusCode: 410,
    })
  })

  it.each(['PENDING', 'COMPLETED', 'FAILED'] as EventStatus[])('refuses one that is %s', (status) => {
    const event = makeEvent({ status })
    expect(() => markCompleted(event, T0)).toThrow(InvalidStateTransitionError)
    expect(() => markFailed(event, T0, 'no')).toThrow(InvalidStateTransitionError)
  })
})
