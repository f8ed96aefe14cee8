// The civil days of an occasion, by the cases in docs/occasions.md and docs/local-time.md.
import { describe, expect, it } from 'vitest'
import { readDay, writeDay } from '../../../../src/domain/ledger/expected/civil.ts'
import { type DayRule, dayOf, nextDay, occurrenceOn } from '../../../../src/domain/ledger/expected/days.ts'

const rule = (over: Partial<DayRule> & { date: string }): DayRule => ({
  repeats: 'YEARLY',
  calendar: 'gregorian',
  leapDay: 'MARCH_1',
  ruleRevision: 1,
  ...over,
})
const on = (of: DayRule, date: string) => occurrenceOn(of, readDay(date))
const date = (day: number | null) => (day === null ? null : writeDay(day))
const named = (of: DayRule, occurrence: string) => date(dayOf(of, occurrence))
const next = (of: DayRule, from: string, to: string) => date(nextDay(of, readDay(from), readDay(to)))

/** Every day of the rule in the period, each by its name. */
function all(of: DayRule, from: string, to: string): string[] {
  const found: string[] = []
  for (let day = readDay(from); day <= readDay(to); day++) {
    const name = occurrenceOn(of, day)
    if (name !== null) found.push(name)
  }
  return found
}

describe('a yearly occasion', () => {
  const birthday = rule({ date: '1990-12-15' })

  it('falls on its month and day in every year after the year of its date', () => {
    expect(on(birthday, '2026-12-15')).toBe('2026')
    expect(on(birthday, '1991-12-15')).toBe('1991')
    for (const day of ['2026-12-14', '2026-12-16', '2026-11-15', '1990-12-15', '1989-12-15'])
      expect(on(birthday, day), day).toBeNull()
  })

  it('keeps 29 February in leap years, and falls on 1 March or 28 February in common years', () => {
    const march = rule({ date: '1992-02-29' })
    const february = rule({ date: '1992-02-29', leapDay: 'FEBRUARY_28' })
    expect(
      ['2027-02-28', '2027-03-01', '2028-02-28', '2028-02-29', '2028-03-01'].map((d) => on(march, d)),
    ).toEqual([null, '2027', null, '2028', null])
    expect(
      ['2027-02-28', '2027-03-01', '2028-02-28', '2028-02-29', '2028-03-01'].map((d) => on(february, d)),
    ).toEqual(['2027', null, null, '2028', null])
    expect(named(march, '2100')).toBe('2100-03-01')
    expect(named(february, '2000')).toBe('2000-02-29')
  })

  it('has names that begin with the revision of the rule from the second revision on', () => {
    const second = rule({ date: '1990-12-15', ruleRevision: 2 })
    expect(on(second, '2026-12-15')).toBe('2:2026')
    expect(named(second, '2:2026')).toBe('2026-12-15')
    expect(named(second, '2026')).toBeNull()
    expect(named(second, '1:2026')).toBeNull()
    expect(named(birthday, '2:2026')).toBeNull()
  })

  it('has no occurrence with a name of another kind, and a replay has the day of its original', () => {
    for (const name of ['1990', '1989', 'once', '', '26', '12026', '2026-12-15', 'hebrew-5787'])
      expect(named(birthday, name), name).toBeNull()
    expect(named(birthday, '2026~2')).toBe('2026-12-15')
  })

  it('has its next day within the period asked for', () => {
    expect(next(birthday, '2026-12-15', '2026-12-15')).toBe('2026-12-15')
    expect(next(birthday, '2026-12-16', '2027-12-31')).toBe('2027-12-15')
    expect(next(birthday, '2026-12-16', '2027-12-14')).toBeNull()
    expect(next(birthday, '1980-01-01', '1999-01-01')).toBe('1991-12-15')
  })

  it('keeps the day that Samoa skipped in 2011', () => {
    expect(on(rule({ date: '1990-12-30' }), '2011-12-30')).toBe('2011')
  })
})

describe('an occasion of one day', () => {
  it('falls on its date alone', () => {
    const party = rule({ date: '2026-11-17', repeats: 'ONCE', ruleRevision: 3 })
    expect(all(party, '2025-01-01', '2028-01-01')).toEqual(['3:once'])
    expect(on(party, '2026-11-17')).toBe('3:once')
    expect(named(party, '3:once')).toBe('2026-11-17')
    expect(named(party, 'once')).toBeNull()
    expect(next(party, '2026-11-17', '2026-11-17')).toBe('2026-11-17')
    expect(next(party, '2026-11-18', '2030-01-01')).toBeNull()
  })
})

