// The occurrences of recurrence rules, single dates and other calendars: their instants and names, and that none is sent twice.
import { describe, expect, it } from 'vitest'
import { nextYearly } from '../../../src/domain/occasions/next-occurrence.ts'
import type { Occasion } from '../../../src/domain/occasions/occasion.ts'
import { recurring, upcoming } from '../../../src/domain/occasions/recurring.ts'
import { type LastSettled, ruleOf, type Schedule, type Slot } from '../../../src/domain/occasions/schedule.ts'
import { type TimezoneTable, tzdb } from '../../../src/domain/time/tzdb.ts'
import { makeOccasion, makePerson } from '../../support/fixtures.ts'

const at = (text: string) => Date.parse(text)
const utc = (instant: number) => `${new Date(instant).toISOString().slice(0, 16)}Z`
const show = (slot: Slot | null) => slot && `${slot.occurrence} ${utc(slot.instant)}`

function schedule(over: Partial<Occasion>, timezone = 'Etc/UTC'): Schedule {
  const { user } = makePerson({ dateOfBirth: '1990-06-15', timezone })
  return { occasion: makeOccasion(user, { type: 'CUSTOM', ...over }), user, task: null }
}
const past = (occurrence: string, targetAt: string): LastSettled => ({ occurrence, targetAt: at(targetAt) })
const first = (of: Schedule, now: string, after: LastSettled | null = null) =>
  recurring.first(of, { now: at(now), after }, tzdb)
const moved = (of: Schedule, now: string, pending: string, after: LastSettled | null = null) =>
  show(recurring.moved(of, { now: at(now), after, pending }, tzdb))

function take(of: Schedule, now: string, count: number, after: LastSettled | null = null): Slot[] {
  const found: Slot[] = []
  for (const slot of upcoming(recurring, of, { now: at(now), after }, tzdb)) {
    if (found.push(slot) === count) break
  }
  return found
}

const MONDAYS = { date: '2026-11-02', repeats: 'FREQ=WEEKLY;BYDAY=MO' }

describe('an occasion with a recurrence rule', () => {
  it('names its occurrences by date, and stays at 09:00 local time across a clock change', () => {
    const fridays = schedule({ date: '2026-10-02', repeats: 'FREQ=WEEKLY;BYDAY=FR' }, 'Europe/Berlin')
    expect(take(fridays, '2026-10-20T00:00:00Z', 3).map(show)).toEqual([
      '2026-10-23 2026-10-23T07:00Z',
      '2026-10-30 2026-10-30T08:00Z',
      '2026-11-06 2026-11-06T08:00Z',
    ])
  })

  it('begins on the date of birth if it has no date', () => {
    expect(show(first(schedule({ repeats: 'FREQ=MONTHLY' }), '2026-11-16T00:00:00Z'))).toBe(
      '2026-12-15 2026-12-15T09:00Z',
    )
  })

  it('has an occurrence at the exact instant, and none twice', () => {
    const mondays = schedule(MONDAYS)
    expect(show(first(mondays, '2026-11-16T09:00:00Z'))).toBe('2026-11-16 2026-11-16T09:00Z')
    expect(show(first(mondays, '2026-11-16T09:00:00.001Z'))).toBe('2026-11-23 2026-11-23T09:00Z')
    const settled = past('2026-11-16', '2026-11-16T09:00:00Z')
    expect(show(first(mondays, '2026-11-16T09:00:00Z', settled))).toBe('2026-11-23 2026-11-23T09:00Z')
    const replayed = past('2026-11-16~2', '2026-11-16T09:00:00Z')
    expect(show(first(mondays, '2026-11-10T00:00:00Z', replayed))).toBe('2026-11-23 2026-11-23T09:00Z')
  })

  it('finds today’s occurrence in the first and the last timezone', () => {
    const daily = (timezone: string, localTime: string) =>
      schedule({ date: '2020-01-01', repeats: 'FREQ=DAILY', localTime }, timezone)
    expect(show(first(daily('Pacific/Kiritimati', '00:00'), '2026-11-15T10:00:00Z'))).toBe(
      '2026-11-16 2026-11-15T10:00Z',
    )
    expect(show(first(daily('Etc/GMT+12', '23:59'), '2026-11-16T11:59:00Z'))).toBe(
      '2026-11-15 2026-11-16T11:59Z',
    )
  })

  it('ends with COUNT or with its last day', () => {
    const thrice = schedule({ date: '2026-11-02', repeats: 'FREQ=WEEKLY;COUNT=3' })
    expect(take(thrice, '2026-11-05T00:00:00Z', 9).map(show)).toEqual([
      '2026-11-09 2026-11-09T09:00Z',
      '2026-11-16 2026-11-16T09:00Z',
    ])
    const until = schedule({ ...MONDAYS, until: '2026-11-16' })
    expect(take(until, '2026-11-05T00:00:00Z', 9).map(show)).toEqual([
      '2026-11-09 2026-11-09T09:00Z',
      '2026-11-16 2026-11-16T09:00Z',
    ])
  })

  it('has no occurrence while it is paused', () => {
    expect(first(schedule({ ...MONDAYS, pausedAt: 1 }), '2026-11-05T00:00:00Z')).toBe(null)
    expect(first(schedule({ pausedAt: 1 }), '2026-11-05T00:00:00Z')).toBe(null)
  })

  it('has a note if the local time does not exist or exists twice', () => {
    const daily = (timezone: string, date: string, localTime: string) =>
      first(schedule({ date, repeats: 'FREQ=DAILY', localTime }, timezone), `${date}T00:00:00Z`)
    expect(daily('Europe/Berlin', '2026-03-29', '02:30')).toEqual({
      occurrence: '2026-03-29',
      instant: at('2026-03-29T01:30:00Z'),
      offsetSeconds: 7200,
      occursOn: '2026-03-29',
      date: '2026-03-29',
      note: 'CLOCK_GAP',
    })
    expect(daily('Europe/Berlin', '2026-10-25', '02:30')).toMatchObject({
      instant: at('2026-10-25T00:30:00Z'),
      note: 'CLOCK_OVERLAP',
    })
    expect(daily('Pacific/Apia', '2011-12-30', '09:00')).toMatchObject({
      occurrence: '2011-12-30',
      occursOn: '2011-12-31',
      note: 'DATE_SKIPPED',
    })
    expect(daily('Europe/Berlin', '2026-03-30', '02:30')).not.toHaveProperty('note')
  })

  it('throws for a text that is not a rule', () => {
    expect(() => first(schedule({ repeats: 'FREQ=HOURLY' }), '2026-11-05T00:00:00Z')).toThrow(
      '"FREQ=HOURLY" is not a recurrence rule: FREQ=HOURLY is not supported.',
    )
  })
})

