// The expected schedule compared with the planner, and its recurrence rules with the rrule package, on random rules, days and
// places. A difference is an error in one of the two.
import rruleLibrary from 'rrule'
import { describe, expect, it } from 'vitest'
import { civilOf, dayNumber, writeDay } from '../../../../src/domain/ledger/expected/civil.ts'
import { dayOf, nextDay, occurrenceOn } from '../../../../src/domain/ledger/expected/days.ts'
import { reminderAt } from '../../../../src/domain/ledger/expected/reminders.ts'
import { readWallClock } from '../../../../src/domain/ledger/expected/wall-clock.ts'
import { occasionType } from '../../../../src/domain/occasions/occasion-types.ts'
import type { Schedule } from '../../../../src/domain/occasions/schedule.ts'
import { civilFromLocalMs, formatCivilDate } from '../../../../src/domain/time/calendar.ts'
import { parseLocalTime } from '../../../../src/domain/time/local-time.ts'
import { loadTimezoneTable, readRules, type TimezoneTable, tzdb } from '../../../../src/domain/time/tzdb.ts'
import older from '../../../data/tz-2025c.json' with { type: 'json' }
import { DAY, MINUTE, makeOccasion, makePerson, makeTask } from '../../../support/fixtures.ts'
import { type Random, randomOf, randomRepeats, randomRule } from './support/random-rules.ts'

type Place = { table: TimezoneTable; timezone: string }

const TABLES = [tzdb, loadTimezoneTable(older)].map((table) => ({ table, zones: table.zones() }))

function randomPlace({ pick }: Random): Place {
  const { table, zones } = pick(TABLES)
  return { table, timezone: pick(zones) }
}

const clockOf = ({ table, timezone }: Place) => readWallClock(table.rules(timezone))

const changesOf = new Map<string, readonly number[]>()

/** An instant within so many hours of a change of the clock; any day in a place without changes. */
function nearChange({ pick, below, day }: Random, { table, timezone }: Place, hours = 30): number {
  const rules = table.rules(timezone)
  const known = changesOf.get(rules)
  const changes = known ?? readRules(timezone, rules).flatMap(({ at }) => (Number.isFinite(at) ? [at] : []))
  if (known === undefined) changesOf.set(rules, changes)
  const at = changes.length === 0 ? day('1975-01-01', '2049-12-31') * DAY : pick(changes)
  return at + (below(8 * hours) - 4 * hours) * 15 * MINUTE
}

/** The first few differences are enough to read. A comparison by expect() for each case would take most of the time. */
class Differences {
  readonly found: object[] = []

  compare(expected: unknown, planned: unknown, of: object): void {
    if (expected !== planned && this.found.length < 5) this.found.push({ expected, planned, ...of })
  }
}

const seriesOf = ({ occasion }: Schedule) => occasionType(occasion.type).series

describe('civil dates', () => {
  it('agree with the dates of the planner on every day from 1890 to 2110, and centuries away', () => {
    const random = randomOf(1)
    const days = Array.from({ length: 80_500 }, (_, i) => dayNumber(1890, 1, 1) + i)
    for (let i = 0; i < 20_000; i++) days.push(random.day('0001-01-01', '9998-12-31'))
    const wrong = days.filter((day) => {
      const { year, month, day: ofMonth } = civilOf(day)
      const date = formatCivilDate(civilFromLocalMs(day * DAY))
      return writeDay(day) !== date || dayNumber(year, month, ofMonth) !== day
    })
    expect(wrong.slice(0, 5)).toEqual([])
  })
})

describe('the wall clock of a random place', () => {
  it('shows every wall time at the instant that the planner computes', () => {
    const random = randomOf(2)
    const differences = new Differences()
    for (let i = 0; i < 40_000; i++) {
      const place = randomPlace(random)
      const zone = place.table.zone(place.timezone)
      const clock = clockOf(place)
      const wall = random.chance(0.8)
        ? nearChange(random, place)
        : random.day('1970-01-02', '2060-12-31') * DAY + random.below(DAY)
      const of = { timezone: place.timezone, wall }
      differences.compare(clock.instantOf(wall), zone.instantOf(wall).instant, of)
      differences.compare(clock.wallAt(wall), wall + zone.offsetMsAt(wall), of)
    }
    expect(differences.found).toEqual([])
  })
})

