// Which occurrence an occasion owes: the first, the next after one that is spoken for, and the one that moves along.
import { describe, expect, it } from 'vitest'
import type { YearlyOccurrence, YearlyRule } from '../../src/domain/next-occurrence.ts'
import { firstOccurrence, movedOccurrence, ruleOf } from '../../src/domain/occasion.ts'
import { tzdb } from '../../src/domain/tzdb.ts'
import { makeOccasion, makePerson } from '../fixtures.ts'

const at = (text: string) => Date.parse(text)
const show = ({ year, instant }: YearlyOccurrence) =>
  `${year} ${new Date(instant).toISOString().slice(0, 16)}Z`

const rule = (timezone: string, date = '1990-06-15'): YearlyRule => ({ date, timezone })
const first = (of: YearlyRule, now: string, after: string | null = null) =>
  show(firstOccurrence(of, { now: at(now), after }, tzdb))
const moved = (of: YearlyRule, now: string, from: { after: string | null; pending: string }) =>
  show(movedOccurrence(of, { now: at(now), ...from }, tzdb))

describe('the rule of an occasion', () => {
  const { user } = makePerson({ dateOfBirth: '1990-06-15', timezone: 'Asia/Tokyo' })

  it('recalls the date of birth unless the occasion has a date of its own', () => {
    expect(ruleOf(makeOccasion(user), user)).toEqual({
      date: '1990-06-15',
      localTime: '09:00',
      timezone: 'Asia/Tokyo',
      leapDay: 'MARCH_1',
    })
    const own = makeOccasion(user, { date: '2012-02-29', localTime: '18:30', leapDay: 'FEBRUARY_28' })
    expect(ruleOf(own, user)).toEqual({
      date: '2012-02-29',
      localTime: '18:30',
      timezone: 'Asia/Tokyo',
      leapDay: 'FEBRUARY_28',
    })
  })
})

describe('the first occurrence', () => {
  it('is this year’s while it is ahead or now, else next year’s', () => {
    expect(first(rule('Etc/UTC'), '2026-01-01T00:00:00Z')).toBe('2026 2026-06-15T09:00Z')
    expect(first(rule('Etc/UTC'), '2026-06-15T09:00:00Z')).toBe('2026 2026-06-15T09:00Z')
    expect(first(rule('Etc/UTC'), '2026-06-15T09:00:00.001Z')).toBe('2027 2027-06-15T09:00Z')
  })

  it('comes after the one that is spoken for, even at its very instant', () => {
    expect(first(rule('Etc/UTC'), '2026-06-15T09:00:00Z', '2026')).toBe('2027 2027-06-15T09:00Z')
    expect(first(rule('Etc/UTC'), '2026-01-01T00:00:00Z', '2026')).toBe('2027 2027-06-15T09:00Z')
  })

  it('skips the years that passed meanwhile', () => {
    expect(first(rule('Etc/UTC'), '2031-07-01T00:00:00Z', '2026')).toBe('2032 2032-06-15T09:00Z')
  })

  it('takes a replay for the year it replays', () => {
    expect(first(rule('Etc/UTC'), '2026-01-01T00:00:00Z', '2026~1')).toBe('2027 2027-06-15T09:00Z')
  })
})

describe('a pending occurrence whose person moves', () => {
  it('goes along to nine o’clock in the new place', () => {
    const from = { after: null, pending: '2026' }
    expect(moved(rule('Asia/Tokyo'), '2026-01-01T00:00:00Z', from)).toBe('2026 2026-06-15T00:00Z')
  })

  it('stays owed when nine has passed in the new place', () => {
    const from = { after: null, pending: '2026' }
    expect(moved(rule('Asia/Tokyo'), '2026-06-15T10:00:00Z', from)).toBe('2026 2026-06-15T00:00Z')
  })

  it('gives way to an earlier one that can still be kept in the new place', () => {
    const from = { after: null, pending: '2027' }
    expect(moved(rule('America/Los_Angeles'), '2026-06-15T03:00:00Z', from)).toBe('2026 2026-06-15T16:00Z')
  })

  it('does not give way to one that was settled', () => {
    const from = { after: '2026', pending: '2027' }
    expect(moved(rule('America/Los_Angeles'), '2026-06-15T03:00:00Z', from)).toBe('2027 2027-06-15T16:00Z')
  })

  it('keeps its year across New Year', () => {
    const newYear = (timezone: string) => rule(timezone, '1990-01-01')
    const from = { after: null, pending: '2027' }
    expect(moved(newYear('Pacific/Kiritimati'), '2026-12-31T20:00:00Z', from)).toBe('2027 2026-12-31T19:00Z')
    expect(moved(newYear('Pacific/Pago_Pago'), '2026-12-31T20:00:00Z', from)).toBe('2027 2027-01-01T20:00Z')
  })
})
