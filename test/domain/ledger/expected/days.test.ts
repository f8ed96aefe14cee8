// Names of occurrences, and texts that are rejected. differential.test.ts compares the days with those of the planner.
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

describe('a yearly occasion', () => {
  const birthday = rule({ date: '1990-12-15' })

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
})

describe('an occasion with a recurrence rule', () => {
  it('has equal days when the days of a rule with COUNT are asked for in reverse order', () => {
    const three = rule({ date: '2026-01-05', repeats: 'FREQ=WEEKLY;COUNT=3' })
    const days = ['2026-01-26', '2026-01-19', '2026-01-12', '2026-01-05', '2025-12-29']
    expect(days.map((day) => on(three, day))).toEqual([null, '2026-01-19', '2026-01-12', '2026-01-05', null])
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
})

it.each(['x', '', '2026-13-01', '2026-00-10', 'abcd-ef-gh'])(
  'rejects the stored date "%s" at once',
  (date) => {
    for (const calendar of ['gregorian', 'hebrew'] as const)
      expect(() => nextDay(rule({ date, calendar }), 20_000, 20_400)).toThrow(RangeError)
  },
)