describe('a random occasion', () => {
  it('falls on the day, under the name and at the instant that the planner chooses', () => {
    const random = randomOf(3)
    const differences = new Differences()
    const seen = { occurrences: 0, ended: 0, clockChanges: 0, moved: 0 }
    for (let i = 0; i < 20_000; i++) {
      const rule = randomRule(random)
      const place = randomPlace(random)
      const localTime = random.pick(['09:00', '00:00', '00:30', '01:30', '02:30', '23:59:59'])
      const { user } = makePerson({ dateOfBirth: rule.date, timezone: place.timezone })
      const date = random.chance(0.5) ? null : rule.date
      const occasion = makeOccasion(user, { type: 'CUSTOM', ...rule, date, localTime })
      const schedule = { occasion, user, task: null }
      const now = random.chance(0.3)
        ? nearChange(random, place)
        : random.day('1975-01-01', '2047-12-31') * DAY + random.below(DAY)

      const planned = seriesOf(schedule).first(schedule, { now, after: null }, place.table)
      const clock = clockOf(place)
      const instantOn = (day: number) => clock.instantOf(day * DAY + parseLocalTime(localTime)!)
      // Two days before: a date that a place skipped is due on the next day.
      const from = Math.floor(now / DAY) - 2
      const to = planned === null ? from + 10 * 366 : Math.ceil(planned.instant / DAY) + 2
      let day = nextDay(rule, from, to)
      while (day !== null && instantOn(day) < now) day = nextDay(rule, day + 1, to)

      const of = { rule, timezone: place.timezone, localTime, now }
      differences.compare(day === null ? null : occurrenceOn(rule, day), planned?.occurrence ?? null, of)
      if (planned === null || day === null) {
        seen.ended += 1
        continue
      }
      differences.compare(instantOn(day), planned.instant, of)
      differences.compare(clock.wallAt(planned.instant), planned.instant + planned.offsetSeconds * 1000, of)
      differences.compare(dayOf(rule, planned.occurrence), day, of)
      seen.occurrences += 1
      if (planned.note === 'CALENDAR_MOVED' || planned.note === 'LEAP_DAY_MOVED') seen.moved += 1
      else if (planned.note !== undefined) seen.clockChanges += 1
    }
    expect(differences.found).toEqual([])
    expect(seen.occurrences).toBeGreaterThan(12_000)
    expect(seen.ended).toBeGreaterThan(500)
    expect(seen.moved).toBeGreaterThan(500)
    expect(seen.clockChanges).toBeGreaterThan(10)
  })

  it('has an occurrence on a random day if and only if the planner has one of that name', () => {
    const random = randomOf(4)
    const differences = new Differences()
    const seen = { on: 0, off: 0 }
    for (let i = 0; i < 10_000; i++) {
      const rule = randomRule(random)
      const { user } = makePerson({ dateOfBirth: rule.date })
      const schedule = { occasion: makeOccasion(user, { type: 'CUSTOM', ...rule }), user, task: null }
      const start = random.day('1970-01-05', '2045-12-31')
      const near = random.chance(0.7) ? nextDay(rule, start, start + 1_500) : null
      const day = near === null ? start : near + random.below(3) - 1
      const planned = seriesOf(schedule).first(schedule, { now: day * DAY, after: null }, tzdb)
      const isPlanned = planned !== null && planned.instant < (day + 1) * DAY
      differences.compare(occurrenceOn(rule, day), isPlanned ? planned.occurrence : null, { rule, day })
      seen[isPlanned ? 'on' : 'off'] += 1
    }
    expect(differences.found).toEqual([])
    expect(Math.min(seen.on, seen.off)).toBeGreaterThan(1_000)
  })
})

describe('a random recurrence rule', () => {
  it('falls on the days that the rrule package generates', () => {
    const random = randomOf(5)
    let days = 0
    for (let i = 0; i < 300; i++) {
      // The package searches a rule without further days up to the year 9999: the rules start close to it.
      const start = dayNumber(9_900 + random.below(60), 1, 1) + random.below(366)
      const repeats = randomRepeats(random).replace(/;UNTIL=\d+/, '')
      const end = start + (/DAILY|WEEKLY/.test(repeats) ? 3 : 20) * 365
      const rule = {
        repeats,
        calendar: 'gregorian',
        leapDay: 'MARCH_1',
        ruleRevision: 1,
        date: writeDay(start),
      } as const
      const found: string[] = []
      for (let day = start - 3; day <= end; day++) {
        const name = occurrenceOn(rule, day)
        if (name !== null) found.push(name)
      }
      const text = `DTSTART:${rule.date.replaceAll('-', '')}T000000Z\nRRULE:${repeats}`
      const generated = rruleLibrary.rrulestr(text).between(new Date(start * DAY), new Date(end * DAY), true)
      expect(found, text).toEqual(generated.map((day) => day.toISOString().slice(0, 10)))
      days += found.length
    }
    expect(days).toBeGreaterThan(5_000)
  })
})

describe('the reminder of a random task', () => {
  it('is owed at the instant that the planner chooses', () => {
    const random = randomOf(6)
    const { below, chance, pick } = random
    const differences = new Differences()
    const seen = { sent: 0, none: 0, quiet: 0 }
    // Most clocks change in the first hours of a day.
    const hour = () => (chance(0.5) ? below(4) : below(24))
    const time = () => `${String(hour()).padStart(2, '0')}:${pick(['00', '15', '30', '59'])}`
    for (let i = 0; i < 20_000; i++) {
      const place = randomPlace(random)
      const remindBeforeMs = (1 + below(150)) * 15 * MINUTE
      const wanted = nearChange(random, place, chance(0.5) ? 2 : 30)
      const dueAt = wanted + remindBeforeMs
      const now = wanted + (below(120) - 60) * 15 * MINUTE
      const { user } = makePerson({ timezone: place.timezone })
      const [from, to] = [time(), time()]
      const { occasion, task } = makeTask(user, {
        dueAt,
        remindBeforeMs,
        quietHours: chance(0.8) && from !== to ? `${from}-${to}` : null,
        reminderSentAt: chance(0.3) ? now - below(200) * 15 * MINUTE : null,
        completedAt: chance(0.05) ? now : null,
      })
      const schedule = { occasion, user, task }
      const planned = seriesOf(schedule).first(schedule, { now, after: null }, place.table)?.instant ?? null
      const found = reminderAt(task, { now, clock: clockOf(place) })
      differences.compare(found, planned, { task, timezone: place.timezone, now })
      if (found === null) seen.none += 1
      else if (found === Math.max(now, dueAt - task.remindBeforeMs)) seen.sent += 1
      else seen.quiet += 1
    }
    expect(differences.found).toEqual([])
    expect(Math.min(seen.sent, seen.none, seen.quiet)).toBeGreaterThan(1_000)
  })
})