describe('an occasion with a recurrence rule', () => {
  const cases: [repeats: string, start: string, from: string, to: string, days: string[]][] = [
    [
      'FREQ=DAILY;INTERVAL=10',
      '2026-01-05',
      '2026-01-01',
      '2026-02-01',
      ['2026-01-05', '2026-01-15', '2026-01-25'],
    ],
    [
      'FREQ=WEEKLY;BYDAY=MO,WE',
      '2026-01-06',
      '2026-01-01',
      '2026-01-14',
      ['2026-01-07', '2026-01-12', '2026-01-14'],
    ],
    ['FREQ=WEEKLY;INTERVAL=2', '2000-01-03', '2026-11-10', '2026-12-01', ['2026-11-16', '2026-11-30']],
    // The two examples of WKST in RFC 5545.
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=4',
      '1997-08-05',
      '1997-08-01',
      '1997-12-01',
      ['1997-08-05', '1997-08-10', '1997-08-19', '1997-08-24'],
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU;COUNT=4',
      '1997-08-05',
      '1997-08-01',
      '1997-12-01',
      ['1997-08-05', '1997-08-17', '1997-08-19', '1997-08-31'],
    ],
    ['FREQ=MONTHLY', '2026-01-31', '2026-01-01', '2026-06-01', ['2026-01-31', '2026-03-31', '2026-05-31']],
    [
      'FREQ=MONTHLY;BYMONTHDAY=-1',
      '2027-01-31',
      '2027-01-01',
      '2027-03-31',
      ['2027-01-31', '2027-02-28', '2027-03-31'],
    ],
    [
      'FREQ=MONTHLY;BYDAY=2TU,-1FR',
      '2026-01-05',
      '2026-01-01',
      '2026-02-15',
      ['2026-01-13', '2026-01-30', '2026-02-10'],
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR',
      '2026-01-01',
      '2026-01-01',
      '2026-12-31',
      ['2026-02-13', '2026-03-13', '2026-11-13'],
    ],
    ['FREQ=YEARLY', '2024-02-29', '2024-01-01', '2032-12-31', ['2024-02-29', '2028-02-29', '2032-02-29']],
    [
      'FREQ=YEARLY;BYDAY=20MO',
      '1997-05-19',
      '1997-01-01',
      '1999-12-31',
      ['1997-05-19', '1998-05-18', '1999-05-17'],
    ],
    ['FREQ=YEARLY;BYDAY=-1SU', '2026-01-01', '2026-01-01', '2027-12-31', ['2026-12-27', '2027-12-26']],
    [
      'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      '2026-01-01',
      '2026-01-01',
      '2027-12-31',
      ['2026-03-29', '2027-03-28'],
    ],
    [
      'FREQ=YEARLY;INTERVAL=2;BYMONTH=1,7',
      '2026-01-05',
      '2026-01-01',
      '2028-12-31',
      ['2026-01-05', '2026-07-05', '2028-01-05', '2028-07-05'],
    ],
    [
      'FREQ=DAILY;UNTIL=20260107',
      '2026-01-05',
      '2026-01-01',
      '2026-02-01',
      ['2026-01-05', '2026-01-06', '2026-01-07'],
    ],
    ['FREQ=DAILY;BYMONTH=2;COUNT=2', '2026-01-05', '2026-01-01', '2027-12-31', ['2026-02-01', '2026-02-02']],
  ]

  it.each(cases)(
    '%s from %s on falls on the days of the rule between %s and %s',
    (repeats, start, from, to, days) => {
      expect(all(rule({ date: start, repeats }), from, to)).toEqual(days)
    },
  )

  it('has equal days when the days of a rule with COUNT are asked for in reverse order', () => {
    const three = rule({ date: '2026-01-05', repeats: 'FREQ=WEEKLY;COUNT=3' })
    const days = ['2026-01-26', '2026-01-19', '2026-01-12', '2026-01-05', '2025-12-29']
    expect(days.map((day) => on(three, day))).toEqual([null, '2026-01-19', '2026-01-12', '2026-01-05', null])
  })

  it('has its next day within the period asked for', () => {
    const fridays = rule({ date: '2026-01-01', repeats: 'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR;COUNT=3' })
    expect(next(fridays, '2020-01-01', '2027-01-01')).toBe('2026-02-13')
    expect(next(fridays, '2026-02-14', '2026-03-12')).toBeNull()
    expect(next(fridays, '2026-03-14', '2026-12-31')).toBe('2026-11-13')
    expect(next(fridays, '2026-11-14', '2040-01-01')).toBeNull()
  })

  it('names each occurrence by its date, after the revision of the rule', () => {
    const mondays = rule({ date: '2026-01-05', repeats: 'FREQ=WEEKLY;BYDAY=MO', ruleRevision: 2 })
    expect(on(mondays, '2026-11-16')).toBe('2:2026-11-16')
    expect(named(mondays, '2:2026-11-16')).toBe('2026-11-16')
    for (const name of [
      '2026-11-16',
      '2:2026-11-17',
      '2:2025-12-29',
      '2:2026-02-30',
      '2:2026-99-99',
      '2:2026',
      '2:once',
    ])
      expect(named(mondays, name), name).toBeNull()
  })

  it.each([
    'FREQ=DAILY;BYSETPOS=1',
    'FREQ=HOURLY',
    'INTERVAL=2',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;BYDAY=XX',
    'FREQ=DAILY;COUNT=many',
    'FREQ=DAILY;UNTIL=2026-01-05',
    'yearly',
    '',
  ])('is rejected instead of read in part: "%s"', (repeats) => {
    expect(() => on(rule({ date: '2026-01-05', repeats }), '2026-01-05')).toThrow(
      `"${repeats}" is not a rule that the ledger can read.`,
    )
  })
})

