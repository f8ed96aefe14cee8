// The variables of a message: names, years, ages, dates and lateness, also on unusual days.
import { describe, expect, it } from 'vitest'
import type { CalendarName } from '../../../src/domain/calendars/calendars.ts'
import {
  type Facts,
  VARIABLES,
  type VariableName,
  variableOf,
} from '../../../src/domain/messages/message-variables.ts'
import { occurrenceInYear } from '../../../src/domain/occasions/next-occurrence.ts'
import { recurring, upcoming } from '../../../src/domain/occasions/recurring.ts'
import type { Slot, Where } from '../../../src/domain/occasions/schedule.ts'
import type { SendRule } from '../../../src/domain/occasions/send-day.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { DAY, HOUR, makeOccasion } from '../../support/fixtures.ts'

const NOW = Date.parse('2026-11-16T00:00:00Z')

/** The event of a year, as the planner creates it. */
function makeFacts(
  dateOfBirth: string,
  year: number,
  over: {
    timezone?: string
    type?: string
    date?: string
    leapDay?: 'FEBRUARY_28'
    send?: SendRule
    lateMs?: number
    occurrence?: string
  } = {},
): Facts {
  const { timezone = 'America/Vancouver', type = 'BIRTHDAY', date = null, lateMs = 0 } = over
  const rule = { date: date ?? dateOfBirth, timezone, leapDay: over.leapDay, send: over.send }
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
      occasion: { date, ...(over.leapDay && { leapDay: over.leapDay }) },
    },
    person: {
      id: 'u',
      externalId: 'crm-4711',
      firstName: 'Ada',
      lastName: 'Lovelace',
      dateOfBirth,
      language: 'en',
    },
    now: instant + lateMs,
    table: tzdb,
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
      date: '2026-12-15',
      daysUntil: 0,
      localDate: '2026-12-15',
      localTime: '09:00',
      timezone: 'America/Vancouver',
      lateBySeconds: 0,
      belated: false,
      language: 'en',
      externalId: 'crm-4711',
      title: null,
      dueDate: null,
      dueTime: null,
    })
  })

  it('are those of the date, not of the day of sending, before New Year and on a leap day', () => {
    const before = { send: { shiftDays: -3, onWeekend: 'EXACT' } } as const
    const names = ['date', 'daysUntil', 'localDate', 'occurrence', 'age'] as const
    const newYear = makeFacts('1990-01-02', 2027, before)
    expect(some(newYear, ...names)).toEqual(['2027-01-02', 3, '2026-12-30', '2027', 37])
    expect(some({ ...newYear, now: newYear.now + 4 * DAY }, 'daysUntil')).toEqual([-1])
    const leap = makeFacts('1992-02-29', 2027, { ...before, leapDay: 'FEBRUARY_28' })
    expect(some(leap, ...names)).toEqual(['2027-02-28', 3, '2027-02-25', '2027', 35])
    const weekly = makeFacts('1990-12-16', 2026, {
      ...before,
      type: 'PARTY',
      date: '2024-12-15',
      occurrence: '2026-12-15',
    })
    expect(some(weekly, 'date', 'daysUntil', 'years', 'age')).toEqual(['2026-12-15', 3, 2, 35])
  })

  it('have no age and no years without the year of birth, and no space after a first name alone', () => {
    const facts = makeFacts('--12-15', 2026)
    expect(some(facts, 'age', 'years', 'localDate', 'date')).toEqual([null, null, '2026-12-15', '2026-12-15'])
    const work = makeFacts('1990-12-15', 2026, { type: 'WORK_ANNIVERSARY', date: '2015-09-01' })
    const person = { ...work.person, lastName: null, dateOfBirth: null }
    expect(some({ ...work, person }, 'age', 'years', 'fullName')).toEqual([null, 11, person.firstName])
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

  it('count the years of a birthday by the calendar that it follows', () => {
    const hebrew = agesOf({ dateOfBirth: '1990-12-30', calendar: 'hebrew' }, 4)
    expect(hebrew).toEqual([
      ['2026-12-23', 36, 36],
      ['2028-01-12', 37, 37],
      ['2028-12-31', 38, 38],
      ['2029-12-19', 39, 39],
    ])
    const islamic = agesOf({ dateOfBirth: '1990-12-15', calendar: 'islamic' }, 1)
    expect(islamic).toEqual([['2027-10-27', 38, 38]])
  })

  it('count completed years for an occasion that follows a rule', () => {
    const monthly = { dateOfBirth: '2026-11-30', repeats: 'FREQ=MONTHLY;BYMONTHDAY=5' }
    expect(agesOf(monthly, 2).map(([date, age]) => [date, age])).toEqual([
      ['2026-12-05', 0],
      ['2027-01-05', 0],
    ])
    const fifth = { dateOfBirth: '1990-12-15', repeats: 'FREQ=YEARLY;INTERVAL=5' }
    expect(agesOf(fifth, 1)).toEqual([['2030-12-15', 40, 40]])
  })

  it('count the age by completed years on a second birthday with a date of its own', () => {
    const official = makeFacts('1990-12-15', 2026, { date: '2000-06-13' })
    expect(some(official, 'age', 'years')).toEqual([35, 26])
  })

  it.each([
    ['in spring', '2028-03-11T14:00:00Z', -18_000, '2028-03-12T13:00:00Z', '2028-03-12', '09:00'],
    ['in autumn', '2028-09-21T14:00:00Z', -14_400, '2028-11-20T14:00:00Z', '2028-11-20', '09:00'],
  ])('show the due time by the clock at that instant when clocks change %s after the reminder', (...row) => {
    const [, remindedAt, offsetSeconds, dueAt, dueDate, dueTime] = row
    const facts = makeFacts('1990-12-15', 2028, { timezone: 'America/New_York', type: 'TASK_REMINDER' })
    const task = { id: 't', title: 'Call', dueAt: Date.parse(dueAt) }
    const event = {
      ...facts.event,
      occurrence: 'due-1',
      targetAt: Date.parse(remindedAt),
      offsetSeconds,
      task,
    }
    expect(some({ ...facts, event }, 'dueDate', 'dueTime', 'years')).toEqual([dueDate, dueTime, null])
  })

  it('keep `belated` false until midnight by the clock of that night, after the clocks went back', () => {
    const facts = makeFacts('1990-11-05', 2028, { timezone: 'America/New_York' })
    const event = { ...facts.event, targetAt: Date.parse('2028-11-05T04:30:00Z'), offsetSeconds: -14_400 }
    const belatedAt = (now: string) => some({ ...facts, event, now: Date.parse(now) }, 'belated')
    expect(belatedAt('2028-11-06T04:30:00Z')).toEqual([false])
    expect(belatedAt('2028-11-06T05:00:00Z')).toEqual([true])
  })
})

/** The local date, age and years of the next birthdays after 16 November 2026. */
function agesOf(of: { dateOfBirth: string; calendar?: CalendarName; repeats?: string }, count: number) {
  const { dateOfBirth, calendar = 'gregorian', repeats = 'YEARLY' } = of
  const occasion = makeOccasion({ id: 'u' }, { calendar, repeats })
  const user = { dateOfBirth, timezone: 'UTC' } as Where
  const found: Slot[] = []
  for (const slot of upcoming(recurring, { occasion, user, task: null }, { now: NOW, after: null }, tzdb)) {
    found.push(slot)
    if (found.length === count) break
  }
  return found.map(({ occurrence, instant, offsetSeconds }) => {
    const facts = makeFacts(dateOfBirth, 2026, { timezone: 'UTC', occurrence })
    const event = { ...facts.event, targetAt: instant, offsetSeconds }
    return some({ ...facts, event, now: instant }, 'localDate', 'age', 'years')
  })
}
