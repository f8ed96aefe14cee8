// Random schedules, compared with the oracle, which shares the timezone table with the product and no code.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextOccurrence } from '../../../src/domain/occasions/next-occurrence.ts'
import { recurring, upcoming } from '../../../src/domain/occasions/recurring.ts'
import type { Slot } from '../../../src/domain/occasions/schedule.ts'
import { DAY_MS } from '../../../src/domain/time/calendar.ts'
import { formatLocalTime } from '../../../src/domain/time/local-time.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { makeOccasion, makePerson } from '../../support/fixtures.ts'
import { changesOf, instantOf, NEWEST, wallAt } from '../../support/oracle/clock.ts'
import { nextOwed, type Owed, type Schedule } from '../../support/oracle/schedule.ts'

const NAMES = tzdb.zones()
const LAST_NOW = Date.UTC(2050, 0, 1) - 1

/** Before 1970: every occurrence from then on is an anniversary. */
const dates = fc
  .oneof(
    { weight: 6, arbitrary: fc.integer({ min: -14_600, max: -367 }) },
    // The dates at which calendar code tends to fail: 28 February to 1 March of 1968, 30 December to 2 January.
    { weight: 2, arbitrary: fc.constantFrom(-673, -672, -671, -367, -366, -365, -364) },
  )
  .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10))
const times = fc.oneof(
  fc.constantFrom('09:00', '00:00', '01:45', '02:00', '02:30', '23:59:59'),
  fc.integer({ min: 0, max: 86_399 }).map((second) => formatLocalTime(second * 1000)),
)
const nows = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: LAST_NOW }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1971, max: 2049 }), fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }))
      .map(([year, ms]) => Date.UTC(year, 0, 1) + ms),
  },
)
const leapDays = fc.constantFrom('MARCH_1' as const, 'FEBRUARY_28' as const)
const zones = fc.constantFrom(...NAMES)
const yearlyRules = fc.record({ date: dates, localTime: times, timezone: zones, leapDay: leapDays })

const expected = (over: Partial<Schedule>): Schedule => ({
  date: '1990-06-15',
  repeats: 'YEARLY',
  leapDay: 'MARCH_1',
  calendar: 'gregorian',
  localTime: '09:00',
  timezone: 'Etc/UTC',
  release: NEWEST,
  ruleRevision: 1,
  until: null,
  paused: false,
  ...over,
})

describe('nextOccurrence() for random rules', () => {
  it('returns the instant that the oracle expects', () => {
    fc.assert(
      fc.property(yearlyRules, nows, (rule, now) => {
        expect(nextOccurrence(rule, now).instant).toBe(nextOwed(expected(rule), { now, settled: null })!.at)
      }),
      { numRuns: 6000 },
    )
  })

  it('returns the local time and date of the rule, unless a note gives the reason', () => {
    fc.assert(
      fc.property(yearlyRules, nows, (rule, now) => {
        const { instant, occursOn, offsetMinutes, note } = nextOccurrence(rule, now)
        const wall = new Date(wallAt(instant, rule.timezone))
        expect(offsetMinutes * 60_000).toBe(wall.getTime() - instant)
        expect(occursOn).toBe(wall.toISOString().slice(0, 10))
        if (note !== 'CLOCK_GAP')
          expect(formatLocalTime(wall.getTime() - Date.parse(occursOn))).toBe(rule.localTime)
        if (note === undefined) expect(occursOn.slice(5)).toBe(rule.date.slice(5))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('a local time around a clock change', () => {
  it('has the instant that the oracle expects, in every zone', () => {
    const shifts = fc.array(fc.integer({ min: -180, max: 180 }), { minLength: 50, maxLength: 50 })
    let odd = 0
    fc.assert(
      fc.property(shifts, (minutes) => {
        for (const timezone of NAMES) {
          const zone = tzdb.zone(timezone)
          for (const [i, change] of changesOf(timezone).entries()) {
            const wall = wallAt(change - 1, timezone) + 1 + minutes[i % minutes.length]! * 60_000
            const { instant, offsetMs, kind } = zone.instantOf(wall)
            const at = instantOf(wall, timezone)
            if (instant !== at || offsetMs !== wallAt(at, timezone) - at)
              expect.fail(`${timezone} at ${new Date(wall).toISOString()}: ${instant}, expected ${at}`)
            if (kind !== 'plain') odd += 1
          }
        }
      }),
      { numRuns: 1 },
    )
    expect(odd).toBeGreaterThan(1_000)
  })
})

describe('the occurrences of a random occasion', () => {
  const RULES = [
    'FREQ=DAILY;INTERVAL=5',
    'FREQ=WEEKLY;BYDAY=SU',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU,MO',
    'FREQ=MONTHLY;BYDAY=-1SU',
    'FREQ=MONTHLY;BYMONTHDAY=-1,1,28',
    'FREQ=YEARLY;BYMONTH=3,4,10,11;BYDAY=1SU,2SU,-1SU',
    'FREQ=YEARLY;BYDAY=13SU,-10SU',
    'YEARLY',
  ]
  const occasions = fc.record({
    date: fc.constantFrom('1996-02-29', '2001-12-31'),
    repeats: fc.constantFrom(...RULES),
    localTime: times,
    leapDay: leapDays,
    shiftDays: fc.constantFrom(null, -90, -3, -1, 2, 90),
    onWeekend: fc.constantFrom(null, 'BEFORE' as const, 'AFTER' as const, 'SKIP' as const),
  })

  it('are those that the oracle expects', () => {
    fc.assert(
      fc.property(occasions, zones, nows, (occasion, timezone, now) => {
        const { user } = makePerson({ timezone })
        const schedule = { occasion: makeOccasion(user, { type: 'CUSTOM', ...occasion }), user, task: null }
        const slots = upcoming(recurring, schedule, { now, after: null }, tzdb)
        let settled: Owed | null = null
        for (let i = 0; i < 6; i++) {
          const slot = slots.next().value as Slot | undefined
          settled = nextOwed(expected({ ...occasion, timezone }), { now, settled })
          expect(slot === undefined ? null : { occurrence: slot.occurrence, at: slot.instant }).toEqual(
            settled,
          )
          if (slot === undefined) return
          expect(slot.offsetSeconds * 1000).toBe(wallAt(slot.instant, timezone) - slot.instant)
        }
      }),
      { numRuns: 500 },
    )
  })
})
