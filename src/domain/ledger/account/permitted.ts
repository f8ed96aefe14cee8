// Whether an event is one that a state of its occasion permits.
import { originalOf } from '../../events/idempotency-key.ts'
import { DAY_MS } from '../../time/calendar.ts'
import { CLOCK_TOLERANCE_MS } from '../../time/clock-tolerance.ts'
import { dayOf } from '../expected/days.ts'
import { everyDueOn, isDueAt } from './due.ts'
import type { AccountEvent, Context } from './input.ts'
import type { Case, State } from './timeline.ts'

/** The local date at the instant that the event is due. */
export function localDay({ targetAt, offsetSeconds }: AccountEvent): number {
  return Math.floor((targetAt + offsetSeconds * 1000) / DAY_MS)
}

/** A claim has the time of its call, which takes that long to reach the database if its process is suspended. */
const LONGEST_CALL_MS = 60 * 60 * 1000

/** Whether the state was in force when the event was due, when it was claimed, or in between. */
export function wasInForce({ from, to }: State, { targetAt, claimedAt }: AccountEvent): boolean {
  const lastAt = claimedAt ?? Number.POSITIVE_INFINITY
  return from <= lastAt + LONGEST_CALL_MS && to >= Math.min(targetAt, lastAt) - CLOCK_TOLERANCE_MS
}

/**
 * The day of the rule that the event is for, if one of the states permits it: the state has the occurrence at that instant and
 * was in force. Null if no state does.
 */
export function permittedDay({ states, context }: Case, event: AccountEvent): number | null {
  if (isPlannedTooLate(event, states)) return null
  const name = originalOf(event.occurrence)
  const planned = { ...event, plannedAt: plannedAt(event, states) }
  for (const state of states.toReversed()) {
    if (!wasInForce(state, event)) continue
    const day = dayOf(state.rule, name)
    if (day === null) continue
    if (isDueAt(state, day, planned, context)) return day
    // A message that was asked for at once, because its time had passed on the day of the creation.
    const isAtCreation =
      state.cause === 'created' && Math.abs(event.targetAt - state.from) < CLOCK_TOLERANCE_MS
    const hadPassed = () => everyDueOn(state, day, context).some((at) => at <= event.targetAt)
    if (isAtCreation && day === localDay(event) && hadPassed()) return day
  }
  return null
}

/** A successor is planned ahead: an occurrence that is past when the event before it is settled is not owed any more. */
function isPlannedTooLate(
  { createdAt, targetAt, replayOf }: AccountEvent,
  states: readonly State[],
): boolean {
  if (replayOf !== null || createdAt <= targetAt + CLOCK_TOLERANCE_MS) return false
  return !states.some(({ from }) => Math.abs(from - createdAt) <= CLOCK_TOLERANCE_MS)
}

/** The latest instant at which the event may have been planned: a pending event is written only when it is planned. */
function plannedAt(event: AccountEvent, states: readonly State[]): number {
  if (event.status === 'PENDING') return event.updatedAt
  const claimedAt = event.claimedAt ?? event.targetAt
  const last = states.findLast(({ from }) => from <= claimedAt)
  return Math.max(event.createdAt, last?.from ?? 0)
}

const HALF_A_YEAR_MS = 183 * DAY_MS
const YEAR_OF_ANY_RULE = /^(\d+:)?([a-z]+-)?\d{4}$/

/** Two messages of different rule revisions are not on one local day, and half a year apart if both rules are yearly. */
export function isTooSoon(
  { rule, person }: State,
  event: AccountEvent,
  at: number,
  { zones }: Context,
): boolean {
  const name = originalOf(event.occurrence)
  if (revisionOf(name) === rule.ruleRevision || event.targetAt > at) return false
  const bothYearly = rule.repeats === 'YEARLY' && YEAR_OF_ANY_RULE.test(name)
  if (bothYearly) return at <= event.targetAt + HALF_A_YEAR_MS
  const { clock } = zones.of(person.timezone)[0]!
  const dayAt = (instant: number) => Math.floor(clock.wallAt(instant) / DAY_MS)
  return dayAt(at) === dayAt(event.targetAt)
}

function revisionOf(name: string): number {
  const colon = name.indexOf(':')
  return colon === -1 ? 1 : Number(name.slice(0, colon))
}

/** Whether an event of the occasion stands for the occurrence already: its own, or one shortly before. */
export function isServed(
  { input: { events }, context }: Case,
  state: State,
  { occurrence, at }: { occurrence: string; at: number },
): boolean {
  return events.some(
    (event) =>
      event.replayOf === null &&
      (originalOf(event.occurrence) === occurrence || isTooSoon(state, event, at, context)),
  )
}
