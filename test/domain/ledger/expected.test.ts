// The expected schedule of the ledger: on which days each kind of rule falls, and when a wall time and a reminder are. The
// simulation compares it with the planner over thousands of days.
import { describe, expect, it } from 'vitest'
import { readDay, writeDay } from '../../../src/domain/ledger/expected/civil.ts'
import { type DayRule, dayOf, nextDay, occurrenceOn } from '../../../src/domain/ledger/expected/days.ts'
import { reminderAt } from '../../../src/domain/ledger/expected/reminders.ts'
import { readWallClock } from '../../../src/domain/ledger/expected/wall-clock.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { HOUR } from '../../support/fixtures.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const clockOf = (zone: string) => readWallClock(tzdb.rules(zone))

const ruleOf = (repeats: string, date: string, over: Partial<DayRule> = {}): DayRule => ({
  ...{ repeats, date, calendar: 'gregorian', leapDay: 'MARCH_1', ruleRevision: 1 },
  ...over,
})

/** The next days of a rule, at most five, each as its name if that is its date. */
function daysFrom(rule: DayRule, from: string, to = '2040-01-01'): string[] {
  const found: string[] = []
  for (let day = nextDay(rule, readDay(from), readDay(to)); day !== null && found.length < 5; ) {
    const name = occurrenceOn(rule, day)!
    expect(dayOf(rule, name), name).toBe(day)
    found.push(name === writeDay(day) ? name : `${name} on ${writeDay(day)}`)
    day = nextDay(rule, day + 1, readDay(to))
  }
  return found
}

describe('the days of a rule', () => {
  it.each<[rule: DayRule, from: string, days: readonly string[]]>([
    [ruleOf('ONCE', '2026-02-03'), '2026-01-01', ['once on 2026-02-03']],
    [ruleOf('YEARLY', '2037-12-15'), '2026-12-15', ['2038 on 2038-12-15', '2039 on 2039-12-15']],
    [ruleOf('YEARLY', '1990-12-15', { ruleRevision: 2 }), '2038-12-16', ['2:2039 on 2039-12-15']],
    [ruleOf('YEARLY', '1996-02-29'), '2038-01-01', ['2038 on 2038-03-01', '2039 on 2039-03-01']],
    [ruleOf('YEARLY', '1996-02-29', { leapDay: 'FEBRUARY_28' }), '2039-01-01', ['2039 on 2039-02-28']],
    // 30 Adar I, which a common year does not have.
    [ruleOf('YEARLY', '2022-03-03', { calendar: 'hebrew' }), '2038-06-01', ['hebrew-5799 on 2039-03-26']],
    // New Year's Day.
    [ruleOf('YEARLY', '1990-01-27', { calendar: 'chinese' }), '2039-01-01', ['chinese-2039 on 2039-01-24']],
    [ruleOf('YEARLY', '1990-03-21', { calendar: 'persian' }), '2039-01-01', ['persian-1418 on 2039-03-21']],
    [ruleOf('YEARLY', '1990-07-23', { calendar: 'islamic' }), '2039-01-01', ['islamic-1461 on 2039-01-26']],
    [ruleOf('FREQ=DAILY;INTERVAL=3;COUNT=3', '2026-01-30'), '2026-01-31', ['2026-02-02', '2026-02-05']],
    [
      ruleOf('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;UNTIL=20260120', '2026-01-05', { ruleRevision: 2 }),
      '2026-01-06',
      ['2:2026-01-11 on 2026-01-11', '2:2026-01-19 on 2026-01-19'],
    ],
    [
      ruleOf('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU;COUNT=3', '2026-01-05'),
      '2026-01-05',
      ['2026-01-05', '2026-01-18', '2026-01-19'],
    ],
    [
      ruleOf('FREQ=MONTHLY;BYMONTHDAY=30,-1;COUNT=4', '2026-01-30'),
      '2026-01-01',
      ['2026-01-30', '2026-01-31', '2026-02-28', '2026-03-30'],
    ],
    [ruleOf('FREQ=MONTHLY;BYDAY=-1FR;COUNT=2', '2026-01-30'), '2026-01-01', ['2026-01-30', '2026-02-27']],
    [
      ruleOf('FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2', '2026-11-26'),
      '2026-01-01',
      ['2026-11-26', '2027-11-25'],
    ],
  ])('%j from %s on are %j', (rule, from, days) => {
    expect(daysFrom(rule, from)).toEqual(days)
  })

  it('have no other names: of a day without an occurrence, of another revision or of another kind', () => {
    const yearly = ruleOf('YEARLY', '1990-12-15')
    for (const name of ['1990', '1989', 'once', '', '12026', '2026-12-15', 'hebrew-5787', '2:2026'])
      expect(dayOf(yearly, name), name).toBeNull()
    const mondays = ruleOf('FREQ=WEEKLY;BYDAY=MO', '2026-01-05', { ruleRevision: 2 })
    for (const name of ['2026-11-16', '2:2026-11-17', '2:2025-12-29', '2:2026-02-30', '2:once'])
      expect(dayOf(mondays, name), name).toBeNull()
    const hebrew = ruleOf('YEARLY', '1990-03-07', { calendar: 'hebrew' })
    for (const name of ['hebrew-5750', 'hebrew-5861', '5787', 'islamic-1448', 'hebrew-05787'])
      expect(dayOf(hebrew, name), name).toBeNull()
  })

  it('are those of the original for a replay', () => {
    expect(dayOf(ruleOf('YEARLY', '1990-12-15'), '2026~2')).toBe(readDay('2026-12-15'))
  })
})

