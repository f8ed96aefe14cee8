// Pinned results of the next occurrence: each instant was worked out by hand from the law of the place.
import { describe, expect, it } from 'vitest'
import {
  nextOccurrence,
  nextYearly,
  type Occurrence,
  occurrenceInYear,
  type YearlyRule,
} from '../../../src/domain/occasions/next-occurrence.ts'
import { loadTimezoneTable } from '../../../src/domain/time/tzdb.ts'

const at = (text: string) => Date.parse(text)

/** An occurrence with its instant as text, so that a failure reads well. */
function shown({ instant, ...rest }: Occurrence) {
  return { at: new Date(instant).toISOString().replace('.000Z', 'Z'), ...rest }
}
const next = (rule: YearlyRule, now: string) => shown(nextOccurrence(rule, at(now)))
const instantOn = (timezone: string, date: string, localTime = '09:00') =>
  shown(occurrenceInYear({ date, localTime, timezone }, Number(date.slice(0, 4)))).at

describe('the next occurrence', () => {
  const july4: YearlyRule = { date: '1990-07-04', timezone: 'America/New_York' }

  it('is at 09:00 this year while that is ahead', () => {
    const expected = { at: '2026-07-04T13:00:00Z', occursOn: '2026-07-04', offsetMinutes: -240 }
    expect(next(july4, '2026-01-01T00:00:00Z')).toEqual(expected)
  })

  it('is now at the exact instant, and next year one millisecond later', () => {
    expect(next(july4, '2026-07-04T12:59:59.999Z').at).toBe('2026-07-04T13:00:00Z')
    expect(next(july4, '2026-07-04T13:00:00.000Z').at).toBe('2026-07-04T13:00:00Z')
    expect(next(july4, '2026-07-04T13:00:00.001Z').at).toBe('2027-07-04T13:00:00Z')
  })

  it('has no note and no other key on an ordinary day', () => {
    expect(Object.keys(nextOccurrence(july4, 0)).sort()).toEqual(['instant', 'occursOn', 'offsetMinutes'])
  })

  it('is at the local time of the rule, seconds included', () => {
    expect(next({ ...july4, localTime: '18:45:30' }, '2026-01-01T00:00:00Z').at).toBe('2026-07-04T22:45:30Z')
  })

  it('uses the timezone table that it is given', () => {
    const table = loadTimezoneTable({ version: '2027a', zones: { 'America/New_York': '7200|0|' }, links: {} })
    expect(nextOccurrence(july4, at('2026-01-01T00:00:00Z'), table).instant).toBe(at('2026-07-04T07:00:00Z'))
  })
})

describe('the next occurrence of 29 February', () => {
  const leap: YearlyRule = { date: '1992-02-29', timezone: 'Europe/Berlin' }
  const early: YearlyRule = { ...leap, leapDay: 'FEBRUARY_28' }

  it('is on 29 February in a leap year', () => {
    const expected = { at: '2028-02-29T08:00:00Z', occursOn: '2028-02-29', offsetMinutes: 60 }
    expect(next(leap, '2028-01-01T00:00:00Z')).toEqual(expected)
    expect(next(early, '2028-01-01T00:00:00Z')).toEqual(expected)
    expect(next(leap, '2000-01-01T00:00:00Z').occursOn).toBe('2000-02-29')
  })

  it.each([
    ['1 March', leap, '2027-03-01'],
    ['28 February if the rule asks for it', early, '2027-02-28'],
  ])('is in a common year on %s', (_, rule, occursOn) => {
    const expected = { at: `${occursOn}T08:00:00Z`, occursOn, offsetMinutes: 60, note: 'LEAP_DAY_MOVED' }
    expect(next(rule, '2027-01-01T00:00:00Z')).toEqual(expected)
  })

  it('comes once a year, on 28 February as on 1 March', () => {
    expect(next(early, '2027-02-28T08:00:00.001Z').occursOn).toBe('2028-02-29')
    expect(next(leap, '2027-02-28T08:00:00.001Z').occursOn).toBe('2027-03-01')
    expect(next(leap, '2027-03-01T08:00:00.001Z').occursOn).toBe('2028-02-29')
    expect(next(leap, '2028-02-29T08:00:00.001Z').occursOn).toBe('2029-03-01')
  })
})

