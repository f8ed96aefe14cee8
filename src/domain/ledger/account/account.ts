// The account of one occasion for one day, computed without the planner: which occurrences were owed on that day under the
// states and the timezone rules that were in force, and what became of each.
import { originalOf } from '../../events/idempotency-key.ts'
import { DAY_MS } from '../../time/calendar.ts'
import { nextDay, occurrenceOn } from '../expected/days.ts'
import type { LedgerLine } from '../line.ts'
import { type Context, dueOn, everyDueOn, SLACK_MS } from './due.ts'
import { hasEnded } from './ended.ts'
import type { AccountEvent, OccasionAccount } from './input.ts'
import { isTooSoon, localDay, permittedDay } from './permitted.ts'
import { lineFor, place, placeCarried } from './placing.ts'
import { checkPlan } from './plan-check.ts'
import { accountReminders } from './reminders.ts'
import { type State, timelineOf } from './timeline.ts'

/**
 * The lines of an occasion on a day (days since 1970): what was owed on the day, what was open before it, and what is wrong with
 * its plan.
 */
export function accountFor(input: OccasionAccount, day: number, context: Context): LedgerLine[] {
  try {
    const states = timelineOf(input)
    return [...accountOccasion(input, states, day, context), ...checkPlan(input, states, context)]
  } catch (error) {
    // A rule that cannot be read must not end the account of everyone else.
    if (!(error instanceof RangeError)) throw error
    return [missingLine(input, null, 'unexplained', { reason: 'UNREADABLE' })]
  }
}

/** Without the check of the plan. */
export function accountOccasion(
  input: OccasionAccount,
  states: readonly State[],
  day: number,
  context: Context,
): LedgerLine[] {
  const lines =
    input.task === null
      ? accountDay(input, states, day, context)
      : accountReminders(input, states, day, context)
  const taken = new Set(lines.map(({ eventId }) => eventId))
  for (const line of input.carried)
    if (!taken.has(line.eventId)) lines.push(...placeCarried(input, line, states, context))
  return lines
}

function accountDay(
  input: OccasionAccount,
  states: readonly State[],
  day: number,
  context: Context,
): LedgerLine[] {
  const lines: LedgerLine[] = []
  const placed = new Set<string>()
  const originals = new Set(input.events.map(({ occurrence }) => occurrence))
  for (const event of input.events) {
    const name = originalOf(event.occurrence)
    // A replay is placed with its original; the original may have been pruned.
    if (event.replayOf !== null && (originals.has(name) || placed.has(name))) continue
    const of = permittedDay(event, states, context)
    if ((of ?? localDay(event)) !== day) continue
    placed.add(name)
    if (of === null) lines.push(...notOwed(input, event))
    else lines.push(...place(input, event, states, context))
  }
  for (const [i, state] of states.entries()) {
    const name = occurrenceOn(state.rule, day)
    if (name === null || placed.has(name)) continue
    placed.add(name)
    const line = accountMissing(input, { states, first: i, day, name }, context)
    if (line !== null) lines.push(line)
  }
  return lines
}

function notOwed(input: OccasionAccount, event: AccountEvent): LedgerLine[] {
  const wasSent = event.status === 'COMPLETED' || event.attempts > 0
  // An event that is still pending is judged by the check of the plan.
  if (event.status === 'PENDING' && !wasSent) return []
  return [lineFor(input, event, wasSent ? 'surplus' : 'unexplained', 'NOT_OWED')]
}

type Missing = {
  states: readonly State[]
  /** The first state that has the occurrence on the day. */
  first: number
  day: number
  name: string
}

type Excuse = { reason: string; entry?: number | null; because?: string }

