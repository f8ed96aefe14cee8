// The wall clock of a place, by the cases in docs/local-time.md.
import { describe, expect, it } from 'vitest'
import { readWallClock } from '../../../../src/domain/ledger/expected/wall-clock.ts'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'

const clockOf = (zone: string) => readWallClock(tzdb.rules(zone))
const wall = (text: string) => Date.parse(`${text}Z`)
const instant = (zone: string, text: string) =>
  `${new Date(clockOf(zone).instantOf(wall(text))).toISOString().slice(0, 16)}Z`

describe('the wall clock of a place', () => {
  it.each([
    ['Asia/Jakarta', '2027-05-17T09:00', '2027-05-17T02:00Z'],
    ['Asia/Kathmandu', '2027-01-15T09:00', '2027-01-15T03:15Z'],
    ['Pacific/Kiritimati', '2027-01-01T09:00', '2026-12-31T19:00Z'],
    ['Pacific/Pago_Pago', '2027-01-01T09:00', '2027-01-01T20:00Z'],
    ['America/Vancouver', '2026-12-15T09:00', '2026-12-15T16:00Z'],
    ['America/Havana', '2026-12-15T09:00', '2026-12-15T13:00Z'],
    ['Etc/UTC', '2026-12-15T09:00', '2026-12-15T09:00Z'],
  ])('of %s shows %s at %s', (zone, text, expected) => {
    expect(instant(zone, text)).toBe(expected)
    expect(clockOf(zone).wallAt(Date.parse(expected))).toBe(wall(text))
  })

  it('moves a time that the clock skips forward by the jump', () => {
    expect(instant('America/New_York', '2027-03-14T01:59')).toBe('2027-03-14T06:59Z')
    expect(instant('America/New_York', '2027-03-14T02:00')).toBe('2027-03-14T07:00Z')
    expect(instant('America/New_York', '2027-03-14T02:30')).toBe('2027-03-14T07:30Z')
    expect(instant('America/New_York', '2027-03-14T03:00')).toBe('2027-03-14T07:00Z')
  })

  it('uses the first of two equal times', () => {
    expect(instant('America/New_York', '2027-11-07T00:59')).toBe('2027-11-07T04:59Z')
    expect(instant('America/New_York', '2027-11-07T01:00')).toBe('2027-11-07T05:00Z')
    expect(instant('America/New_York', '2027-11-07T01:30')).toBe('2027-11-07T05:30Z')
    expect(instant('America/New_York', '2027-11-07T02:00')).toBe('2027-11-07T07:00Z')
  })

  it('moves a time on the day that Samoa skipped to the next day', () => {
    expect(instant('Pacific/Apia', '2011-12-29T09:00')).toBe('2011-12-29T19:00Z')
    expect(instant('Pacific/Apia', '2011-12-30T09:00')).toBe('2011-12-30T19:00Z')
    expect(instant('Pacific/Apia', '2011-12-31T09:00')).toBe('2011-12-30T19:00Z')
  })

  it('cannot be read from a text that is not complete', () => {
    for (const rules of ['', '0 3600|01|', '0|02|abc', '0|0|abc', 'x|0|', '0|00|!'])
      expect(() => readWallClock(rules), rules).toThrow(RangeError)
  })
})
