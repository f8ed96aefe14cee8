// Explanations of an occurrence: its instant, and one note for each reason why it differs from an ordinary year.
import { describe, expect, it } from 'vitest'
import { explainOccurrence, type NoteCode } from '../../../src/domain/occasions/explain.ts'
import { occurrenceInYear, type YearlyRule } from '../../../src/domain/occasions/next-occurrence.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'

function codes(rule: YearlyRule, year: number): NoteCode[] {
  return explainOccurrence(rule, year).notes.map(({ code }) => code)
}

function texts(rule: YearlyRule, year: number): string[] {
  return explainOccurrence(rule, year).notes.map(({ text }) => text)
}

describe('explainOccurrence()', () => {
  it('returns local time, offset, instant and tz release, and no note on an ordinary day', () => {
    expect(explainOccurrence({ date: '1990-05-17', timezone: 'asia/jakarta' }, 2027)).toEqual({
      year: 2027,
      instant: Date.parse('2027-05-17T02:00:00Z'),
      offsetSeconds: 7 * 3600,
      utc: '2027-05-17T02:00:00.000Z',
      local: '2027-05-17T09:00:00+07:00',
      timezone: 'Asia/Jakarta',
      tzVersion: tzdb.version,
      notes: [],
    })
  })

  it('returns the instant and offset that the planner uses, in every zone', () => {
    for (const timezone of tzdb.zones()) {
      for (const year of [1971, 1999, 2011, 2026, 2049]) {
        const rule: YearlyRule = { date: '1992-02-29', localTime: '02:30', timezone }
        const { instant, offsetMinutes } = occurrenceInYear(rule, year)
        const explained = explainOccurrence(rule, year)
        expect([explained.instant, explained.offsetSeconds]).toEqual([
          instant,
          Math.round(offsetMinutes * 60),
        ])
      }
    }
  })

  it('explains year 1, which has no earlier year to compare with', () => {
    expect(explainOccurrence({ date: '0001-05-17', timezone: 'Etc/UTC' }, 1).utc).toBe(
      '0001-05-17T09:00:00.000Z',
    )
  })
})

describe('the explanation of 29 February', () => {
  const rule: YearlyRule = { date: '1992-02-29', timezone: 'Europe/Berlin' }

  it('says that it moves to 1 March in a common year', () => {
    expect(explainOccurrence(rule, 2027)).toMatchObject({
      local: '2027-03-01T09:00:00+01:00',
      notes: [{ code: 'LEAP_DAY_MOVED', text: '29 February does not exist in 2027: kept on 1 March.' }],
    })
  })

  it('says that it moves to 28 February if the rule asks for it', () => {
    expect(explainOccurrence({ ...rule, leapDay: 'FEBRUARY_28' }, 2027)).toMatchObject({
      local: '2027-02-28T09:00:00+01:00',
      notes: [{ code: 'LEAP_DAY_MOVED', text: '29 February does not exist in 2027: kept on 28 February.' }],
    })
  })

  it('has no note in a leap year, nor for a birthday on 1 March', () => {
    expect(codes(rule, 2028)).toEqual([])
    expect(codes({ ...rule, date: '1992-03-01' }, 2027)).toEqual([])
  })

  it('lists a clock change on that day too', () => {
    expect(codes({ date: '1992-02-29', localTime: '02:30', timezone: 'Australia/Sydney' }, 1981)).toEqual([
      'LEAP_DAY_MOVED',
      'CLOCK_OVERLAP',
    ])
  })
})

describe('the explanation of a day with a clock change', () => {
  it.each([
    [
      'New York, one hour',
      { date: '1990-03-14', localTime: '02:30', timezone: 'America/New_York' },
      2027,
      '2027-03-14T03:30:00-04:00',
      '02:30 does not exist in America/New_York on 2027-03-14: the clocks go forward by 1 hour. Moved forward to 03:30.',
    ],
    [
      'Lord Howe, half an hour',
      { date: '1990-10-04', localTime: '02:15', timezone: 'Australia/Lord_Howe' },
      2026,
      '2026-10-04T02:45:00+11:00',
      '02:15 does not exist in Australia/Lord_Howe on 2026-10-04: the clocks go forward by 30 minutes. Moved forward to 02:45.',
    ],
  ])('says that a skipped local time moves forward by the gap: %s', (_, rule, year, local, text) => {
    expect(explainOccurrence(rule, year)).toMatchObject({ local, notes: [{ code: 'CLOCK_GAP', text }] })
    expect(codes(rule, year)).toEqual(['CLOCK_GAP'])
  })

  it('says that the earlier of two equal local times counts', () => {
    const rule = { date: '1990-11-07', localTime: '01:30', timezone: 'America/New_York' }
    expect(explainOccurrence(rule, 2027)).toMatchObject({ utc: '2027-11-07T05:30:00.000Z' })
    expect(explainOccurrence(rule, 2027).notes[0]).toEqual({
      code: 'CLOCK_OVERLAP',
      text: '01:30 happens twice in America/New_York on 2027-11-07: the clocks go back by 1 hour. The earlier one counts: 05:30 UTC, not 06:30 UTC.',
    })
  })

  it('has no note at a local time outside the change', () => {
    expect(codes({ date: '1990-03-14', localTime: '03:00', timezone: 'America/New_York' }, 2027)).toEqual([])
  })
})

describe('the explanation of a date that the zone skipped', () => {
  it('says that it moves to the next day and that the offset changed', () => {
    expect(explainOccurrence({ date: '1990-12-30', timezone: 'Pacific/Apia' }, 2011)).toMatchObject({
      local: '2011-12-31T09:00:00+14:00',
      utc: '2011-12-30T19:00:00.000Z',
      notes: [
        {
          code: 'DATE_SKIPPED',
          text: 'Pacific/Apia skipped the whole of 2011-12-30. Moved to the same time on 2011-12-31.',
        },
        {
          code: 'OFFSET_CHANGED',
          text: 'Pacific/Apia is at UTC+14, the year before it was at UTC-10: the law there changed. So 19:00 UTC the day before, not 19:00 UTC.',
        },
      ],
    })
  })
})

describe('the explanation of an offset that differs from the year before', () => {
  it('names the change of law in Vancouver in winter 2026, and no longer in 2027', () => {
    const rule = { date: '1992-12-15', timezone: 'America/Vancouver' }
    expect(texts(rule, 2026)).toEqual([
      'America/Vancouver is at UTC-7, the year before it was at UTC-8: the law there changed. So 16:00 UTC, not 17:00 UTC.',
    ])
    expect(codes(rule, 2027)).toEqual([])
    expect(codes({ ...rule, date: '1992-07-15' }, 2026)).toEqual([])
  })

  it('names the change of law in Vancouver in early November 2026, days after the clock change of 2025', () => {
    expect(texts({ date: '1992-11-03', timezone: 'America/Vancouver' }, 2026)[0]).toMatch(
      /the law there changed/,
    )
  })

  it('names the date of the clock change if only that date differs', () => {
    expect(texts({ date: '1992-03-10', timezone: 'America/New_York' }, 2027)).toEqual([
      'America/New_York is at UTC-5, the year before it was at UTC-4: the clocks change on another date. So 14:00 UTC, not 13:00 UTC.',
    ])
  })

  it('writes the minutes of an offset that is not a full hour', () => {
    expect(texts({ date: '1992-06-15', timezone: 'Asia/Kathmandu' }, 1986)).toEqual([
      'Asia/Kathmandu is at UTC+5:45, the year before it was at UTC+5:30: the law there changed. So 03:15 UTC, not 03:30 UTC.',
    ])
  })
})
