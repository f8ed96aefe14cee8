// The variables of a message: names, years, ages, dates and lateness, also on unusual days.
import { describe, expect, it } from 'vitest'
import {
  type Facts,
  VARIABLES,
  type VariableName,
  variableOf,
} from '../../../src/domain/messages/message-variables.ts'
import { occurrenceInYear } from '../../../src/domain/occasions/next-occurrence.ts'
import { DAY, HOUR } from '../../support/fixtures.ts'

/** The event of a year, as the planner creates it. */
function makeFacts(
  dateOfBirth: string,
  year: number,
  over: {
    timezone?: string
    type?: string
    date?: string
    leapDay?: 'FEBRUARY_28'
    lateMs?: number
    occurrence?: string
  } = {},
): Facts {
  const { timezone = 'America/Vancouver', type = 'BIRTHDAY', date = null, lateMs = 0 } = over
  const rule = { date: date ?? dateOfBirth, timezone, leapDay: over.leapDay }
  const { instant, offsetMinutes } = occurrenceInYear(rule, year)
  return {
    event: {
      id: 'e',
      occasionId: 'o',
      occurrence: over.occurrence ?? String(year),
      targetAt: instant,
      offsetSeconds: offsetMinutes * 60,
      timezone,
      tzVersion: 'test',
      eventType: type,
      occasion: { date },
    },
    person: { id: 'u', firstName: 'Ada', lastName: 'Lovelace', dateOfBirth, language: 'en' },
    now: instant + lateMs,
  }
}

const all = (facts: Facts) => Object.fromEntries(VARIABLES.map((name) => [name, variableOf(name, facts)]))
const some = (facts: Facts, ...names: VariableName[]) => names.map((name) => variableOf(name, facts))

describe('the variables of a message', () => {
  it('have values for a birthday', () => {
    expect(all(makeFacts('1990-12-15', 2026))).toEqual({
      firstName: 'Ada',
      lastName: 'Lovelace',
      fullName: 'Ada Lovelace',
      age: 36,
      years: 36,
      type: 'BIRTHDAY',
      occurrence: '2026',
      localDate: '2026-12-15',
      localTime: '09:00',
      timezone: 'America/Vancouver',
      lateBySeconds: 0,
      belated: false,
      language: 'en',
      title: null,
      dueDate: null,
      dueTime: null,
    })
  })

  it('count `years` from the date of the occasion and `age` from birth', () => {
    const work = { type: 'WORK_ANNIVERSARY', date: '2015-09-01' }
    expect(some(makeFacts('1990-12-15', 2026, work), 'years', 'age')).toEqual([11, 35])
    expect(some(makeFacts('1990-09-01', 2026, work), 'years', 'age')).toEqual([11, 36])
  })

  it.each([
    ['MARCH_1', {}, '2027-03-01'],
    ['FEBRUARY_28', { leapDay: 'FEBRUARY_28' as const }, '2027-02-28'],
  ])('raise the age of a user born on 29 February with leap day rule %s', (_, over, localDate) => {
    expect(some(makeFacts('1992-02-29', 2027, over), 'age', 'localDate')).toEqual([35, localDate])
  })

  it('count by the year of the occurrence if the zone skipped its date', () => {
    const facts = makeFacts('1990-12-30', 2011, { timezone: 'Pacific/Apia' })
    expect(some(facts, 'age', 'localDate')).toEqual([21, '2011-12-31'])
  })

  it('are equal for a replay', () => {
    expect(some(makeFacts('1990-12-15', 2026, { occurrence: '2026~1' }), 'years', 'age')).toEqual([36, 36])
  })

  it('use the local date, not the UTC date', () => {
    const facts = makeFacts('1990-01-01', 2027, { timezone: 'Pacific/Kiritimati' })
    expect(new Date(facts.event.targetAt).toISOString()).toMatch(/^2026-12-31/)
    expect(some(facts, 'localDate', 'age')).toEqual(['2027-01-01', 37])
  })

  it('set `belated` once the local day has ended', () => {
    const belated = (lateMs: number) =>
      some(makeFacts('1990-12-15', 2026, { lateMs }), 'belated', 'lateBySeconds')
    expect(belated(0)).toEqual([false, 0])
    expect(belated(15 * HOUR - 1)).toEqual([false, 53_999])
    expect(belated(15 * HOUR)).toEqual([true, 54_000])
    expect(belated(365 * DAY)).toEqual([true, 31_536_000])
    expect(belated(-DAY)).toEqual([false, 0])
  })
})
