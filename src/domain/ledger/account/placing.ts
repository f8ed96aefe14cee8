// The column of an event by what became of it. A failure that names a pause, a cut-off or a limit needs the evidence of it.

import { reasonCode } from '../../events/failure-reason.ts'
import { originalOf } from '../../events/idempotency-key.ts'
import type { LedgerColumn, LedgerLine, StoredLine } from '../line.ts'
import { type Context, SLACK_MS } from './due.ts'
import type { AccountEvent, OccasionAccount } from './input.ts'
import type { State } from './timeline.ts'

/** The line of an event that was owed, with its replays, and a line for each further message. */
export function place(
  input: OccasionAccount,
  event: AccountEvent,
  states: readonly State[],
  context: Context,
): LedgerLine[] {
  const family = familyOf(input, event)
  const delivered = family.filter(({ status }) => status === 'COMPLETED')
  const lines = delivered.slice(1).map((again) => lineFor(input, again, 'surplus', 'SENT_TWICE'))
  const [first] = delivered
  if (first !== undefined) return [deliveredLine(input, first), ...lines]
  const open = family.find(({ wakeAt }) => wakeAt !== null)
  if (open !== undefined) return [lineFor(input, open, 'open', whyOpen(open, context))]
  return [failedLine(input, event, states, context)]
}

/** An event and its replays, oldest first. */
function familyOf({ events }: OccasionAccount, { occurrence }: AccountEvent): AccountEvent[] {
  const name = originalOf(occurrence)
  return events.filter((one) => originalOf(one.occurrence) === name)
}

/** The line of an occurrence that was open on the account of the day before. */
export function placeCarried(
  input: OccasionAccount,
  carried: StoredLine,
  states: readonly State[],
  context: Context,
): LedgerLine[] {
  const carriedFrom = carried.carriedFrom ?? carried.day
  const event = input.events.find(({ id }) => id === carried.eventId)
  if (event !== undefined && originalOf(event.occurrence) === originalOf(carried.occurrence ?? ''))
    return place(input, event, states, context).map((line) => ({ ...line, carriedFrom }))
  const { occasionId, eventId, occurrence, dueAt } = carried
  const rest = { occasionId, eventId, occurrence, dueAt, settledAt: null, attempt: null, because: null }
  // A pending event leaves its occurrence only by a change of the person or the occasion.
  const change = states.find(({ from, cause }) => cause !== 'created' && from >= (dueAt ?? 0))
  if (change === undefined)
    return [{ ...rest, column: 'unexplained', reason: 'VANISHED', entry: null, carriedFrom }]
  const reason = change.occasion.pausedAt === null ? 'CHANGED' : 'PAUSED'
  return [{ ...rest, column: 'excused', reason, entry: change.entry, carriedFrom }]
}

function deliveredLine(input: OccasionAccount, event: AccountEvent): LedgerLine {
  const { claimedBy, claimedAt, executedAt, statusCode, hasBody, failureCode } = event
  const isAccepted =
    claimedBy !== null &&
    claimedAt !== null &&
    executedAt !== null &&
    executedAt >= claimedAt - SLACK_MS &&
    failureCode === null &&
    hasBody &&
    (statusCode === null || (statusCode >= 200 && statusCode < 300))
  if (!isAccepted) return lineFor(input, event, 'unexplained', 'NO_ACCEPTED_ATTEMPT')
  const isEarly = claimedAt < event.targetAt - SLACK_MS
  return lineFor(input, event, 'delivered', isEarly ? 'EARLY' : null)
}

function failedLine(
  input: OccasionAccount,
  event: AccountEvent,
  states: readonly State[],
  context: Context,
): LedgerLine {
  const { failureCode, executedAt } = event
  if (event.status !== 'FAILED' || failureCode === null || executedAt === null)
    return lineFor(input, event, 'unexplained', 'NO_OUTCOME')
  const evidence = EVIDENCE[failureCode]
  if (evidence === undefined) return lineFor(input, event, 'failed', reasonCode(failureCode))
  const found = evidence({ input, event, executedAt, states, context })
  if (found === null) return lineFor(input, event, 'unexplained', `${failureCode}_NOT_RECORDED`)
  return { ...lineFor(input, event, 'excused', failureCode), entry: found.entry }
}

type Failed = {
  input: OccasionAccount
  event: AccountEvent
  executedAt: number
  states: readonly State[]
  context: Context
}

/** What must be recorded for a failure to count as excused; null if it is not. */
const EVIDENCE: Readonly<Record<string, (failed: Failed) => { entry: number | null } | null>> = {
  OCCASION_PAUSED: (failed) => stateWith(failed, ({ occasion }) => occasion.pausedAt !== null),
  TASK_COMPLETED: (failed) =>
    stateWith(failed, ({ occasion: { task } }) => task !== null && task.completedAt !== null),
  CUT_OFF: (failed) => stateWith(failed, ({ occasion }) => occasion.notAfter !== null),
  MISSED_WINDOW({ input, event, executedAt, context }) {
    const limits = context.limits.filter(({ at }) => at <= executedAt + SLACK_MS)
    // Limits are recorded when a process starts; two processes may have different ones.
    const allowed = limits.slice(-3).map(({ after }) => after[input.occasion.type] ?? after['*'] ?? null)
    const lateMs = executedAt - event.targetAt
    const isLate = allowed.some((limit) => limit !== null && lateMs > limit - SLACK_MS)
    return isLate || limits.length === 0 ? { entry: null } : null
  },
}

/** A state of that kind that was in force between the due time and the settlement. */
function stateWith(
  { event, executedAt, states }: Failed,
  isSuch: (state: State) => boolean,
): { entry: number | null } | null {
  const found = states.find(
    (state) => isSuch(state) && state.from <= executedAt + SLACK_MS && state.to >= event.targetAt - SLACK_MS,
  )
  return found === undefined ? null : { entry: found.entry }
}

export function whyOpen(
  { leaseUntil, parkCount, retryCount, status, targetAt }: AccountEvent,
  { now }: Context,
) {
  if (leaseUntil !== null && leaseUntil > now) return 'IN_FLIGHT'
  if (parkCount > 0) return 'PARKED'
  if (retryCount > 0) return 'RETRY'
  if (targetAt > now) return 'NOT_DUE'
  return status === 'PENDING' ? 'NOT_CLAIMED' : 'LEASE_EXPIRED'
}

export function lineFor(
  { occasion }: Pick<OccasionAccount, 'occasion'>,
  event: AccountEvent,
  column: LedgerColumn,
  reason: string | null,
): LedgerLine {
  const isSettled = event.executedAt !== null
  return {
    column,
    reason,
    occasionId: occasion.id,
    eventId: event.id,
    occurrence: event.occurrence,
    dueAt: event.targetAt,
    settledAt: event.executedAt,
    attempt: isSettled ? event.attempts + 1 : null,
    entry: null,
    because: null,
    carriedFrom: null,
  }
}
