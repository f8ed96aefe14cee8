import { describe, expect, it } from 'vitest'
import { parseOutage, parseRange } from '../../src/rehearsal/range.ts'

const NOW = Date.parse('2026-11-15T23:59:00Z')
const span = (startsAt: string, endsAt: string) => ({
  span: { startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt) },
})

describe('a range of days', () => {
  it('is a year from today by default', () => {
    expect(parseRange({}, NOW)).toEqual(span('2026-11-15T00:00Z', '2027-11-15T00:00Z'))
  })

  it('is a year from its first day if only --from is given, also from 29 February', () => {
    expect(parseRange({ from: '2028-02-29' }, NOW)).toEqual(span('2028-02-29T00:00Z', '2029-03-01T00:00Z'))
  })

  it('includes its last day', () => {
    expect(parseRange({ from: '2026-01-01', to: '2026-01-01' }, NOW)).toEqual(
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
    expect(parseRange(asked, NOW)).toEqual({ problem: expect.stringContaining(problem) })
  })
})

describe('an outage', () => {
  const range = { startsAt: Date.parse('2026-01-01T00:00Z'), endsAt: Date.parse('2027-01-01T00:00Z') }

  it.each([
    ['2026-12-15T00:00Z/PT6H', '2026-12-15T00:00Z', '2026-12-15T06:00Z'],
    ['2026-12-15T00:00:00.250Z/P1DT12H30M5S', '2026-12-15T00:00:00.250Z', '2026-12-16T12:30:05.250Z'],
    ['2026-12-15T09:00+07:00/2026-12-15T03:00Z', '2026-12-15T02:00Z', '2026-12-15T03:00Z'],
    ['2025-12-31T00:00Z/P2D', '2025-12-31T00:00Z', '2026-01-02T00:00Z'],
  ])('is parsed from %s', (text, startsAt, endsAt) => {
    expect(parseOutage(text, range)).toEqual(span(startsAt, endsAt))
  })

  it.each([
    '2026-12-15T00:00Z',
    '2026-12-15/PT6H',
    '2026-02-30T00:00Z/PT6H',
    '2026-12-15T00:00Z/6h',
    '2026-12-15T00:00Z/PT0S',
    '2026-12-15T00:00Z/P',
    '2026-12-15T00:00Z/2026-12-14T00:00Z',
    '2026-12-15T00:00Z/PT6H/PT6H',
    '2026-12-15T24:01Z/PT6H',
  ])('is rejected: %s', (text) => {
    expect(parseOutage(text, range)).toEqual({
      problem: `--outage ${text} is not usable. Give start and length, such as 2026-12-15T00:00Z/PT6H.`,
    })
  })

  it('must overlap the range', () => {
    expect(parseOutage('2027-01-01T00:00Z/PT6H', range)).toEqual({
      problem: expect.stringContaining('is not within --from and --to'),
    })
    expect(parseOutage('2025-12-31T18:00Z/PT6H', range)).toHaveProperty('problem')
  })
})
