// The account of a task's reminder. Its instant follows from when it was planned, so each change gives a candidate.
import { originalOf } from '../../events/idempotency-key.ts'
import { DAY_MS } from '../../time/calendar.ts'
import { CLOCK_TOLERANCE_MS } from '../../time/clock-tolerance.ts'
import { reminderAt } from '../expected/reminders.ts'
import { type LedgerLine, makeLine } from '../line.ts'
import type { AccountEvent, Context } from './input.ts'
import { localDay, wasInForce } from './permitted.ts'
import { eventLine, place } from './placing.ts'
import type { Case, State } from './timeline.ts'

export function accountReminders(of: Case, day: number): LedgerLine[] {
  const lines: LedgerLine[] = []
  for (const event of of.input.events) {
    if (event.replayOf !== null || localDay(event) !== day) continue
    if (isPermittedReminder(of, event)) lines.push(...place(of, event))
    // An event that is still pending is judged by the check of the plan.
    else if (event.status !== 'PENDING')
      lines.push(eventLine(of, event, event.status === 'COMPLETED' ? 'surplus' : 'unexplained', 'NOT_OWED'))
  }
  for (const [i, state] of of.states.entries()) {
    if (lines.some(({ occurrence }) => occurrence === nameOf(state))) continue
    const line = accountMissing(of, i, day)
    if (line !== null) lines.push(line)
  }
  return lines
}

/** Each due time of a task has its own reminder. */
function nameOf({ occasion: { task } }: State): string {
  return `due-${task!.dueRevision}`
}

function hasReminder({ input }: Case, name: string): boolean {
  return input.events.some(({ occurrence }) => originalOf(occurrence) === name)
}

/** Whether the reminder is due when one of the plans that were made put it. */
export function isPermittedReminder({ input, states, context }: Case, event: AccountEvent): boolean {
  const others = input.events.filter(({ id }) => id !== event.id)
  const settled = others.flatMap(({ executedAt }) => executedAt ?? [])
  return states.some((state, i) => {
    if (nameOf(state) !== originalOf(event.occurrence) || !wasInForce(state, event)) return false
    // Planned by this state, or by an earlier one whose plan this one left, or when the event before was settled.
    const plannedBy = states.slice(0, i + 1)
    const plannedAt = [...plannedBy.map(({ from }) => from), ...settled]
    return plannedBy.some(({ person }) =>
      plannedAt
        .flatMap((now) => plansAt({ ...state, person }, now, { sent: others, context }))
        .some((at) => Math.abs(at - event.targetAt) <= CLOCK_TOLERANCE_MS),
    )
  })
}

/**
 * When the reminder is due if it is planned at an instant, by each of the timezone rules that were in force. Empty if there is none
 * to plan. `sent`: the reminders that may have been sent before.
 */
function plansAt(
  { occasion, person }: State,
  now: number,
  { sent, context }: { sent: readonly AccountEvent[]; context: Context },
): number[] {
  const before = sent.flatMap(({ status, executedAt }) =>
    status === 'COMPLETED' && executedAt !== null && executedAt <= now ? [executedAt] : [],
  )
  const reminderSentAt = before.length === 0 ? null : Math.max(...before)
  return context.zones
    .of(person.timezone)
    .flatMap(({ clock }) => reminderAt({ ...occasion.task!, reminderSentAt }, { now, clock }) ?? [])
}

/** When the reminder is due by the present state; null if there is none to plan. */
export function presentReminder({ states, context }: Case): number | null {
  const state = states.at(-1)!
  return plansAt(state, state.from, { sent: [], context })[0] ?? null
}

/** The line of a reminder that the state at index `i` owed on the day, and that has no event; null if it owed none. */
function accountMissing(of: Case, i: number, day: number): LedgerLine | null {
  const { input, states, context } = of
  const state = states[i]!
  const name = nameOf(state)
  const plans = (under: State, at: number) => plansAt(under, at, { sent: input.events, context })
  const [dueAt] = plans(state, state.from)
  if (dueAt === undefined || dueAt > context.now || dueAt >= state.to) return null
  const { clock } = context.zones.of(state.person.timezone)[0]!
  if (Math.floor(clock.wallAt(dueAt) / DAY_MS) !== day || hasReminder(of, name)) return null
  const subject = { occasionId: input.occasion.id, occurrence: name, dueAt }

  const change = states.slice(i + 1).find((later) => {
    if (nameOf(later) !== name || later.occasion.task!.completedAt !== null) return true
    // A changed task is planned again, and after its due time there is nothing to plan.
    return later.cause === 'occasion-changed' && plans(later, later.from).length === 0
  })
  if (change !== undefined) {
    const reason = change.occasion.task!.completedAt === null ? 'CHANGED' : 'TASK_COMPLETED'
    return makeLine('excused', reason, { ...subject, entry: change.entry })
  }
  // The reminder is planned when the event that is open is settled, and may then be past.
  const open = input.events.find(
    ({ replayOf, executedAt }) =>
      replayOf === null && (executedAt ?? Number.POSITIVE_INFINITY) >= state.from - CLOCK_TOLERANCE_MS,
  )
  if (open !== undefined && (open.executedAt === null || plans(state, open.executedAt).length === 0))
    return makeLine('excused', 'EARLIER_ONE_WAS_OPEN', { ...subject, because: open.id })
  return makeLine('unexplained', 'NO_EVENT', subject)
}

/** The open reminder must be at its instant; a task without one must not need one. */
export function checkReminder(of: Case, event: AccountEvent | undefined): LedgerLine[] {
  const { input, states, context } = of
  if (event !== undefined)
    return isPermittedReminder(of, event) ? [] : [eventLine(of, event, 'unexplained', 'MISPLANNED')]
  const state = states.at(-1)!
  const name = nameOf(state)
  if (hasReminder(of, name)) return []
  const lastSettledAt = Math.max(0, ...input.events.map(({ executedAt }) => executedAt ?? 0))
  const plannedAt = Math.max(state.from, lastSettledAt)
  const [dueAt] = plansAt(state, plannedAt, { sent: input.events, context })
  if (dueAt === undefined || dueAt <= context.now + CLOCK_TOLERANCE_MS) return []
  return [makeLine('unexplained', 'UNPLANNED', { occasionId: input.occasion.id, occurrence: name, dueAt })]
}