describe('an occasion that happens once', () => {
  const graduation = (over: Partial<Occasion> = {}, timezone = 'Etc/UTC') =>
    schedule({ date: '2026-11-16', repeats: 'ONCE', ...over }, timezone)

  it('has one occurrence until that has passed', () => {
    expect(take(graduation(), '2020-01-01T00:00:00Z', 9).map(show)).toEqual(['once 2026-11-16T09:00Z'])
    expect(show(first(graduation(), '2026-11-16T09:00:00Z'))).toBe('once 2026-11-16T09:00Z')
    expect(first(graduation(), '2026-11-16T09:00:00.001Z')).toBe(null)
    expect(first(graduation({}, 'Asia/Tokyo'), '2026-11-16T00:00:00.001Z')).toBe(null)
  })

  it('is not sent again after its date changes', () => {
    const settled = past('once', '2026-11-16T09:00:00Z')
    expect(first(graduation({ date: '2027-11-16' }), '2026-11-17T00:00:00Z', settled)).toBe(null)
  })

  it('has no occurrence after its last day', () => {
    expect(first(graduation({ until: '2026-11-15' }), '2026-01-01T00:00:00Z')).toBe(null)
    expect(first(graduation({ until: '2026-11-16' }), '2026-01-01T00:00:00Z')).not.toBe(null)
  })

  it('moves with its user, and stays due if its time has passed in the new timezone', () => {
    expect(moved(graduation({}, 'Asia/Tokyo'), '2026-11-15T00:00:00Z', 'once')).toBe('once 2026-11-16T00:00Z')
    expect(moved(graduation({}, 'Asia/Tokyo'), '2026-11-16T05:00:00Z', 'once')).toBe('once 2026-11-16T00:00Z')
  })
})

