// A planned event as it is first stored, and the attempt that settled it.
import { describe, expect, it } from 'vitest'
import { type Event, newEvent, settlingAttempt } from '../../../src/domain/events/event.ts'
import type { EventStatus } from '../../../src/domain/events/event-status.ts'
import { makePerson, T0 } from '../../support/fixtures.ts'

function makeEvent(over: Partial<Event> = {}): Event {
  const { user, events } = makePerson({ targetAt: T0 })
  return { ...newEvent(events[0]!, { userId: user.id, eventType: 'BIRTHDAY', now: T0 - 1 }), ...over }
}

describe('newEvent()', () => {
  it('is PENDING, wakes when it is due, and has no attempt yet', () => {
    expect(makeEvent()).toMatchObject({
      status: 'PENDING',
      wakeAt: T0,
      version: 1,
      retryCount: 0,
      claimedBy: null,
      executedAt: null,
      channelId: null,
      replayOf: null,
      ownKey: false,
      createdAt: T0 - 1,
      updatedAt: T0 - 1,
    })
  })
})

describe('settlingAttempt()', () => {
  const settled = {
    status: 'COMPLETED' as EventStatus,
    claimedBy: 'worker-1',
    claimedAt: T0 + 5,
    executedAt: T0 + 9,
    statusCode: 204,
    deliveryPayload: '{}',
    channelId: 'channel-1',
  }

  const EXCHANGE = { destination: 'https://example.com/hook', response: null }

  it('of a COMPLETED event is DELIVERED and numbered after the earlier attempts', () => {
    expect(settlingAttempt(makeEvent(settled), 2, EXCHANGE)).toEqual({
      number: 3,
      claimedBy: 'worker-1',
      startedAt: T0 + 5,
      finishedAt: T0 + 9,
      outcome: 'DELIVERED',
      statusCode: 204,
      error: null,
      channelId: 'channel-1',
      exchange: EXCHANGE,
    })
  })

  it('of a FAILED event is FAILED, with the failure reason as its error', () => {
    const failed = makeEvent({
      ...settled,
      status: 'FAILED',
      statusCode: 410,
      failureCode: 'HTTP 410',
      lastError: 'HTTP 410',
    })
    expect(settlingAttempt(failed, 0, null)).toMatchObject({
      number: 1,
      outcome: 'FAILED',
      statusCode: 410,
      error: 'HTTP 410',
    })
  })

  it('is null for an event that failed without being sent', () => {
    expect(
      settlingAttempt(makeEvent({ ...settled, status: 'FAILED', deliveryPayload: null }), 0, null),
    ).toBeNull()
  })

  it.each(['PENDING', 'PROCESSING'] as EventStatus[])('is null for a %s event', (status) => {
    expect(settlingAttempt(makeEvent({ ...settled, status }), 0, null)).toBeNull()
  })
})
