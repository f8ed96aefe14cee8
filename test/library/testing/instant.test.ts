import { describe, expect, it } from 'vitest'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import {
  instantFrom,
  instantOfLocal,
  millisecondsOf,
  rejectBackwards,
} from '../../../src/library/testing/instant.ts'

const at = Date.parse

describe('an instant of a test', () => {
  it('is a text with Z or an offset, a Date, or epoch milliseconds', () => {
    const noon = at('2027-02-28T12:00:00Z')
    const given = ['2027-02-28T12:00Z', '2027-02-28T07:00:00-05:00', new Date(noon), noon]
    expect(given.map(instantFrom)).toEqual([noon, noon, noon, noon])
  })

  it.each(['2027-02-28T09:00', '2027-02-30T09:00Z', 'tomorrow', Number.NaN, new Date('x'), 0.5])(
    'is rejected if it is %s',
    (given) => {
      expect(() => instantFrom(given)).toThrow(/is not an instant\. Use a text with Z or an offset/)
    },
  )
})

describe('a local time of a test', () => {
  const local = (text: string, zone: string) => new Date(instantOfLocal(text, zone, 0, tzdb)).toISOString()

  it('is an instant in its timezone', () => {
    expect(local('2027-02-28T09:00', 'America/New_York')).toBe('2027-02-28T14:00:00.000Z')
    expect(local('2027-07-01T09:00:30', 'europe/berlin')).toBe('2027-07-01T07:00:30.000Z')
  })

  it('moves forward by the jump of the clock if it does not exist', () => {
    // 02:30 does not exist: the clocks go from 02:00 to 03:00.
    expect(local('2027-03-14T02:30', 'America/New_York')).toBe('2027-03-14T07:30:00.000Z')
  })

  it('is the first of two if it occurs twice', () => {
    expect(local('2027-11-07T01:30', 'America/New_York')).toBe('2027-11-07T05:30:00.000Z')
  })

  it.each(['2027-02-28', '2027-02-28T09:00Z', '2027-02-30T09:00', '2027-02-28T9:00', '2027-02-28T09:00T'])(
    'is rejected if it is %s',
    (text) => {
      expect(() => local(text, 'UTC')).toThrow(/is not a local time\. Use YYYY-MM-DDTHH:MM/)
    },
  )

  it('is rejected in an unknown timezone, with a suggestion', () => {
    expect(() => local('2027-02-28T09:00', 'America/NewYork')).toThrow(
      /Unknown timezone "America\/NewYork".*America\/New_York/,
    )
  })
})

describe('a duration of a test', () => {
  it('is a number of milliseconds, or days, hours, minutes and seconds', () => {
    expect(millisecondsOf(5)).toBe(5)
    expect(millisecondsOf({ days: 1, hours: 2, minutes: 3, seconds: 4 })).toBe(93_784_000)
  })

  it.each([Number.NaN, 0.5, { seconds: Number.POSITIVE_INFINITY }])('is rejected if it is %s', (given) => {
    expect(() => millisecondsOf(given)).toThrow(/is not a duration\. Use whole milliseconds/)
  })
})

it('a move back is rejected with both instants', () => {
  expect(() => rejectBackwards(1_000, 999)).toThrow(
    'The clock is at 1970-01-01T00:00:01.000Z and cannot be moved back to 1970-01-01T00:00:00.999Z.',
  )
  rejectBackwards(1_000, 1_000)
})
