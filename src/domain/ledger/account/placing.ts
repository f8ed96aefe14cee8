// The column of an event by what became of it. A failure that names a pause, a cut-off or a limit needs the evidence of it.

import { reasonCode } from '../../events/failure-reason.ts'
import { originalOf } from '../../events/idempotency-key.ts'
import { DAY_MS } from '../../time/calendar.ts'
import { timeOfDay } from '../expected/wall-clock.ts'
import { type LedgerColumn, type LedgerLine, makeLine, type StoredLine } from '../line.ts'
import { SLACK_MS } from './due.ts'
import type { AccountEvent, Context } from './input.ts'
import { localDay } from './permitted.ts'
import type { Case, State } from './timeline.ts'

/** The line of an event that was owed, with its replays, and a line for each further message. */
export function place(of: Case, event: AccountEvent): LedgerLine[] {
  const all = withReplays(of, event)
  const [delivered, ...again] = all.filter(({ status }) => status === 'COMPLETED')
  if (delivered !== undefined)
    return [deliveredLine(of, delivered), ...again.map((one) => eventLine(of, one, 'surplus', 'SENT_TWICE'))]
  const open = all.find(({ wakeAt }) => wakeAt !== null)
  if (open !== undefined) return [openLine(of, open)]
  return [failedLine(of, event)]
}

/** No worker holds a claim for a day: its sends take minutes, and the lease of a worker that ended expires. */
const LONGEST_CLAIM_MS = DAY_MS

function openLine(of: Case, event: AccountEvent): LedgerLine {
  const { now } = of.context
  const reason = whyOpen(event, of.context)
  const isStuck = reason === 'IN_FLIGHT' && now - (event.claimedAt ?? now) > LONGEST_CLAIM_MS
  return isStuck ? eventLine(of, event, 'unexplained', 'STUCK') : eventLine(of, event, 'open', reason)
}

/** An event and its replays, oldest first. */
function withReplays({ input }: Case, { occurrence }: AccountEvent): AccountEvent[] {
  const name = originalOf(occurrence)
  return input.events.filter((one) => originalOf(one.occurrence) === name)
}

/** The line of an occurrence that was open on the account of the day before. */
export function placeCarried(of: Case, carried: StoredLine): LedgerLine[] {
  const { occasionId, eventId, occurrence, dueAt } = carried
  const carriedFrom = carried.carriedFrom ?? carried.day
  const event = of.input.events.find(({ id }) => id === eventId)
  if (event !== undefined && originalOf(event.occurrence) === originalOf(occurrence ?? ''))
    return place(of, event).map((line) => ({ ...line, carriedFrom }))
  const subject = { occasionId, eventId, occurrence, dueAt, carriedFrom }
  // A pending event leaves its occurrence only by a change of the person or the occasion.
  const change = of.states.find(({ from, cause }) => cause !== 'created' && from >= (dueAt ?? 0))
  if (change === undefined) return [makeLine('unexplained', 'VANISHED', subject)]
  const reason = change.occasion.pausedAt === null ? 'CHANGED' : 'PAUSED'
  return [makeLine('excused', reason, { ...subject, entry: change.entry })]
}

function deliveredLine(of: Case, event: AccountEvent): LedgerLine {
  const { claimedBy, claimedAt, executedAt, statusCode, hasBody, failureCode } = event
  const isAccepted =
    claimedBy !== null &&
    claimedAt !== null &&
    executedAt !== null &&
    executedAt >= claimedAt - SLACK_MS &&
    failureCode === null &&
    hasBody &&
    (statusCode === null || (statusCode >= 200 && statusCode < 300))
  if (!isAccepted) return eventLine(of, event, 'unexplained', 'NO_ACCEPTED_ATTEMPT')
  const isEarly = claimedAt < event.targetAt - SLACK_MS
  return eventLine(of, event, 'delivered', isEarly ? 'EARLY' : null)
}

