// The line of an occurrence that has no event on its day: excused by what is recorded, or unexplained.
import { originalOf } from '../../events/idempotency-key.ts'
import { DAY_MS } from '../../time/calendar.ts'
import { CLOCK_TOLERANCE_MS } from '../../time/clock-tolerance.ts'
import { nextDay, occurrenceOn } from '../expected/days.ts'
import { type LedgerLine, makeLine } from '../line.ts'
import { dueOn, everyDueOn } from './due.ts'
import { isTooSoon } from './permitted.ts'
import type { Case, State } from './timeline.ts'

/** A day of a rule, and the name of the occurrence on it. */
type Missing = { day: number; name: string }

/** An occurrence that the state at index `i` owed at an instant. */
type Owed = Missing & { i: number; at: number }

/** The journal entry or the event that explains why there was no message. */
type Excuse = { reason: string; entry?: number | null; because?: string }

/** Null if no state owed the occurrence. Of several excuses, the one of the latest state. */
export function accountMissing(of: Case, missing: Missing): LedgerLine | null {
  let line: LedgerLine | null = null
  for (const i of of.states.keys()) {
    const found = lineUnder(of, i, missing)
    if (found?.column === 'unexplained') return found
    line = found ?? line
  }
  return line
}

/** The line by the state at an index. */
function lineUnder(of: Case, i: number, missing: Missing): LedgerLine | null {
  const { states, context } = of
  const { day, name } = missing
  const state = states[i]!
  if (occurrenceOn(state.rule, day) !== name) return null
  const { at, isActive } = dueOn(state, day, context)
  if (at > context.now) return null
  const owed = { ...missing, i, at }
  const isInForce = at >= state.from && at < state.to
  if (!isActive) {
    const isPaused = isInForce && state.occasion.pausedAt !== null
    return isPaused ? excusedLine(of, owed, { reason: 'PAUSED', entry: state.entry }) : null
  }
  if (isInForce || isPutInThePast(of, owed)) {
    const excuse = excuseFor(of, owed)
    if (excuse !== null) return excusedLine(of, owed, excuse)
    return makeLine('unexplained', 'NO_EVENT', subjectOf(of, owed))
  }
  // It was planned under this state, and a change came before it was due.
  const excuse = at >= state.to && isFirstAfter(state, day) ? changedBy(of, owed) : null
  return excuse === null ? null : excusedLine(of, owed, excuse)
}

/** Whether the occurrence was ahead before the change that began the state, and is past by the state: then it is due at once. */
function isPutInThePast({ states, context }: Case, { i, at, day, name }: Owed): boolean {
  const [earlier, state] = [states[i - 1], states[i]!]
  if (earlier === undefined || occurrenceOn(earlier.rule, day) !== name) return false
  const before = dueOn(earlier, day, context)
  return before.isActive && before.at >= state.from && at < state.from
}

/** Whether the day is the first one of the rule after the state ended: only that one was planned. */
function isFirstAfter(state: State, day: number): boolean {
  // Local dates are up to two days apart, so a day this close to the end may be the first.
  const from = Math.floor(state.to / DAY_MS) + 2
  return day <= from || nextDay(state.rule, from, day) === day
}

function excuseFor(of: Case, owed: Owed): Excuse | null {
  const changed = wasOpen(of, owed) ? changedBy(of, owed) : null
  return changed ?? excuseByRules(of, owed) ?? excuseByEvent(of, owed)
}

/** Whether a change found its event, or an earlier one, open after it was due. A change explains nothing about a settled event. */
function wasOpen({ input }: Case, { at, name }: Owed): boolean {
  return input.moves.some(
    (move) => move.at >= at - CLOCK_TOLERANCE_MS && (move.occurrence === name || move.targetAt <= at),
  )
}

/** The first later change after which the occurrence is not on its day. */
function changedBy({ states, context }: Case, { i, day, name }: Owed): Excuse | null {
  const change = states
    .slice(i + 1)
    .find((later) => occurrenceOn(later.rule, day) !== name || !dueOn(later, day, context).isActive)
  if (change === undefined) return null
  return { reason: change.occasion.pausedAt === null ? 'CHANGED' : 'PAUSED', entry: change.entry }
}

/** By other timezone rules the occurrence was due outside of the state: a process with these rules did not plan it. */
function excuseByRules({ states, context }: Case, { i, day, at }: Owed): Excuse | null {
  const { from, to, entry } = states[i]!
  const isOutside = everyDueOn(states[i]!, day, context).some(
    (other) => other !== at && (other < from || other >= to),
  )
  return isOutside ? { reason: 'OTHER_TIMEZONE_RULES', entry } : null
}

/** Another event of the occasion: its message on another day, one that was still open, or one shortly before. */
function excuseByEvent({ input, states, context }: Case, { i, at, name }: Owed): Excuse | null {
  for (const event of input.events) {
    const because = event.id
    const isNamed = originalOf(event.occurrence) === name
    if (isNamed && event.status !== 'PENDING') return { reason: 'SENT_ON_ANOTHER_DAY', because }
    if (event.replayOf !== null) continue
    const settledAt = event.executedAt ?? Number.POSITIVE_INFINITY
    // A later change may have moved the event that was open then.
    const isEarlier = event.targetAt <= at || (i + 1 < states.length && event.createdAt <= at)
    if (!isNamed && isEarlier && settledAt >= at - CLOCK_TOLERANCE_MS)
      return { reason: 'EARLIER_ONE_WAS_OPEN', because }
    if (isTooSoon(states[i]!, event, at, context)) return { reason: 'SENT_SHORTLY_BEFORE', because }
  }
  return null
}

function excusedLine(of: Case, owed: Owed, { reason, ...evidence }: Excuse): LedgerLine {
  return makeLine('excused', reason, { ...subjectOf(of, owed), ...evidence })
}

function subjectOf({ input }: Case, { name, at }: Owed) {
  return { occasionId: input.occasion.id, occurrence: name, dueAt: at }
}