describe('the next occurrence around New Year', () => {
  it('uses the local year east of Greenwich', () => {
    const newYear: YearlyRule = { date: '2000-01-01', timezone: 'Pacific/Kiritimati' }
    expect(next(newYear, '2026-12-31T18:59:59Z')).toEqual({
      at: '2026-12-31T19:00:00Z',
      occursOn: '2027-01-01',
      offsetMinutes: 840,
    })
    expect(next(newYear, '2026-12-31T19:00:00.001Z')).toMatchObject({
      at: '2027-12-31T19:00:00Z',
      occursOn: '2028-01-01',
    })
  })

  it.each(['Pacific/Pago_Pago', 'Pacific/Niue', 'Pacific/Midway'])(
    'uses the local year west of Greenwich, in %s',
    (timezone) => {
      const eve: YearlyRule = { date: '2000-12-31', timezone }
      expect(next(eve, '2027-01-01T05:00:00Z')).toMatchObject({
        at: '2027-12-31T20:00:00Z',
        occursOn: '2027-12-31',
      })
      expect(next(eve, '2026-12-31T20:00:00Z')).toMatchObject({
        at: '2026-12-31T20:00:00Z',
        occursOn: '2026-12-31',
      })
      expect(next({ ...eve, localTime: '23:30' }, '2027-01-01T05:00:00Z').at).toBe('2027-01-01T10:30:00Z')
      expect(next({ ...eve, date: '2000-01-01' }, '2027-01-01T05:00:00Z').at).toBe('2027-01-01T20:00:00Z')
    },
  )
})

describe('the occurrence on a day with a clock change', () => {
  it('moves forward by the gap if its local time is skipped', () => {
    const rule: YearlyRule = { date: '2001-03-08', localTime: '02:30', timezone: 'America/New_York' }
    expect(next(rule, '2026-01-01T00:00:00Z')).toEqual({
      at: '2026-03-08T07:30:00Z',
      occursOn: '2026-03-08',
      offsetMinutes: -240,
      note: 'CLOCK_GAP',
    })
    expect(next(rule, '2027-01-01T00:00:00Z')).toEqual({
      at: '2027-03-08T07:30:00Z',
      occursOn: '2027-03-08',
      offsetMinutes: -300,
    })
  })

  it('keeps its date if midnight is skipped', () => {
    const rule: YearlyRule = { date: '2001-04-24', localTime: '00:00', timezone: 'Africa/Cairo' }
    expect(next(rule, '2026-01-01T00:00:00Z')).toEqual({
      at: '2026-04-23T22:00:00Z',
      occursOn: '2026-04-24',
      offsetMinutes: 180,
      note: 'CLOCK_GAP',
    })
  })

  it('is at the earlier instant if its local time comes twice', () => {
    const rule: YearlyRule = { date: '2001-11-01', localTime: '01:30', timezone: 'America/New_York' }
    expect(next(rule, '2026-01-01T00:00:00Z')).toEqual({
      at: '2026-11-01T05:30:00Z',
      occursOn: '2026-11-01',
      offsetMinutes: -240,
      note: 'CLOCK_OVERLAP',
    })
  })

  it('does not come again at the second of two equal local times', () => {
    const rule: YearlyRule = { date: '2001-11-01', localTime: '01:30', timezone: 'America/New_York' }
    expect(next(rule, '2026-11-01T06:00:00Z').occursOn).toBe('2027-11-01')
  })
})

describe('the occurrence on a date that the zone skipped', () => {
  it.each([
    ['Pacific/Apia', '2011-12-30', '2011-12-30T19:00:00Z', '2011-12-31'],
    ['Pacific/Kiritimati', '1994-12-31', '1994-12-31T19:00:00Z', '1995-01-01'],
  ])('is at 09:00 on the next day in %s (%s)', (timezone, date, instant, occursOn) => {
    const year = Number(date.slice(0, 4))
    expect(shown(occurrenceInYear({ date, timezone }, year))).toMatchObject({
      at: instant,
      occursOn,
      year,
      note: 'DATE_SKIPPED',
    })
  })

  it('is still ahead in the first hours of the year that it moved into', () => {
    const eve: YearlyRule = { date: '1980-12-31', timezone: 'Pacific/Kiritimati' }
    expect(next(eve, '1994-12-31T15:00:00Z')).toEqual({
      at: '1994-12-31T19:00:00Z',
      occursOn: '1995-01-01',
      offsetMinutes: 840,
      note: 'DATE_SKIPPED',
    })
    expect(next(eve, '1994-12-31T19:00:00.001Z').occursOn).toBe('1995-12-31')
  })
})

