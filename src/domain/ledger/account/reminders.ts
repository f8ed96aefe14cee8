// The account of a task's reminder. Its instant follows from when it was planned, so each change gives a candidate.
import { originalOf } from '../../events/idempotency-key.ts'
import { DAY_MS } from '../../time/calendar.ts'
import { reminderAt } from '../expected/reminders.ts'
import type { LedgerLine } from '../line.ts'
import { type Context, SLACK_MS } from './due.ts'
import type { AccountEvent, OccasionAccount } from './input.ts'
import { localDay } from './permitted.ts'
import { lineFor, place } from './placing.ts'
import type { State } from './timeline.ts'

export function accountReminders(
  input: OccasionAccount,
  states: readonly State[],
  day: number,
  context: Context,
): LedgerLine[] {
  const lines: LedgerLine[] = []
  for (const event of input.events) {
    if (event.replayOf !== null || localDay(event) !== day) continue
    if (isPermitted(input, event, states, context)) lines.push(...place(input, event, states, context))
    // An event that is still pending is judged by the check of the plan.
    else if (event.status !== 'PENDING')
      lines.push(lineFor(input, event, event.status === 'COMPLETED' ? 'surplus' : 'unexplained', 'NOT_OWED'))
  }
  for (const [i, state] of states.entries()) {
    const line = accountMissing(input, states, i, day, context)
    if (line !== null && !lines.some(({ occurrence }) => occurrence === nameOf(state))) lines.push(line)
  }
  return lines
}

/** Each due time of a task has its own reminder. */
function nameOf({ occasion: { task } }: State): string {
  return `due-${task!.dueRevision}`
}

/** Whether the reminder is due when one of the plans that were made put it. */
function isPermitted(
  input: OccasionAccount,
  event: AccountEvent,
  states: readonly State[],
  context: Context,
): boolean {
  const claimedAt = event.claimedAt ?? Number.POSITIVE_INFINITY
  return states.some((state, i) => {
    if (nameOf(state) !== originalOf(event.occurrence)) return false
    if (state.from > claimedAt + SLACK_MS) return false
    if (state.to < Math.min(event.targetAt, claimedAt) - SLACK_MS) return false
    const others = input.events.filter(({ id }) => id !== event.id)
    // Planned at this change, or at an earlier one that this state left as it was, or when the event before was settled.
    const plannedAt = [
      ...states.slice(0, i + 1).map(({ from }) => from),
      ...others.flatMap(({ executedAt }) => executedAt ?? []),
    ]
    return plannedAt.some((now) =>
      states
        .slice(0, i + 1)
        .flatMap(({ person }) => plansAt(others, { ...state, person }, now, context))
        .some((at) => Math.abs(at - event.targetAt) <= SLACK_MS),
    )
  })
}

/**
 * When the reminder is due if it is planned at an instant, by each of the timezone rules that were in force. Empty if there is none
 * to plan. `sent`: the reminders that were sent before.
 */
function plansAt(
  sent: readonly AccountEvent[],
  { occasion, person }: State,
  now: number,
  { laws }: Context,
): number[] {
  const before = sent.flatMap(({ status, executedAt }) =>
    status === 'COMPLETED' && executedAt !== null && executedAt <= now ? [executedAt] : [],
  )
  const reminderSentAt = before.length === 0 ? null : Math.max(...before)
  return laws
    .of(person.timezone)
    .flatMap(({ clock }) => reminderAt({ ...occasion.task!, reminderSentAt }, { now, clock }) ?? [])
}

function accountMissing(
  input: OccasionAccount,
  states: readonly State[],
  i: number,
  day: number,
  context: Context,
): LedgerLine | null {
  const state = states[i]!
  const name = nameOf(state)
  const [due] = plansAt(input.events, state, state.from, context)
  if (due === undefined || due > context.now) return null
  const clock = context.laws.of(state.person.timezone)[0]!.clock
  if (Math.floor(clock.wallAt(due) / DAY_MS) !== day) return null
  if (due >= state.to) return null
  if (input.events.some(({ occurrence }) => originalOf(occurrence) === name)) return null
  const rest = { settledAt: null, attempt: null, carriedFrom: null, eventId: null }
  const line = { ...rest, occasionId: input.occasion.id, occurrence: name, dueAt: due }
  const later = states.slice(i + 1).find((next) => {
    if (nameOf(next) !== name || next.occasion.task!.completedAt !== null) return true
    // A changed task is planned again, and after its due time there is nothing to plan.
    return next.cause === 'occasion-changed' && plansAt(input.events, next, next.from, context).length === 0
  })
  if (later !== undefined) {
    const reason = later.occasion.task!.completedAt === null ? 'CHANGED' : 'TASK_COMPLETED'
    return { ...line, column: 'excused', reason, entry: later.entry, because: null }
  }
  // Planned again when the event that was open was settled: then there was no reminder left to plan.
  const open = input.events.find(
    ({ replayOf, executedAt }) =>
      replayOf === null && (executedAt ?? Number.POSITIVE_INFINITY) >= state.from - SLACK_MS,
  )
  const isLeft = (settledAt: number) => plansAt(input.events, state, settledAt, context).length > 0
  if (open !== undefined && (open.executedAt === null || !isLeft(open.executedAt)))
    return { ...line, column: 'excused', reason: 'EARLIER_ONE_WAS_OPEN', entry: null, because: open.id }
  return { ...line, column: 'unexplained', reason: 'NO_EVENT', entry: null, because: null }
}

/** The open reminder must be at its instant; a task without one must not need one. */
export function checkReminder(
  input: OccasionAccount,
  states: readonly State[],
  event: AccountEvent | undefined,
  context: Context,
): LedgerLine[] {
  if (event !== undefined) {
    if (isPermitted(input, event, states, context)) return []
    return [lineFor(input, event, 'unexplained', 'MISPLANNED')]
  }
  const state = states.at(-1)!
  const name = nameOf(state)
  if (input.events.some(({ occurrence }) => originalOf(occurrence) === name)) return []
  const lastSettledAt = Math.max(0, ...input.events.map(({ executedAt }) => executedAt ?? 0))
  const [dueAt] = plansAt(input.events, state, Math.max(state.from, lastSettledAt), context)
  if (dueAt === undefined || dueAt <= context.now + SLACK_MS) return []
  return [
    {
      column: 'unexplained',
      reason: 'UNPLANNED',
      occasionId: input.occasion.id,
      eventId: null,
      occurrence: name,
      dueAt,
      settledAt: null,
      attempt: null,
      entry: null,
      because: null,
      carriedFrom: null,
    },
  ]
}