it.each([
  ...['FREQ=DAILY;BYSETPOS=1', 'FREQ=HOURLY', 'INTERVAL=2', 'FREQ=DAILY;INTERVAL=0', 'FREQ=DAILY;BYDAY=XX'],
  ...['FREQ=DAILY;COUNT=many', 'FREQ=DAILY;UNTIL=2026-01-05', 'yearly', ''],
])('the rule "%s" is rejected instead of read in part', (repeats) => {
  const message = `"${repeats}" is not a rule that the ledger can read.`
  expect(() => occurrenceOn(ruleOf(repeats, '2026-01-05'), readDay('2026-01-05'))).toThrow(message)
})

it.each(['x', '2026-13-01', '2026-00-10'])('the stored date "%s" is rejected', (date) => {
  for (const calendar of ['gregorian', 'hebrew'] as const)
    expect(() => nextDay(ruleOf('YEARLY', date, { calendar }), 20_000, 20_400)).toThrow(RangeError)
})

describe('the wall clock of a place', () => {
  it.each([
    ['on an ordinary day', 'Asia/Kathmandu', '2026-06-15T09:00', '2026-06-15T03:15'],
    ['in summer', 'America/New_York', '2049-07-01T09:00', '2049-07-01T13:00'],
    ['at a time that is skipped', 'Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30'],
    ['at a time that comes twice', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
    ['on a date that is skipped', 'Pacific/Apia', '2011-12-30T09:00', '2011-12-30T19:00'],
  ])('%s: %s, %s is at %s UTC', (_, zone, wall, utc) => {
    expect(new Date(clockOf(zone).instantOf(at(wall))).toISOString().slice(0, 16)).toBe(utc)
  })

  it('cannot be read from rules that are not complete', () => {
    for (const rules of ['', '0 3600|01|', '0|02|abc', '0|0|abc', 'x|0|', '0|00|!'])
      expect(() => readWallClock(rules), rules).toThrow(RangeError)
  })
})

describe('the reminder of a task', () => {
  const night = { quietHours: '22:00-08:00', remindBeforeMs: 12 * HOUR }
  /** Due when the quiet hours end. */
  const early = { quietHours: '22:00-08:00', dueAt: at('2030-01-15T08:00'), remindBeforeMs: 2 * HOUR }
  const sent = (text: string) => ({ reminderSentAt: at(text) })

  it.each<
    [of: Partial<Parameters<typeof reminderAt>[0]>, now: string, expected: string | null, zone?: string]
  >([
    [{}, '2030-01-01T00:00', '2030-01-14T16:00'],
    // Its time has passed.
    [{}, '2030-01-15T15:59', '2030-01-15T15:59'],
    [{}, '2030-01-15T16:00', null],
    [{ completedAt: 0 }, '2030-01-01T00:00', null],
    // A day after the last one.
    [sent('2030-01-14T12:00'), '2030-01-14T20:00', '2030-01-15T12:00'],
    [sent('2030-01-10T12:00'), '2030-01-14T20:00', '2030-01-14T20:00'],
    [sent('2030-01-14T16:00'), '2030-01-14T20:00', null],
    [night, '2030-01-01T00:00', '2030-01-15T08:00'],
    [night, '2030-01-01T00:00', '2030-01-15T04:00', 'Asia/Tokyo'],
    [{ ...night, quietHours: '03:00-05:30' }, '2030-01-01T00:00', '2030-01-15T05:30'],
    // The last minute before the quiet hours.
    [early, '2030-01-01T00:00', '2030-01-14T21:59'],
    [early, '2030-01-15T01:00', '2030-01-15T01:00'],
    [{ ...early, ...sent('2030-01-14T07:00') }, '2030-01-01T00:00', '2030-01-15T07:00'],
    // 01:30 is at 05:30 UTC and again at 06:30 UTC.
    [
      { quietHours: '22:00-01:30', dueAt: at('2027-11-07T20:10'), remindBeforeMs: 14 * HOUR },
      ...(['2027-11-01T00:00', '2027-11-07T06:30', 'America/New_York'] as const),
    ],
  ])('of %j is, seen from %s, at %s', (of, now, expected, zone = 'Etc/UTC') => {
    const defaults = { dueAt: at('2030-01-15T16:00'), dueRevision: 1, remindBeforeMs: 24 * HOUR }
    const task = { ...defaults, quietHours: null, completedAt: null, reminderSentAt: null, ...of }
    const found = reminderAt(task, { now: at(now), clock: clockOf(zone) })
    expect(found === null ? null : new Date(found).toISOString().slice(0, 16)).toBe(expected)
  })
})