describe('the occurrence under the timezone laws of 2026', () => {
  // Vancouver stays at UTC-7 after 1 November 2026, for good.
  // Casablanca is at UTC+0 for good since 20 September 2026. Havana does not turn its clocks back until 7 November
  // 2027 and stays at UTC-4 until then; from 2028 it changes twice a year as before.
  it.each([
    ['America/Vancouver', '2026-12-15', '2026-12-15T16:00:00Z'],
    ['Africa/Casablanca', '2026-12-15', '2026-12-15T09:00:00Z'],
    ['America/Havana', '2026-12-15', '2026-12-15T13:00:00Z'],
    ['America/Vancouver', '2025-12-15', '2025-12-15T17:00:00Z'],
    ['Africa/Casablanca', '2025-12-15', '2025-12-15T08:00:00Z'],
    ['America/Havana', '2025-12-15', '2025-12-15T14:00:00Z'],
    ['America/Havana', '2027-12-15', '2027-12-15T14:00:00Z'],
    ['America/Havana', '2028-07-15', '2028-07-15T13:00:00Z'],
  ])('has 09:00 in %s on %s at %s', (timezone, date, expected) => {
    expect(instantOn(timezone, date)).toBe(expected)
  })
})

describe('the occurrence in a far year', () => {
  it('is found for the first and the last supported now', () => {
    const rule: YearlyRule = { date: '2000-01-01', timezone: 'Pacific/Auckland' }
    expect(next(rule, '1970-01-01T00:00:00.000Z').occursOn).toBe('1971-01-01')
    expect(next({ ...rule, timezone: 'Pacific/Pago_Pago' }, '1970-01-01T00:00:00.000Z').occursOn).toBe(
      '1970-01-01',
    )
    expect(next(rule, '2049-12-31T23:59:59.999Z')).toMatchObject({
      at: '2050-12-31T20:00:00Z',
      occursOn: '2051-01-01',
    })
  })
})

describe('nextYearly()', () => {
  const rule: YearlyRule = { date: '1990-05-17', timezone: 'Asia/Jakarta' }

  it('returns the first later year that is still ahead', () => {
    const notBefore = at('2026-05-17T02:00:00Z')
    expect(nextYearly(rule, { notBefore })).toMatchObject({ year: 2026, instant: notBefore })
    expect(nextYearly(rule, { notBefore, afterYear: 2026 })).toMatchObject({
      year: 2027,
      occursOn: '2027-05-17',
    })
    expect(nextYearly(rule, { notBefore, afterYear: 2030 }).year).toBe(2031)
    expect(nextYearly(rule, { notBefore, afterYear: 2019 }).year).toBe(2026)
  })

  it('returns the year that an occurrence belongs to, not the year that it moved into', () => {
    const eve: YearlyRule = { date: '1980-12-31', timezone: 'Pacific/Kiritimati' }
    const notBefore = at('1994-12-31T15:00:00Z')
    expect(nextYearly(eve, { notBefore })).toMatchObject({ year: 1994, occursOn: '1995-01-01' })
    expect(nextYearly(eve, { notBefore, afterYear: 1994 })).toMatchObject({
      year: 1995,
      occursOn: '1995-12-31',
    })
  })
})

describe('nextOccurrence() with invalid input', () => {
  const rule: YearlyRule = { date: '1990-05-17', timezone: 'Asia/Jakarta' }

  it.each([
    [
      { ...rule, date: '1990-02-30' },
      '"1990-02-30" is not a date. Use YYYY-MM-DD and a date that exists, such as 1990-02-28.',
    ],
    [{ ...rule, localTime: '9am' }, '"9am" is not a time of day. Use HH:MM or HH:MM:SS, such as 09:00.'],
    [{ ...rule, timezone: 'PST' }, 'Unknown timezone "PST". Use an IANA name such as Asia/Jakarta.'],
    [
      { ...rule, leapDay: 'MARCH_2' as never },
      '"MARCH_2" is not a choice for 29 February. Use MARCH_1 or FEBRUARY_28.',
    ],
  ])('throws an error with the value and a remedy: %j', (bad, message) => {
    expect(() => nextOccurrence(bad, 0)).toThrow(new RangeError(message))
    expect(() => occurrenceInYear(bad, 2026)).toThrow(new RangeError(message))
  })

  it('throws for an instant or a year that is out of range', () => {
    for (const now of [Number.NaN, Number.POSITIVE_INFINITY, 1e17]) {
      expect(() => nextOccurrence(rule, now)).toThrow(/^Instant .* is out of range\. Use epoch milliseconds/)
    }
    expect(() => occurrenceInYear(rule, 2026.5)).toThrow(/^Year 2026\.5 is out of range/)
    expect(() => nextYearly(rule, { notBefore: 0, afterYear: 0 })).toThrow(/^Year 0 is out of range/)
  })
})
