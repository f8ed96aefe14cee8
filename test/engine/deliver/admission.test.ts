// Whether an event may be sent to its destination now, and until when it is parked otherwise.
import { describe, expect, it } from 'vitest'
import { admit, parkUntil, roomFor, type Traffic } from '../../../src/engine/deliver/admission.ts'
import { BREAKER, createBreaker } from '../../../src/engine/deliver/circuit-breaker.ts'
import type { Destination } from '../../../src/engine/deliver/destinations.ts'
import { createLimiter } from '../../../src/engine/deliver/limits/limiter.ts'
import type { ReadyClaim } from '../../../src/ports/claim.ts'
import { statesAlone } from '../../support/fixed-parts.ts'
import { HOUR, SECOND } from '../../support/fixtures.ts'
import { ALONE, makeClaim } from '../support/claims.ts'

const claim = { ...makeClaim(), body: '{}' } as ReadyClaim

const LIMITED: Destination = {
  id: 'one',
  name: 'one',
  kind: 'webhook',
  status: 'ACTIVE',
  limits: { perSecond: 5, concurrency: null },
  channel: { deliver: async () => ({ kind: 'delivered', statusCode: 200 }), close: async () => {} },
}

function fullQueue(): Traffic {
  return {
    waiting: Array.from({ length: 10 }, () => claim),
    inFlight: 0,
    breaker: createBreaker(BREAKER, statesAlone(), 'one'),
    limiter: createLimiter(ALONE, 'one'),
  }
}

describe('a destination that allows five a second', () => {
  const admission = (traffic: Traffic, parkCount = 0) =>
    admit({ ...claim, parkCount }, LIMITED, traffic, { now: HOUR, dice: () => 0 })

  it('queues ten events, and parks the others until they are woken', () => {
    const traffic = fullQueue()
    expect(admission(traffic)).toMatchObject({ kind: 'park', until: HOUR + 30 * SECOND, forLimit: true })
    traffic.waiting.pop()
    expect(admission(traffic)).toEqual({ kind: 'queue' })
  })

  it('parks an event that nothing wakes twice as long each time, 8 min at most', () => {
    const waits = [0, 1, 3, 4, 9].map((parkCount) => admission(fullQueue(), parkCount))
    expect(waits.map((one) => one.kind === 'park' && (one.until - HOUR) / SECOND)).toEqual([
      30, 60, 240, 480, 480,
    ])
  })

  it('queues of a batch of messages what is sent in a minute', () => {
    const traffic = { ...fullQueue(), waiting: Array.from({ length: 299 }, () => claim) }
    const admission = () => admit(claim, LIMITED, traffic, { now: HOUR, dice: () => 0, isBatch: true })
    expect(admission()).toEqual({ kind: 'queue' })
    traffic.waiting.push(claim)
    expect(admission()).toMatchObject({ kind: 'park', forLimit: true })
  })

  it('parks an event for one to six seconds, and has none woken, while the worker gets no slot', () => {
    const traffic = { ...fullQueue(), waiting: [], limiter: { ...fullQueue().limiter, isDenied: () => true } }
    const parked = (dice: number) => admit(claim, LIMITED, traffic, { now: HOUR, dice: () => dice })
    expect([parked(0), parked(1)]).toMatchObject([
      { until: HOUR + SECOND, forLimit: false },
      { until: HOUR + 6 * SECOND, forLimit: false },
    ])
  })

  it('has room for more when half of its queue is empty', () => {
    const room = (waiting: number) =>
      roomFor(LIMITED, { ...fullQueue(), waiting: Array.from({ length: waiting }, () => claim) }, HOUR)
    expect([10, 6, 5, 0].map(room)).toEqual([0, 0, 5, 10])
  })

  it('has room for one event also if it allows less than one in two seconds', () => {
    const slow = { ...LIMITED, limits: { perSecond: 0.1, concurrency: null } }
    expect(roomFor(slow, { ...fullQueue(), waiting: [] }, HOUR)).toBe(1)
  })
})

it('an event without a response is tried again after a second, ten times while the breaker is closed, and then less often', () => {
  const parkedFor = (parkCount: number, status: Destination['status'] = 'ACTIVE') =>
    parkUntil({ ...claim, parkCount }, { ...LIMITED, status }, fullQueue(), { now: HOUR, dice: () => 0 }) -
    HOUR
  expect([parkedFor(0), parkedFor(9)]).toEqual([SECOND, SECOND])
  expect([parkedFor(10), parkedFor(0, 'HELD')]).toEqual([69_392, 30 * SECOND])
})
