import { describe, expect, it } from 'vitest'
import { occurrenceInYear } from '../../src/domain/occasions/next-occurrence.ts'
import { isPlace } from '../../src/domain/time/timezone.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import { parsePeople } from '../../src/rehearsal/people.ts'
import { parseRange, type Span } from '../../src/rehearsal/range.ts'
import { scheduleOf } from '../../src/rehearsal/schedule.ts'
import { seededDice } from '../../src/runtimes/testing/seeded-dice.ts'

const CUSTOMS = { localTime: '09:00', leapDay: 'MARCH_1', table: tzdb } as const
const NOW = Date.parse('2026-11-15T00:00Z')

function rangeOf(from: string, to: string): Span {
  const range = parseRange({ from, to }, NOW)
  if ('problem' in range) throw new Error(range.problem)
  return range.span
}

function peopleOf(...texts: string[]) {
  const { people, problems } = parsePeople(texts, { now: NOW, table: tzdb })
  expect(problems).toEqual([])
  return people
}

function due(texts: string[], range: Span): string[] {
  return [...scheduleOf(peopleOf(...texts), range, CUSTOMS)].map(
    ({ person, age, explanation }) => `${explanation.utc.slice(0, 16)} ${person.who} ${age}`,
  )
}

describe('a schedule', () => {
  it('has every event due in the range, ordered by instant across timezones', () => {
    const dice = seededDice(7)
    const zones = tzdb.zones().filter(isPlace)
    const texts = Array.from({ length: 300 }, () => {
      const born = new Date(Math.floor(dice() * 18_000) * 86_400_000).toISOString().slice(0, 10)
      return `${born} ${zones[Math.floor(dice() * zones.length)]}`
    })
    const people = peopleOf(...texts)
    const range = rangeOf('2023-12-31', '2029-01-01')
    const expected = people.flatMap((person) => {
      const rule = { date: person.dateOfBirth, timezone: person.timezone }
      const years = [2023, 2024, 2025, 2026, 2027, 2028, 2029]
      return years
        .map((year) => occurrenceInYear(rule, year).instant)
        .filter((instant) => instant >= range.startsAt && instant < range.endsAt)
    })
    const found = [...scheduleOf(people, range, CUSTOMS)].map(({ explanation }) => explanation.instant)
    expect(found).toEqual(expected.sort((a, b) => a - b))
  })

  it('counts days in UTC: nine o’clock on 1 January in Kiritimati is in the old year', () => {
    expect(due(['1990-01-01 Pacific/Kiritimati'], rangeOf('2026-12-31', '2026-12-31'))).toEqual([
      '2026-12-31T19:00 person 1 37',
    ])
    expect(due(['1990-01-01 Pacific/Kiritimati'], rangeOf('2027-01-01', '2027-12-30'))).toEqual([])
  })

  it('includes the first instant of the range and excludes its end', () => {
    expect(due(['1990-06-01 Asia/Tokyo'], rangeOf('2026-06-01', '2026-06-01'))).toEqual([
      '2026-06-01T00:00 person 1 36',
    ])
    expect(due(['1990-06-01 Asia/Tokyo'], rangeOf('2026-05-31', '2026-05-31'))).toEqual([])
  })

  it('has no event before the first birthday of a person', () => {
    expect(due(['2024-06-01 Etc/UTC'], rangeOf('2022-01-01', '2025-12-31'))).toEqual([
      '2025-06-01T09:00 person 1 1',
    ])
    expect(due(['0001-06-01 Etc/UTC'], rangeOf('2025-01-01', '2025-12-31'))).toEqual([
      '2025-06-01T09:00 person 1 2024',
    ])
  })
})
