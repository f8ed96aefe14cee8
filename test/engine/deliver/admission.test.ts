// Whether an event may be sent to its destination now, and until when it is parked otherwise.
import { describe, expect, it } from 'vitest'
import { admit, parkUntil, type Traffic } from '../../../src/engine/deliver/admission.ts'
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
  limits: { perSecond: 1, concurrency: null },
  channel: { deliver: async () => ({ kind: 'delivered', statusCode: 200 }), close: async () => {} },
}

function fullQueue(): Traffic {
  return {
    waiting: Array.from({ length: 5 }, () => claim),
    inFlight: 0,
    breaker: createBreaker(BREAKER, statesAlone(), 'one'),
    limiter: createLimiter(ALONE, 'one'),
    reservedUntil: 0,
    reservedAt: 0,
  }
}

const parkedFor = (traffic: Traffic, now: number) => {
  const admission = admit(claim, LIMITED, traffic, { now, dice: () => 0 })
  return admission.kind === 'park' ? admission.until - now : null
}

describe('an event for a destination that allows one a second and has a full queue', () => {
  it('is parked until its turn: each one a second after the one before', () => {
    const traffic = fullQueue()
    expect([HOUR, HOUR, HOUR + SECOND].map((now) => parkedFor(traffic, now))).toEqual([6_000, 7_000, 7_000])
  })

  it('is parked until its turn also after the clock was set back', () => {
    const traffic = fullQueue()
    parkedFor(traffic, HOUR)
    expect([parkedFor(traffic, 0), parkedFor(traffic, 0)]).toEqual([7_000, 8_000])
  })
})

it('an event without a response is tried again after a second, ten times while the breaker is closed, and then less often', () => {
  const parkedFor = (parkCount: number, status: Destination['status'] = 'ACTIVE') =>
    parkUntil({ ...claim, parkCount }, { ...LIMITED, status }, fullQueue(), { now: HOUR, dice: () => 0 }) -
    HOUR
  expect([parkedFor(0), parkedFor(9)]).toEqual([SECOND, SECOND])
  expect([parkedFor(10), parkedFor(0, 'PAUSED')]).toEqual([69_392, 30 * SECOND])
})