function failedLine(of: Case, event: AccountEvent): LedgerLine {
  const { failureCode, executedAt } = event
  if (event.status !== 'FAILED' || failureCode === null || executedAt === null)
    return eventLine(of, event, 'unexplained', 'NO_OUTCOME')
  const evidenceOf = EVIDENCE[failureCode]
  if (evidenceOf === undefined) return eventLine(of, event, 'failed', reasonCode(failureCode))
  const evidence = evidenceOf(of, { ...event, executedAt })
  if (evidence === null) return eventLine(of, event, 'unexplained', `${failureCode}_NOT_RECORDED`)
  return { ...eventLine(of, event, 'excused', failureCode), entry: evidence.entry }
}

type Settled = AccountEvent & { executedAt: number }
/** The entry is null if another record than the journal has it, such as the row of the occasion. */
type Evidence = { entry: number | null }

/** By failure code: what must be recorded for the failure to count as excused; null if it is not. */
const EVIDENCE: Readonly<Record<string, (of: Case, event: Settled) => Evidence | null>> = {
  OCCASION_PAUSED: (of, event) => stateWith(of, event, ({ occasion }) => occasion.pausedAt !== null),
  TASK_COMPLETED: (of, event) =>
    stateWith(of, event, ({ occasion: { task } }) => task !== null && task.completedAt !== null),
  CUT_OFF: (of, event) => stateWith(of, event, ({ occasion }) => isPast(of, event, occasion.notAfter)),
  MISSED_WINDOW: limitBelow,
}

/** A state of that kind that was in force between the due time and the settlement. */
function stateWith({ states }: Case, event: Settled, isSuch: (state: State) => boolean): Evidence | null {
  const found = states.find(
    (state) =>
      isSuch(state) && state.from <= event.executedAt + SLACK_MS && state.to >= event.targetAt - SLACK_MS,
  )
  return found === undefined ? null : { entry: found.entry }
}

/** The first retry of any policy comes sooner. */
const FIRST_RETRY_MS = 60 * 60 * 1000

/** Whether the cut-off had passed, or would have passed before the next retry. */
function isPast({ context }: Case, event: Settled, notAfter: string | null): boolean {
  if (notAfter === null) return false
  if (event.statusCode !== null || event.retryCount > 0) return true
  const wall = localDay(event) * DAY_MS + timeOfDay(notAfter)
  return context.zones.of(event.timezone).some(({ clock }) => {
    const at = clock.instantOf(wall)
    // A cut-off before the time of the message is on the next day.
    return (at >= event.targetAt ? at : at + DAY_MS) <= event.executedAt + FIRST_RETRY_MS
  })
}

/** A process records its limits when it starts, and processes with different limits may run beside each other. */
const LIMITS_BESIDE_EACH_OTHER = 3

/** Limits of lateness that the event exceeded. */
function limitBelow({ input, context }: Case, event: Settled): Evidence | null {
  const recorded = context.limits.filter(({ at }) => at <= event.executedAt + SLACK_MS)
  // An earlier release recorded none.
  if (recorded.length === 0) return { entry: null }
  const lateMs = event.executedAt - event.targetAt
  const exceeded = recorded.slice(-LIMITS_BESIDE_EACH_OTHER).findLast(({ after }) => {
    // A kind may have no limit although the others have one.
    const limit = after[input.occasion.type in after ? input.occasion.type : '*'] ?? null
    return limit !== null && lateMs > limit - SLACK_MS
  })
  return exceeded === undefined ? null : { entry: exceeded.number }
}

function whyOpen(
  { leaseUntil, parkCount, retryCount, status, targetAt }: AccountEvent,
  { now }: Context,
): string {
  if (leaseUntil !== null && leaseUntil > now) return 'IN_FLIGHT'
  if (parkCount > 0) return 'PARKED'
  if (retryCount > 0) return 'RETRY'
  if (targetAt > now) return 'NOT_DUE'
  return status === 'PENDING' ? 'NOT_CLAIMED' : 'LEASE_EXPIRED'
}

export function eventLine(
  { input }: Case,
  event: AccountEvent,
  column: LedgerColumn,
  reason: string | null,
): LedgerLine {
  const { id, occurrence, targetAt, executedAt, attempts } = event
  return makeLine(column, reason, {
    occasionId: input.occasion.id,
    eventId: id,
    occurrence,
    dueAt: targetAt,
    settledAt: executedAt,
    attempt: executedAt === null ? null : attempts + 1,
  })
}
