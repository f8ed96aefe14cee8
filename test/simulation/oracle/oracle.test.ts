// Checks the oracle against known instants, and against its own wall clock minute by minute.
import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../support/fixtures.ts'
import { createDice } from '../support/dice.ts'
import { nextOwed, owedAfterMove, type Schedule } from './expected-schedule.ts'
import { dueIn, instantOf, NEWEST, wallAt, ZONE_NAMES } from './oracle.ts'

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
  ])('finds 09:00 local time: born %s, %s, in %i', (dateOfBirth, timezone, year, expected) => {
    expect(dueIn(year, { dateOfBirth, timezone })).toBe(at(expected))
  })

  it('moves a skipped time forward and uses the first of a repeated time', () => {
    expect(instantOf(at('2027-03-14T02:30:00Z'), 'America/New_York')).toBe(at('2027-03-14T07:30:00Z'))
    expect(instantOf(at('2027-11-07T01:30:00Z'), 'America/New_York')).toBe(at('2027-11-07T05:30:00Z'))
  })

  it('agrees with a wall clock that is stepped minute by minute', () => {
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

describe('the expected schedule', () => {
  const ada: Schedule = {
    date: '1990-06-15',
    localTime: '09:00',
    timezone: 'Etc/UTC',
    release: NEWEST,
    leapDay: 'MARCH_1',
    repeats: 'YEARLY',
    calendar: 'gregorian',
    ruleRevision: 1,
    until: null,
    paused: false,
  }
  const due = at('2030-06-15T09:00:00Z')
  const before = { occurrence: '2029', at: at('2029-06-15T09:00:00Z') }

  it('is this year until 09:00 has passed, and next year afterwards', () => {
    expect(nextOwed(ada, { now: due, settled: null })).toEqual({ occurrence: '2030', at: due })
    expect(nextOwed(ada, { now: due + 1, settled: null })?.occurrence).toBe('2031')
    const settled = { occurrence: '2030~1', at: due }
    expect(nextOwed(ada, { now: due, settled })?.occurrence).toBe('2031')
  })

  it('keeps the pending year after a move to a place where its time has passed', () => {
    const now = at('2030-06-15T08:00:00Z')
    const inJakarta = { ...ada, timezone: 'Asia/Jakarta' }
    const owed = { occurrence: '2030', at: at('2030-06-15T02:00:00Z') }
    expect(owedAfterMove(inJakarta, { now, settled: before, pending: '2030' })).toEqual(owed)
  })

  it('goes back to an earlier year whose time is still ahead after a move', () => {
    const now = at('2030-06-15T10:00:00Z')
    const inDenver = { ...ada, timezone: 'America/Denver' }
    expect(owedAfterMove(inDenver, { now, settled: null, pending: '2031' })?.occurrence).toBe('2030')
  })

  it('moves 29 February to 28 February if the occasion says so', () => {
    const leap = { ...ada, date: '1996-02-29', leapDay: 'FEBRUARY_28' }
    expect(nextOwed(leap, { now: due, settled: null })?.at).toBe(at('2031-02-28T09:00:00Z'))
  })

  it('follows the days of a rule up to its last day', () => {
    const lastDays = {
      ...ada,
      date: '2030-06-01',
      repeats: 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2',
      ruleRevision: 2,
    }
    const first = nextOwed(lastDays, { now: due, settled: null })!
    expect(first).toEqual({ occurrence: '2:2030-06-30', at: at('2030-06-30T09:00:00Z') })
    const second = nextOwed(lastDays, { now: due, settled: first })!
    expect(second.occurrence).toBe('2:2030-07-31')
    expect(nextOwed(lastDays, { now: due, settled: second })).toBeNull()
    expect(nextOwed({ ...lastDays, until: '2030-06-29' }, { now: due, settled: null })).toBeNull()
    expect(nextOwed({ ...lastDays, paused: true }, { now: due, settled: null })).toBeNull()
  })

  it('has one occurrence for a one-time occasion', () => {
    const once = { ...ada, date: '2030-06-15', repeats: 'ONCE' }
    const only = nextOwed(once, { now: due, settled: null })!
    expect(only).toEqual({ occurrence: 'once', at: due })
    expect(nextOwed({ ...once, date: '2031-06-15' }, { now: due, settled: only })).toBeNull()
  })

  it('leaves half a year between the occurrences of two yearly rules', () => {
    const again = { ...ada, date: '1990-09-01', ruleRevision: 2 }
    const settled = { occurrence: '2030', at: due }
    expect(nextOwed(again, { now: due, settled })?.occurrence).toBe('2:2031')
  })

  it('has no second occurrence on the local day of the last one of the previous rule', () => {
    const again = { ...ada, repeats: 'FREQ=MONTHLY', localTime: '17:00', ruleRevision: 2 }
    const settled = { occurrence: '2030', at: due }
    expect(nextOwed(again, { now: due, settled })?.occurrence).toBe('2:2030-07-15')
  })
})
