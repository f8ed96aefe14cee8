// What a worker gets of the limits of a destination, given what the others have.
import { describe, expect, it } from 'vitest'
import {
  leaseSlots,
  leaseTurns,
  NO_LEASES,
  SLOTS_MS,
  turnMs,
} from '../../../src/domain/settings/limit-leases.ts'
import { HOUR } from '../../support/fixtures.ts'

const NOW = 1_000_000

describe('turns', () => {
  const lease = (turnsUntil: number, want = 100, everyMs = 20) =>
    leaseTurns({ ...NO_LEASES, turnsUntil }, { now: NOW, everyMs, want })

  it('are leased in blocks of 200 ms, from now on or after those of the other workers', () => {
    expect(lease(0)).toMatchObject({
      turns: { from: NOW, everyMs: 20, count: 10 },
      leases: { turnsUntil: NOW + 200 },
    })
    expect(lease(NOW + 200)).toMatchObject({
      turns: { from: NOW + 200, count: 10 },
      leases: { turnsUntil: NOW + 400 },
    })
    expect(lease(0, 3)).toMatchObject({ turns: { count: 3 }, leases: { turnsUntil: NOW + 60 } })
  })

  it('are not leased more than 400 ms ahead, or two turns if these are longer', () => {
    expect(lease(NOW + 1_300)).toMatchObject({
      turns: { count: 0 },
      retryInMs: 900,
      leases: { turnsUntil: NOW + 1_300 },
    })
    expect(lease(NOW + 1_300, 1, 5_000)).toMatchObject({ turns: { from: NOW + 1_300, count: 1 } })
    expect(lease(NOW + 6_000, 1, 5_000)).toMatchObject({ turns: { count: 0 }, retryInMs: 1_000 })
  })

  it('begin now if the clock was set back', () => {
    expect(lease(NOW + HOUR).turns.from).toBe(NOW)
  })

  it('are so far apart that a second in which each may be late has no more than the limit', () => {
    for (const perSecond of [1, 7, 100, 1_000]) {
      const turnsIn = Math.floor((1_000 + 40 - 0.001) / turnMs(perSecond, 40)) + 1
      expect(turnsIn).toBe(perSecond)
    }
  })
})

describe('slots', () => {
  const lease = (slots: (typeof NO_LEASES)['slots'], want: number, worker = 'a') =>
    leaseSlots({ ...NO_LEASES, slots }, { now: NOW, worker, want, limit: 5 })
  const until = NOW + SLOTS_MS

  it('are what the other workers have left', () => {
    expect(lease({}, 3)).toMatchObject({ count: 3, leases: { slots: { a: { count: 3, until } } } })
    expect(lease({ a: { count: 3, until }, b: { count: 1, until } }, 9)).toMatchObject({
      count: 4,
      leases: { slots: { a: { count: 4 }, b: { count: 1 } } },
    })
    expect(lease({ b: { count: 5, until } }, 9)).toMatchObject({ count: 0, leases: { slots: { b: {} } } })
  })

  it('are those of another worker also if its clock is a little ahead', () => {
    expect(lease({ b: { count: 5, until: until + 20 } }, 9).count).toBe(0)
  })

  it('are free again when they are returned, when they expire, and when the clock was set back', () => {
    expect(lease({ a: { count: 3, until } }, 0).leases.slots).toEqual({})
    expect(lease({ b: { count: 5, until: NOW } }, 9).count).toBe(5)
    expect(lease({ b: { count: 5, until: NOW + HOUR } }, 9).count).toBe(5)
  })
})
