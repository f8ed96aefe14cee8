// The oracle is itself held to answers known from elsewhere, and to what its own wall clock shows minute by minute.
import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../fixtures.ts'
import { createDice } from './dice.ts'
import { dueIn, instantOf, wallAt, ZONE_NAMES } from './oracle.ts'
import { greetingAfterMove, nextGreeting } from './promise.ts'

const at = (text: string) => Date.parse(text)

describe('the oracle', () => {
  it.each([
    ['1990-05-17', 'Asia/Jakarta', 2027, '2027-05-17T02:00:00Z'],
    ['1990-01-15', 'Asia/Kathmandu', 2027, '2027-01-15T03:15:00Z'],
    ['1990-01-01', 'Pacific/Kiritimati', 2027, '2026-12-31T19:00:00Z'],
    ['1990-01-01', 'Pacific/Pago_Pago', 2027, '2027-01-01T20:00:00Z'],
    ['1990-12-15', 'America/Vancouver', 2026, '2026-12-15T16:00:00Z'],
    ['1996-02-29', 'Europe/Berlin', 2027, '2027-03-01T08:00:00Z'],
    ['1996-02-29', 'Europe/Berlin', 2028, '2028-02-29T08:00:00Z'],
    ['1990-12-30', 'Pacific/Apia', 2011, '2011-12-30T19:00:00Z'],
  ])('knows nine o’clock: born %s, %s, in %i', (dateOfBirth, timezone, year, expected) => {
    expect(dueIn(year, { dateOfBirth, timezone })).toBe(at(expected))
  })

  it('jumps forward over a gap and takes the first of two', () => {
    expect(instantOf(at('2027-03-14T02:30:00Z'), 'America/New_York')).toBe(at('2027-03-14T07:30:00Z'))
    expect(instantOf(at('2027-11-07T01:30:00Z'), 'America/New_York')).toBe(at('2027-11-07T05:30:00Z'))
  })

  it('agrees with a wall clock that is watched minute by minute', () => {
    const dice = createDice(7)
    for (let i = 0; i < 100; i++) {
      const timezone = dice.pick(ZONE_NAMES)
      const wall = Date.UTC(dice.between(2026, 2049), 0, dice.between(1, 365), 9)
      let minute = wall - DAY
      while (wallAt(minute, timezone) < wall) minute += MINUTE
      expect(instantOf(wall, timezone), `${timezone} ${new Date(wall).toISOString()}`).toBe(minute)
    }
  })
})

describe('the promise', () => {
  const ada = { dateOfBirth: '1990-06-15', timezone: 'Etc/UTC' }

  it('is this year while nine is not over, and next year from then on', () => {
    const nine = at('2030-06-15T09:00:00Z')
    expect(nextGreeting(ada, { now: nine, settled: null })).toEqual({ year: 2030, at: nine })
    expect(nextGreeting(ada, { now: nine + 1, settled: null }).year).toBe(2031)
    expect(nextGreeting(ada, { now: nine, settled: 2030 }).year).toBe(2031)
  })

  it('keeps a year that is owed when someone moves to where it has gone by', () => {
    const now = at('2030-06-15T08:00:00Z')
    const inJakarta = { ...ada, timezone: 'Asia/Jakarta' }
    const owed = { year: 2030, at: at('2030-06-15T02:00:00Z') }
    expect(greetingAfterMove(inJakarta, { now, settled: 2029, pending: 2030 })).toEqual(owed)
  })

  it('goes back to a year that can still be kept where someone moves to', () => {
    const now = at('2030-06-15T10:00:00Z')
    const inDenver = { ...ada, timezone: 'America/Denver' }
    expect(greetingAfterMove(inDenver, { now, settled: null, pending: 2031 }).year).toBe(2030)
  })
})