describe('a pending occurrence of a rule whose user moves to another timezone', () => {
  const mondays = (timezone: string, over: Partial<Occasion> = {}) =>
    schedule({ ...MONDAYS, ...over }, timezone)

  it('is replaced by an earlier one that is still possible in the new timezone, unless that was settled', () => {
    const now = '2026-11-16T10:00:00Z'
    expect(moved(mondays('America/Los_Angeles'), now, '2026-11-23')).toBe('2026-11-16 2026-11-16T17:00Z')
    const settled = past('2026-11-16', '2026-11-16T09:00:00Z')
    expect(moved(mondays('America/Los_Angeles'), now, '2026-11-23', settled)).toBe(
      '2026-11-23 2026-11-23T17:00Z',
    )
  })

  it('moves to the next day of the rule if its day was removed, and stays if the rule has ended', () => {
    expect(moved(mondays('Etc/UTC'), '2026-11-14T00:00:00Z', '2026-11-17')).toBe(
      '2026-11-16 2026-11-16T09:00Z',
    )
    expect(moved(mondays('Etc/UTC'), '2026-11-20T00:00:00Z', '2026-11-10')).toBe(
      '2026-11-23 2026-11-23T09:00Z',
    )
    const over = mondays('Etc/UTC', { repeats: 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20261110' })
    expect(moved(over, '2026-11-14T00:00:00Z', '2026-11-17')).toBe(null)
  })

  it('is found by its name in a later rule revision too', () => {
    expect(moved(mondays('Asia/Tokyo', { ruleRevision: 2 }), '2026-11-16T05:00:00Z', '2:2026-11-16')).toBe(
      '2:2026-11-16 2026-11-16T00:00Z',
    )
    expect(moved(mondays('Asia/Tokyo', { ruleRevision: 2 }), '2026-11-16T05:00:00Z', '2026-11-16')).toBe(
      '2:2026-11-23 2026-11-23T00:00Z',
    )
  })
})

describe('an occasion whose rule was replaced', () => {
  it('names occurrences with the rule revision', () => {
    expect(show(first(schedule({ ...MONDAYS, ruleRevision: 2 }), '2026-11-10T00:00:00Z'))).toBe(
      '2:2026-11-16 2026-11-16T09:00Z',
    )
    expect(show(first(schedule({ ruleRevision: 12 }), '2026-11-10T00:00:00Z'))).toBe(
      '12:2027 2027-06-15T09:00Z',
    )
  })

  it('sends nothing up to the last settled instant of the previous rule', () => {
    const settled = past('2026-11-16', '2026-11-16T09:00:00Z')
    const daily = schedule({ date: '2026-11-02', repeats: 'FREQ=DAILY', ruleRevision: 2 })
    expect(show(first(daily, '2026-11-16T09:00:00Z', settled))).toBe('2:2026-11-17 2026-11-17T09:00Z')
    expect(show(first(daily, '2026-11-10T09:00:00Z', settled))).toBe('2:2026-11-17 2026-11-17T09:00Z')
  })

  it('sends nothing on the local day of the last settled occurrence of the previous rule', () => {
    const settled = past('2026', '2026-11-16T14:00:00Z')
    const later = { date: '2020-11-16', repeats: 'FREQ=YEARLY', localTime: '17:00', ruleRevision: 2 }
    const inNewYork = schedule(later, 'America/New_York')
    expect(show(first(inNewYork, '2026-11-16T15:00:00Z', settled))).toBe('2:2027-11-16 2027-11-16T22:00Z')
    const monthly = schedule({ ...later, repeats: 'FREQ=MONTHLY' }, 'America/New_York')
    expect(show(first(monthly, '2026-11-16T15:00:00Z', settled))).toBe('2:2026-12-16 2026-12-16T22:00Z')
    const earlier = schedule({ ...later, repeats: 'FREQ=DAILY', localTime: '00:00' }, 'America/New_York')
    expect(show(first(earlier, '2026-11-16T15:00:00Z', settled))).toBe('2:2026-11-17 2026-11-17T05:00Z')
  })

  it('compares occurrence names once an occurrence of the new rule is settled', () => {
    const settled = past('2:2026-11-16', '2026-11-16T09:00:00Z')
    const later = schedule({ ...MONDAYS, ruleRevision: 2, localTime: '18:00' })
    expect(show(first(later, '2026-11-16T10:00:00Z', settled))).toBe('2:2026-11-23 2026-11-23T18:00Z')
  })

  it('distinguishes rule revision 2 from 12', () => {
    const settled = past('2:2026-11-16', '2026-11-16T09:00:00Z')
    expect(show(first(schedule({ ...MONDAYS, ruleRevision: 12 }), '2026-11-16T09:00:00Z', settled))).toBe(
      '12:2026-11-23 2026-11-23T09:00Z',
    )
  })

  it.each(['2026', '9:2026', '10:hebrew-5786', '2026~1'])(
    'by another calendar greets no second time within half a year after %s was settled',
    (occurrence) => {
      const settled = past(occurrence, '2026-05-20T09:00:00Z')
      const back = schedule({ ruleRevision: 11 })
      expect(show(first(back, '2026-05-21T00:00:00Z', settled))).toBe('11:2027 2027-06-15T09:00Z')
      const long = past(occurrence, '2025-12-01T09:00:00Z')
      expect(show(first(back, '2026-05-21T00:00:00Z', long))).toBe('11:2026 2026-06-15T09:00Z')
    },
  )

  it('greets on the birthday even soon after the last occurrence of a rule that was not yearly', () => {
    const settled = past('2026-06-08', '2026-06-08T09:00:00Z')
    expect(show(first(schedule({ ruleRevision: 2 }), '2026-06-09T00:00:00Z', settled))).toBe(
      '2:2026 2026-06-15T09:00Z',
    )
  })
})

describe('an occasion in another calendar', () => {
  // 1 Tishri 5781.
  const newYear = (over: Partial<Occasion> = {}, timezone = 'Etc/UTC') =>
    schedule({ date: '2020-09-19', calendar: 'hebrew', ...over }, timezone)

  it('names its occurrences by the year of that calendar', () => {
    expect(take(newYear(), '2026-09-01T00:00:00Z', 3).map(show)).toEqual([
      'hebrew-5787 2026-09-12T09:00Z',
      'hebrew-5788 2027-10-02T09:00Z',
      'hebrew-5789 2028-09-21T09:00Z',
    ])
  })

  it('begins with the first anniversary of its date', () => {
    expect(show(first(newYear(), '1990-01-01T00:00:00Z'))).toBe('hebrew-5782 2021-09-07T09:00Z')
  })

  it('comes after the last settled occurrence', () => {
    const settled = past('hebrew-5787', '2026-09-12T09:00:00Z')
    expect(show(first(newYear(), '2026-09-01T00:00:00Z', settled))).toBe('hebrew-5788 2027-10-02T09:00Z')
  })

  it('moves to the new timezone of its user', () => {
    expect(moved(newYear({}, 'Asia/Tokyo'), '2026-09-12T05:00:00Z', 'hebrew-5787')).toBe(
      'hebrew-5787 2026-09-12T00:00Z',
    )
    expect(moved(newYear({}, 'America/Los_Angeles'), '2026-09-12T10:00:00Z', 'hebrew-5788')).toBe(
      'hebrew-5787 2026-09-12T16:00Z',
    )
  })

  it('has a note if the day does not exist in that year', () => {
    // 15 Adar I of a leap year; 5787 is another leap year, the years between are not.
    const slots = take(schedule({ date: '2024-02-24', calendar: 'hebrew' }), '2025-01-01T00:00:00Z', 3)
    expect(slots.map(({ occurrence, note }) => `${occurrence} ${note}`)).toEqual([
      'hebrew-5785 CALENDAR_MOVED',
      'hebrew-5786 CALENDAR_MOVED',
      'hebrew-5787 undefined',
    ])
  })

  it('ends with the last year in the table of the calendar', () => {
    expect(take(newYear(), '2026-09-01T00:00:00Z', 10_000).length).toBeLessThan(1_000)
    expect(first(newYear(), '9000-01-01T00:00:00Z')).toBe(null)
  })
})

describe('a yearly occasion', () => {
  it('is planned with as many conversions of local times as nextYearly() needs', () => {
    const of = schedule({}, 'Europe/Berlin')
    const rule = ruleOf(of.occasion, of.user)!
    const after = past('2026', '2026-06-15T07:00:00Z')
    const now = at('2026-06-15T07:00:01Z')
    const plain = conversionsOf((table) => nextYearly(rule, { notBefore: now, afterYear: 2026 }, table))
    expect(plain).toBe(1)
    expect(conversionsOf((table) => recurring.first(of, { now, after }, table))).toBe(plain)
  })
})

/** How often a local time is converted to an instant. */
function conversionsOf(run: (table: TimezoneTable) => unknown): number {
  let count = 0
  run({
    ...tzdb,
    zone: (name) => {
      const zone = tzdb.zone(name)
      return {
        name: zone.name,
        offsetMsAt: (instant) => zone.offsetMsAt(instant),
        instantOf(localMs) {
          count += 1
          return zone.instantOf(localMs)
        },
      }
    },
  })
  return count
}
