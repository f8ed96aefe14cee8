// All that falls due for many people in a span of time, in order of instant. Holds the people and one occurrence of
// each, never all occurrences: a million lines need no more memory than the people themselves.

import { createHeap } from '../domain/heap.ts'
import { type Explanation, explainOccurrence } from '../domain/occasions/explain.ts'
import {
  type LeapDay,
  nextYearly,
  occurrenceInYear,
  type YearlyRule,
} from '../domain/occasions/next-occurrence.ts'
import type { TimezoneTable } from '../domain/time/tzdb.ts'
import type { ListedPerson } from './people.ts'
import type { Span } from './range.ts'

export type Due = { person: ListedPerson; age: number; explanation: Explanation }

/** What holds for everybody: the local time, and where 29 February goes. */
export type Customs = { localTime: string; leapDay: LeapDay; table: TimezoneTable }

export function* scheduleOf(people: readonly ListedPerson[], range: Span, customs: Customs): Generator<Due> {
  const { table } = customs
  const ahead = createHeap<{ person: ListedPerson; year: number }>()
  for (const person of people) {
    const { year, instant } = firstIn(range, person, customs)
    ahead.push(instant, { person, year })
  }
  while (ahead.leastKey() < range.endsAt) {
    const { person, year } = ahead.pop()!
    const rule = ruleOf(person, customs)
    ahead.push(occurrenceInYear(rule, year + 1, table).instant, { person, year: year + 1 })
    yield { person, age: year - birthYear(person), explanation: explainOccurrence(rule, year, table) }
  }
}

function firstIn(range: Span, person: ListedPerson, customs: Customs) {
  // The first birthday is in the year after the birth.
  const limits = { notBefore: range.startsAt, afterYear: birthYear(person) }
  return nextYearly(ruleOf(person, customs), limits, customs.table)
}

function ruleOf({ dateOfBirth, timezone }: ListedPerson, { localTime, leapDay }: Customs): YearlyRule {
  return { date: dateOfBirth, timezone, localTime, leapDay }
}

function birthYear({ dateOfBirth }: ListedPerson): number {
  return Number(dateOfBirth.slice(0, 4))
}