/** The line of an occurrence without an event on its day; null if no state owed it. */
function accountMissing(input: OccasionAccount, missing: Missing, context: Context): LedgerLine | null {
  const { states, first, day, name } = missing
  let excused: LedgerLine | null = null
  for (const [i, state] of states.entries()) {
    if (i < first || occurrenceOn(state.rule, day) !== name) continue
    const { at, live } = dueOn(state, day, context)
    if (at > context.now) continue
    const isInForce = at >= state.from && at < state.to
    const of = { occurrence: name, dueAt: at }
    if (!live) {
      if (isInForce && state.occasion.pausedAt !== null)
        excused = missingLine(input, of, 'excused', { reason: 'PAUSED', entry: state.entry })
      continue
    }
    const earlier = states[i - 1]
    const owed = isInForce || (earlier !== undefined && wasAhead(earlier, state, { day, name }, context))
    if (owed) {
      const excuse = excuseFor(input, { states, i, day, name, at }, context)
      if (excuse === null) return missingLine(input, of, 'unexplained', { reason: 'NO_EVENT' })
      excused = missingLine(input, of, 'excused', excuse)
    } else if (at >= state.to && isFirstAfter(state, day)) {
      const excuse = changedBy(states, i, { day, name }, context)
      if (excuse !== null) excused = missingLine(input, of, 'excused', excuse)
    }
  }
  return excused
}

/** The change found the occurrence ahead and left it in the past: it is due at once. */
function wasAhead(
  earlier: State,
  state: State,
  { day, name }: { day: number; name: string },
  context: Context,
): boolean {
  if (occurrenceOn(earlier.rule, day) !== name) return false
  const before = dueOn(earlier, day, context)
  return before.live && before.at >= state.from && dueOn(state, day, context).at < state.from
}

/** Whether the day is the first one of the state after it ended. */
function isFirstAfter(state: State, day: number): boolean {
  const from = Math.floor(state.to / DAY_MS) + 2
  return day <= from || nextDay(state.rule, from, day) === day
}

function excuseFor(
  { events }: OccasionAccount,
  missing: { states: readonly State[]; i: number; day: number; name: string; at: number },
  context: Context,
): Excuse | null {
  const { states, i, at, name } = missing
  const state = states[i]!
  const changed = changedBy(states, i, missing, context)
  if (changed !== null) return changed
  // A process with another table may have found it in the past.
  if (
    everyDueOn(state, missing.day, context).some(
      (other) => other !== at && (other < state.from || other >= state.to),
    )
  )
    return { reason: 'OTHER_TIMEZONE_RULES', entry: state.entry }
  if (hasEnded(states.slice(0, i + 1), context)) return { reason: 'ENDED', entry: state.entry }
  for (const event of events) {
    const isNamed = originalOf(event.occurrence) === name
    if (isNamed && event.status !== 'PENDING') return { reason: 'SENT_ON_ANOTHER_DAY', because: event.id }
    if (event.replayOf !== null) continue
    const settledAt = event.executedAt ?? Number.POSITIVE_INFINITY
    // A later change may have moved the event that was open then.
    const isEarlier = event.targetAt <= at || (i + 1 < states.length && event.createdAt <= at)
    if (!isNamed && isEarlier && settledAt >= at - SLACK_MS)
      return { reason: 'EARLIER_ONE_WAS_OPEN', because: event.id }
    if (isTooSoon(state, event, at)) return { reason: 'SENT_HALF_A_YEAR_BEFORE', because: event.id }
  }
  return null
}

/** The later change that took the occurrence from its day; null if every later state has it there. */
function changedBy(
  states: readonly State[],
  i: number,
  { day, name }: { day: number; name: string },
  context: Context,
): Excuse | null {
  for (const later of states.slice(i + 1)) {
    const isThere = occurrenceOn(later.rule, day) === name && dueOn(later, day, context).live
    if (isThere) continue
    return { reason: later.occasion.pausedAt === null ? 'CHANGED' : 'PAUSED', entry: later.entry }
  }
  return null
}

function missingLine(
  { occasion }: OccasionAccount,
  of: { occurrence: string; dueAt: number } | null,
  column: 'excused' | 'unexplained',
  {
    reason,
    entry = null,
    because = null,
  }: { reason: string; entry?: number | null; because?: string | null },
): LedgerLine {
  return {
    column,
    reason,
    occasionId: occasion.id,
    eventId: null,
    occurrence: of?.occurrence ?? null,
    dueAt: of?.dueAt ?? null,
    settledAt: null,
    attempt: null,
    entry,
    because,
    carriedFrom: null,
  }
}
