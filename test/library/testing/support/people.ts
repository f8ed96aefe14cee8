// Random people, and the greetings that the domain plans for them, to compare deliveries with.
import { nextYearly, tzdb } from '../../../../src/domain/core.ts'
import { formatInstant } from '../../../../src/domain/time/timestamp.ts'
import { seededDice } from '../../../../src/library/testing/seeded-dice.ts'

export type Person = {
  externalId: string
  firstName: string
  lastName: string
  dateOfBirth: string
  timezone: string
}

const ZONES = tzdb.zones().filter((name) => /^(Africa|America|Asia|Europe|Pacific|Australia)\//.test(name))

/** Every tenth is born on 29 February. */
export function randomPeople(count: number, seed: number): Person[] {
  const dice = seededDice(seed)
  const between = (least: number, most: number) => least + Math.floor(dice() * (most - least + 1))
  const two = (n: number) => String(n).padStart(2, '0')
  return Array.from({ length: count }, (_, i) => ({
    externalId: `person-${i}`,
    firstName: 'Person',
    lastName: `${i}`,
    dateOfBirth:
      i % 10 === 0
        ? `${between(485, 500) * 4}-02-29`
        : `${between(1940, 2005)}-${two(between(1, 12))}-${two(between(1, 28))}`,
    timezone: ZONES[between(0, ZONES.length - 1)]!,
  }))
}

export type Greeting = { externalId: string; at: string }

/** In order of their instants, and of the ids among equal ones. */
export function greetingsOf(people: readonly Person[], from: number, to: number): Greeting[] {
  const greetings: Greeting[] = []
  for (const { externalId, dateOfBirth: date, timezone } of people) {
    for (let notBefore = from; ; ) {
      const { instant } = nextYearly({ date, timezone }, { notBefore }, tzdb)
      if (instant > to) break
      greetings.push({ externalId, at: formatInstant(instant) })
      notBefore = instant + 1
    }
  }
  return sorted(greetings)
}

export function sorted(greetings: readonly Greeting[]): Greeting[] {
  return greetings
    .map(({ externalId, at }) => ({ externalId, at }))
    .sort((a, b) => a.at.localeCompare(b.at) || a.externalId.localeCompare(b.externalId))
}
