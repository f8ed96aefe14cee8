import { describe, expect, it } from 'vitest'
import { parsePeriod } from '../../../src/cli/preview/period.ts'

const NOW = Date.parse('2026-11-15T23:59:00Z')
const span = (startsAt: string, endsAt: string) => ({
  startsAt: Date.parse(startsAt),
  endsAt: Date.parse(endsAt),
})

describe('the period of a preview', () => {
  it('is a year from today by default, up to and including the same date', () => {
    expect(parsePeriod({}, NOW)).toEqual(span('2026-11-15T00:00Z', '2027-11-16T00:00Z'))
  })

  it('is a year from its first day if only --from is given, also from 29 February', () => {
    expect(parsePeriod({ from: '2028-02-29' }, NOW)).toEqual(span('2028-02-29T00:00Z', '2029-03-02T00:00Z'))
  })

  it('includes its last day', () => {
    expect(parsePeriod({ from: '2026-01-01', to: '2026-01-01' }, NOW)).toEqual(
      span('2026-01-01T00:00Z', '2026-01-02T00:00Z'),
    )
  })

  it.each([
    [
      { from: 'today' },
      '--from today is not usable. Give a day as YYYY-MM-DD, from 1970-01-01 to 2049-12-31.',
    ],
    [{ from: '1969-12-31' }, '--from 1969-12-31 is not usable. Give a day as'],
    [{ to: '2050-01-01' }, '--to 2050-01-01 is not usable. Give a day as'],
    [{ to: '2026-11-14' }, '--to 2026-11-14 is before --from 2026-11-15. Give a later day.'],
  ])('is rejected: %j', (asked, problem) => {
    expect(() => parsePeriod(asked, NOW)).toThrow(problem)
  })
})