describe('a yearly occasion by another calendar', () => {
  const cases: [
    calendar: DayRule['calendar'],
    day: string,
    date: string,
    occurrence: string,
    falls: string,
  ][] = [
    ['chinese', '1 of month 1', '1990-01-27', 'chinese-2026', '2026-02-17'],
    ['chinese', '1 of month 1', '1990-01-27', 'chinese-2027', '2027-02-06'],
    ['chinese', '10 of leap month 6', '2025-08-03', 'chinese-2026', '2026-07-23'],
    ['chinese', '10 of leap month 6', '2025-08-03', 'chinese-2036', '2036-08-01'],
    ['chinese', '30 of month 12', '2024-02-09', 'chinese-2024', '2025-01-28'],
    ['hebrew', '10 Adar', '1990-03-07', 'hebrew-5785', '2025-03-10'],
    ['hebrew', '10 Adar', '1990-03-07', 'hebrew-5787', '2027-03-19'],
    ['hebrew', '10 Adar I', '1984-02-13', 'hebrew-5785', '2025-03-10'],
    ['hebrew', '10 Adar I', '1984-02-13', 'hebrew-5787', '2027-02-17'],
    ['hebrew', '10 Adar II', '1984-03-14', 'hebrew-5785', '2025-03-10'],
    ['hebrew', '10 Adar II', '1984-03-14', 'hebrew-5787', '2027-03-19'],
    ['hebrew', '30 Adar I', '1984-03-04', 'hebrew-5785', '2025-03-30'],
    ['hebrew', '30 Adar I', '1984-03-04', 'hebrew-5787', '2027-03-09'],
    ['hebrew', '30 Heshvan', '1986-12-02', 'hebrew-5786', '2025-11-21'],
    ['hebrew', '30 Heshvan', '1986-12-02', 'hebrew-5787', '2026-11-10'],
    ['hebrew', '30 Kislev', '1984-12-24', 'hebrew-5784', '2023-12-13'],
    ['islamic', '30 Ramadan', '1985-06-19', 'islamic-1447', '2026-03-19'],
    ['islamic', '30 Ramadan', '1985-06-19', 'islamic-1448', '2027-03-08'],
    ['persian', '30 Esfand', '1992-03-20', 'persian-1403', '2025-03-20'],
    ['persian', '30 Esfand', '1992-03-20', 'persian-1404', '2026-03-20'],
  ]

  it.each(cases)(
    '(%s, %s, from %s) has %s on %s and not a day before or after',
    (calendar, _, date, name, falls) => {
      const of = rule({ date, calendar })
      const day = readDay(falls)
      expect([day - 1, day, day + 1].map((one) => occurrenceOn(of, one))).toEqual([null, name, null])
      expect(named(of, name)).toBe(falls)
      expect(next(of, falls, falls)).toBe(falls)
    },
  )

  it('has no anniversary in the calendar year of its date, and none outside the years of the table', () => {
    const of = rule({ date: '1990-03-07', calendar: 'hebrew' })
    expect(on(of, '1990-03-07')).toBeNull()
    expect(named(of, 'hebrew-5750')).toBeNull()
    expect(next(of, '1980-01-01', '1992-01-01')).toBe('1991-02-24')
    expect(named(of, 'hebrew-5860')).toBe('2100-03-21')
    expect(next(of, '2100-03-22', '2200-01-01')).toBeNull()
    expect(on(of, '2101-03-11')).toBeNull()
    for (const name of ['hebrew-5861', '5787', 'islamic-1448', 'hebrew-05787'])
      expect(named(of, name), name).toBeNull()
    expect(next(rule({ date: '1890-01-01', calendar: 'hebrew' }), '2026-01-01', '2030-01-01')).toBeNull()
  })

  it('falls twice in a Gregorian year that contains the beginning of two Islamic years', () => {
    const of = rule({ date: '1990-07-23', calendar: 'islamic' })
    expect(all(of, '2008-01-01', '2008-12-31')).toHaveLength(2)
  })
})

it.each(['x', '', '2026-13-01', '2026-00-10', 'abcd-ef-gh'])(
  'rejects the stored date "%s" at once',
  (date) => {
    for (const calendar of ['gregorian', 'hebrew'] as const)
      expect(() => nextDay(rule({ date, calendar }), 20_000, 20_400)).toThrow(RangeError)
  },
)
