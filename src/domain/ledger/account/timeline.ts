// The states that an occasion has had, from its creation to now, read back from the journal.

import { timeOfId } from '../../events/uuid.ts'
import type { DayRule } from '../expected/days.ts'
import type { OccasionState, PersonState } from '../journal.ts'
import type { Context, OccasionAccount } from './input.ts'

export type State = {
  /** In force from this instant on, up to `to`, which is not included. */
  from: number
  to: number
  person: PersonState
  occasion: OccasionState
  rule: DayRule
  /** The journal entry that began it; null for the creation. */
  entry: number | null
  /** What began it. */
  cause: 'created' | 'person-changed' | 'occasion-changed'
}

/** An occasion with all that its account follows from. `states`: oldest first; never empty. */
export type Case = { input: OccasionAccount; states: readonly State[]; context: Context }

export function caseOf(input: OccasionAccount, context: Context): Case {
  return { input, states: timelineOf(input), context }
}

/** Oldest first; never empty. Throws a RangeError if a change cannot be read. */
export function timelineOf(input: OccasionAccount): State[] {
  const { user, occasion, task, changes, isReadable } = input
  if (!isReadable) throw new RangeError('A change in the journal cannot be read.')
  let person: PersonState = user
  let rest: OccasionState = { ...occasion, task }
  const states: State[] = []
  let to = Number.POSITIVE_INFINITY
  const created = createdAt(input)
  for (const change of changes.toReversed()) {
    const { at, number, kind } = change
    // A change of the person from before there was the occasion.
    if (change.kind === 'person-changed' && at < created) break
    // A clock that was set back must not reverse the order of two changes.
    const from = Math.min(at, to)
    states.push({ from, to, person, occasion: rest, rule: ruleOf(person, rest), entry: number, cause: kind })
    to = from
    if (change.kind === 'person-changed') person = change.before
    else rest = change.before
  }
  const from = Math.min(created, to)
  states.push({ from, to, person, occasion: rest, rule: ruleOf(person, rest), entry: null, cause: 'created' })
  return states.reverse()
}

function ruleOf({ dateOfBirth }: PersonState, occasion: OccasionState): DayRule {
  const { repeats, calendar, leapDay, ruleRevision, date } = occasion
  return { repeats, calendar, leapDay, ruleRevision, date: date ?? dateOfBirth }
}

/** The id of an occasion carries the instant of its creation, but for a keyed id. */
export function createdAt({ user, occasion, events }: OccasionAccount): number {
  const at = timeOfId(occasion.id)
  if (at > 0) return at
  const planned = occasion.id === user.id ? [] : events.map((event) => event.createdAt)
  return planned.length === 0 ? user.createdAt : Math.min(...planned)
}
