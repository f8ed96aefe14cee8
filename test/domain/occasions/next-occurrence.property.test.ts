// Properties of the next occurrence, and its comparison with Temporal, which shares neither code nor data with this project.
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import {
  nextOccurrence,
  occurrenceInYear,
  type YearlyRule,
} from '../../../src/domain/occasions/next-occurrence.ts'
import { DAY_MS } from '../../../src/domain/time/calendar.ts'
import { formatLocalTime } from '../../../src/domain/time/local-time.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'

const NAMES = tzdb.zones()
const LAST_NOW = Date.UTC(2050, 0, 1) - 1

const dates = fc
  .oneof(
    { weight: 6, arbitrary: fc.integer({ min: -14_600, max: 18_262 }) },
    // The dates at which calendar code tends to fail: 28 February to 1 March of a leap year, 30 December to 2 January.
    { weight: 2, arbitrary: fc.constantFrom(8093, 8094, 8095, 8399, 8400, 8401, 8402) },
  )
  .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10))
const times = fc.oneof(
  { weight: 2, arbitrary: fc.constant('09:00') },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 86_399 }).map((second) => formatLocalTime(second * 1000)),
  },
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
const rules = fc.record({ date: dates, localTime: times, timezone: zones, leapDay: leapDays })

const localYear = (timezone: string, instant: number) =>
  new Date(instant + tzdb.zone(timezone).offsetMsAt(instant)).getUTCFullYear()

describe('nextOccurrence() for random rules', () => {
  it('returns an instant at or after now, and returns it again if now is that instant', () => {
    fc.assert(
      fc.property(rules, nows, (rule, now) => {
        const first = nextOccurrence(rule, now)
        expect(first.instant).toBeGreaterThanOrEqual(now)
        expect(nextOccurrence(rule, first.instant)).toEqual(first)
      }),
      { numRuns: 3000 },
    )
  })

  it('returns the earliest occurrence of the years from two before to two after', () => {
    fc.assert(
      fc.property(rules, nows, (rule, now) => {
        const year = localYear(rule.timezone, now)
        const ahead = [-2, -1, 0, 1, 2]
          .map((step) => occurrenceInYear(rule, year + step).instant)
          .filter((instant) => instant >= now)
        expect(nextOccurrence(rule, now).instant).toBe(Math.min(...ahead))
      }),
      { numRuns: 3000 },
    )
  })

  it('returns the local time and date of the rule, unless a note gives the reason', () => {
    fc.assert(
      fc.property(rules, nows, (rule, now) => {
        const { instant, occursOn, offsetMinutes, note } = nextOccurrence(rule, now)
        const wall = new Date(instant + tzdb.zone(rule.timezone).offsetMsAt(instant))
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

// Temporal reads the runtime's timezone data, which is older than tzdb.json. A zone is compared in a year only if both tables
// have equal offsets on both sides of each clock change of tzdb.json, and once a month, from the year before to two years after.
const peerOffset = (timezone: string, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone).offsetNanoseconds / 1e6

/** The first instant of each new offset in a zone, found by a look at each day and a binary search within it. */
function changesIn(timezone: string, from: number, to: number): number[] {
  const zone = tzdb.zone(timezone)
  const changes: number[] = []
  for (let day = from; day < to; day += DAY_MS) {
    if (zone.offsetMsAt(day) === zone.offsetMsAt(day + DAY_MS)) continue
    let before = day
    let after = day + DAY_MS
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (zone.offsetMsAt(middle) === zone.offsetMsAt(day)) before = middle
      else after = middle
    }
    changes.push(after)
  }
  return changes
}

function sameLaw(timezone: string, year: number): boolean {
  const from = Date.UTC(year - 1, 0, 1)
  const months = Array.from({ length: 36 }, (_, month) => Date.UTC(year - 1, month, 15))
  const changes = changesIn(timezone, from, Date.UTC(year + 2, 0, 1))
  const zone = tzdb.zone(timezone)
  try {
    return [...months, ...changes.flatMap((change) => [change - 1, change])].every(
      (instant) => peerOffset(timezone, instant) === zone.offsetMsAt(instant),
    )
  } catch {
    return false // The runtime does not know the name.
  }
}

function peerNext(rule: Required<YearlyRule>, now: number): { instant: number; occursOn: string } {
  const birth = Temporal.PlainDate.from(rule.date)
  const { year } = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(rule.timezone)
  for (let y = year - 1; ; y++) {
    // `constrain` turns 29 February into 28 February.
    let date = birth.with({ year: y }, { overflow: 'constrain' })
    if (date.day !== birth.day && rule.leapDay === 'MARCH_1') date = date.add({ days: 1 })
    const zoned = date.toZonedDateTime({ timeZone: rule.timezone, plainTime: rule.localTime })
    if (zoned.epochMilliseconds >= now) {
      return { instant: zoned.epochMilliseconds, occursOn: zoned.toPlainDate().toString() }
    }
  }
}

describe('the timezone code compared with Temporal', () => {
  it('finds equal instants and dates in every zone whose data agrees', () => {
    const cases = fc.array(fc.record({ date: dates, localTime: times, leapDay: leapDays, now: nows }), {
      minLength: NAMES.length,
      maxLength: NAMES.length,
    })
    fc.assert(
      fc.property(cases, (caseOf) => {
        let compared = 0
        NAMES.forEach((timezone, i) => {
          const { now, ...rest } = caseOf[i]!
          const rule = { ...rest, timezone }
          if (!sameLaw(timezone, localYear(timezone, now))) return
          const { instant, occursOn } = nextOccurrence(rule, now)
          expect({ rule, now, instant, occursOn }).toEqual({ rule, now, ...peerNext(rule, now) })
          compared += 1
        })
        expect(compared).toBeGreaterThan(0.9 * NAMES.length)
      }),
      { numRuns: 2, endOnFailure: true },
    )
  })

  it('finds equal instants for local times around clock changes in every zone that has them', () => {
    const picks = fc.array(fc.tuple(fc.nat(), fc.integer({ min: -180, max: 180 })), {
      minLength: NAMES.length,
      maxLength: NAMES.length,
    })
    const changesOf = new Map(NAMES.map((name) => [name, changesIn(name, DAY_MS * 365, LAST_NOW)]))
    const changing = NAMES.filter((name) => changesOf.get(name)!.length > 0)
    fc.assert(
      fc.property(picks, (pickOf) => {
        let compared = 0
        let odd = 0
        changing.forEach((timezone, i) => {
          const [pick, minutes] = pickOf[i]!
          const changes = changesOf.get(timezone)!
          const change = changes[pick % changes.length]!
          const zone = tzdb.zone(timezone)
          if (!sameLaw(timezone, new Date(change).getUTCFullYear())) return
          const localMs = change + zone.offsetMsAt(change - 1) + minutes * 60_000
          const plain = Temporal.PlainDateTime.from(new Date(localMs).toISOString().slice(0, 23))
          const ours = zone.instantOf(localMs)
          const theirs = plain.toZonedDateTime(timezone)
          expect({
            timezone,
            plain: plain.toString(),
            instant: ours.instant,
            offsetMs: ours.offsetMs,
          }).toEqual({
            timezone,
            plain: plain.toString(),
            instant: theirs.epochMilliseconds,
            offsetMs: theirs.offsetNanoseconds / 1e6,
          })
          compared += 1
          if (ours.kind !== 'plain') odd += 1
        })
        expect(compared).toBeGreaterThan(0.9 * changing.length)
        expect(odd).toBeGreaterThan(20)
      }),
      { numRuns: 2, endOnFailure: true },
    )
  })
})
