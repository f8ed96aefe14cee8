// The occurrence that a yearly occasion plans: the first, the one after the last settled, and the one that moves with its user.
import { describe, expect, it } from 'vitest'
import { cutOffOf } from '../../../src/domain/occasions/occasion.ts'
import { recurring } from '../../../src/domain/occasions/recurring.ts'
import { type LastSettled, ruleOf, type Schedule, type Slot } from '../../../src/domain/occasions/schedule.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { makeOccasion, makePerson } from '../../support/fixtures.ts'

const at = (text: string) => Date.parse(text)
const show = (slot: Slot | null) =>
  slot && `${slot.occurrence} ${new Date(slot.instant).toISOString().slice(0, 16)}Z`

function birthday(timezone: string, dateOfBirth = '1990-06-15'): Schedule {
  const { user } = makePerson({ dateOfBirth, timezone })
  return { occasion: makeOccasion(user), user, task: null }
}
/** Within one rule revision only the name counts, not the instant. */
const past = (occurrence: string | null): LastSettled | null =>
  occurrence === null ? null : { occurrence, targetAt: 0 }
const first = (of: Schedule, now: string, after: string | null = null) =>
  show(recurring.first(of, { now: at(now), after: past(after) }, tzdb))
const moved = (of: Schedule, now: string, from: { after: string | null; pending: string }) =>
  show(recurring.moved(of, { now: at(now), after: past(from.after), pending: from.pending }, tzdb))

describe('the rule of an occasion', () => {
  const { user } = makePerson({ dateOfBirth: '1990-06-15', timezone: 'Asia/Tokyo' })

  it('uses the date of birth unless the occasion has a date', () => {
    expect(ruleOf(makeOccasion(user), user)).toEqual({
      date: '1990-06-15',
      localTime: '09:00',
      timezone: 'Asia/Tokyo',
      leapDay: 'MARCH_1',
      send: { shiftDays: 0, onWeekend: 'EXACT' },
    })
    const send = { shiftDays: -3, onWeekend: 'BEFORE' } as const
    const own = makeOccasion(user, {
      date: '2012-02-29',
      localTime: '18:30',
      leapDay: 'FEBRUARY_28',
      ...send,
    })
    expect(ruleOf(own, user)).toEqual({
      date: '2012-02-29',
      localTime: '18:30',
      timezone: 'Asia/Tokyo',
      leapDay: 'FEBRUARY_28',
      send,
    })
  })
})

describe('the first occurrence of a yearly occasion', () => {
  it('is this year’s while it is ahead or now, else next year’s', () => {
    expect(first(birthday('Etc/UTC'), '2026-01-01T00:00:00Z')).toBe('2026 2026-06-15T09:00Z')
    expect(first(birthday('Etc/UTC'), '2026-06-15T09:00:00Z')).toBe('2026 2026-06-15T09:00Z')
    expect(first(birthday('Etc/UTC'), '2026-06-15T09:00:00.001Z')).toBe('2027 2027-06-15T09:00Z')
  })

  it('comes after the last settled one, even at the same instant', () => {
    expect(first(birthday('Etc/UTC'), '2026-06-15T09:00:00Z', '2026')).toBe('2027 2027-06-15T09:00Z')
    expect(first(birthday('Etc/UTC'), '2026-01-01T00:00:00Z', '2026')).toBe('2027 2027-06-15T09:00Z')
  })

  it('skips years that have passed', () => {
    expect(first(birthday('Etc/UTC'), '2031-07-01T00:00:00Z', '2026')).toBe('2032 2032-06-15T09:00Z')
  })

  it('treats a settled replay as the year that it replays', () => {
    expect(first(birthday('Etc/UTC'), '2026-01-01T00:00:00Z', '2026~1')).toBe('2027 2027-06-15T09:00Z')
  })

  it('is the first anniversary, not the original date itself', () => {
    const { user } = makePerson()
    const wedding: Schedule = { occasion: makeOccasion(user, { date: '2028-12-24' }), user, task: null }
    expect(first(wedding, '2026-11-15T00:00:00Z')).toBe('2029 2029-12-24T09:00Z')
    expect(first(wedding, '2028-12-24T09:00:01Z')).toBe('2029 2029-12-24T09:00Z')
    expect(first(birthday('Etc/UTC', '0001-06-15'), '2026-01-01T00:00:00Z')).toBe('2026 2026-06-15T09:00Z')
  })
})

describe('a pending occurrence whose user moves to another timezone', () => {
  it('moves to 09:00 in the new timezone', () => {
    const from = { after: null, pending: '2026' }
    expect(moved(birthday('Asia/Tokyo'), '2026-01-01T00:00:00Z', from)).toBe('2026 2026-06-15T00:00Z')
  })

  it('stays due if 09:00 has passed in the new timezone', () => {
    const from = { after: null, pending: '2026' }
    expect(moved(birthday('Asia/Tokyo'), '2026-06-15T10:00:00Z', from)).toBe('2026 2026-06-15T00:00Z')
  })

  it('is replaced by an earlier one that is still possible in the new timezone', () => {
    const from = { after: null, pending: '2027' }
    expect(moved(birthday('America/Los_Angeles'), '2026-06-15T03:00:00Z', from)).toBe(
      '2026 2026-06-15T16:00Z',
    )
  })

  it('is not replaced by one that was settled', () => {
    const from = { after: '2026', pending: '2027' }
    expect(moved(birthday('America/Los_Angeles'), '2026-06-15T03:00:00Z', from)).toBe(
      '2027 2027-06-15T16:00Z',
    )
  })

  it('keeps its year across New Year', () => {
    const newYear = (timezone: string) => birthday(timezone, '1990-01-01')
    const from = { after: null, pending: '2027' }
    expect(moved(newYear('Pacific/Kiritimati'), '2026-12-31T20:00:00Z', from)).toBe('2027 2026-12-31T19:00Z')
    expect(moved(newYear('Pacific/Pago_Pago'), '2026-12-31T20:00:00Z', from)).toBe('2027 2027-01-01T20:00Z')
  })
})

describe('cutOffOf()', () => {
  const event = { targetAt: at('2026-06-15T00:00:00Z'), offsetSeconds: 9 * 3600, timezone: 'Asia/Tokyo' }
  const cutOff = (notAfter: string | null) => {
    const instant = cutOffOf(event, notAfter, tzdb)
    return instant && new Date(instant).toISOString()
  }

  it('is in local time, on the day of the event or the next day', () => {
    expect(cutOff('21:00')).toBe('2026-06-15T12:00:00.000Z')
    expect(cutOff('09:00')).toBe('2026-06-15T00:00:00.000Z')
    expect(cutOff('08:00')).toBe('2026-06-15T23:00:00.000Z')
    expect(cutOff(null)).toBe(null)
  })
})
