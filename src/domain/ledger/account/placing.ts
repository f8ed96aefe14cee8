// The column of an event by what became of it. A failure that names a pause, a cut-off or a limit needs the evidence of it.

import { reasonCode } from '../../events/failure-reason.ts'
import { originalOf } from '../../events/idempotency-key.ts'
import { DAY_MS } from '../../time/calendar.ts'
import { CLOCK_TOLERANCE_MS } from '../../time/clock-tolerance.ts'
import { timeOfDay } from '../expected/wall-clock.ts'
import { LIMITS_REPEATED_MS } from '../journal.ts'
import { type LedgerColumn, type LedgerLine, makeLine, type StoredLine } from '../line.ts'
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

function openLine(of: Case, event: AccountEvent): LedgerLine {
  const { now } = of.context
  const reason = whyEndless(of, event)
  return reason === null
    ? eventLine(of, event, 'open', whyOpen(event, now))
    : eventLine(of, event, 'unexplained', reason)
}

/** Longer than any claim can last: sends take minutes, and the lease of a dead worker expires. */
const LONGEST_CLAIM_MS = DAY_MS
/** The longest wait of any retry policy and of Retry-After is a day, and jitter adds a half. */
const LONGEST_SLEEP_MS = 2 * DAY_MS
/** From this age on the engine waits for no receiver. */
const LONGEST_OPEN_MS = 7 * DAY_MS

/** Why an open event is not one that a worker will settle soon; null if it is. */
function whyEndless(
  { input: { task }, context: { now } }: Case,
  event: AccountEvent,
): 'STUCK' | 'ASLEEP' | 'OPEN_TOO_LONG' | null {
  const { claimedAt, leaseUntil, wakeAt, targetAt, createdAt, replayOf, parkCount, retryCount } = event
  if (leaseUntil !== null && leaseUntil > now) {
    const heldMs = Math.max(now - (claimedAt ?? now), leaseUntil - now)
    return heldMs > LONGEST_CLAIM_MS ? 'STUCK' : null
  }
  if (isAsleep(event, now)) return 'ASLEEP'
  // An event of a paused channel is parked again every few minutes, and a reminder is retried until its task is due.
  const isRetried = retryCount > 0 && task !== null && task.dueAt > now - DAY_MS
  if ((parkCount > 0 || isRetried) && wakeAt! > now - DAY_MS) return null
  const since = replayOf === null ? targetAt : createdAt
  return now - since > LONGEST_OPEN_MS ? 'OPEN_TOO_LONG' : null
}

/** Whether the event wakes later than any retry or park permits. */
export function isAsleep({ wakeAt, targetAt }: AccountEvent, now: number): boolean {
  return wakeAt !== null && wakeAt > Math.max(now, targetAt) + LONGEST_SLEEP_MS
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

/** How far a clock may be ahead of the one that closes the day. */
const AHEAD_MS = 60 * 60 * 1000

function isInFuture({ executedAt }: AccountEvent, { now }: Context): boolean {
  return executedAt !== null && executedAt > now + AHEAD_MS
}

function deliveredLine(of: Case, event: AccountEvent): LedgerLine {
  const { claimedBy, claimedAt, executedAt, statusCode, hasBody, failureCode } = event
  const isAccepted =
    claimedBy !== null &&
    claimedAt !== null &&
    executedAt !== null &&
    failureCode === null &&
    hasBody &&
    (statusCode === null || (statusCode >= 200 && statusCode < 300))
  if (!isAccepted) return eventLine(of, event, 'unexplained', 'NO_ACCEPTED_ATTEMPT')
  if (isInFuture(event, of.context)) return eventLine(of, event, 'unexplained', 'SETTLED_IN_FUTURE')
  if (executedAt < claimedAt - CLOCK_TOLERANCE_MS)
    return eventLine(of, event, 'delivered', 'SETTLED_BEFORE_CLAIM')
  const isEarly = claimedAt < event.targetAt - CLOCK_TOLERANCE_MS
  return eventLine(of, event, 'delivered', isEarly ? 'EARLY' : null)
}

function failedLine(of: Case, event: AccountEvent): LedgerLine {
  const { failureCode, executedAt } = event
  if (event.status !== 'FAILED' || failureCode === null || executedAt === null)
    return eventLine(of, event, 'unexplained', 'NO_OUTCOME')
  if (isInFuture(event, of.context)) return eventLine(of, event, 'unexplained', 'SETTLED_IN_FUTURE')
  if (event.claimedBy === null || event.claimedAt === null)
    return eventLine(of, event, 'unexplained', 'NEVER_CLAIMED')
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
      isSuch(state) &&
      state.from <= event.executedAt + CLOCK_TOLERANCE_MS &&
      state.to >= event.targetAt - CLOCK_TOLERANCE_MS,
  )
  return found === undefined ? null : { entry: found.entry }
}

/** The first retry of any policy comes sooner, unless the receiver asks for a later one. */
const FIRST_RETRY_MS = 60 * 60 * 1000

/** Whether the cut-off had passed, or would have passed before the next retry. */
function isPast({ context }: Case, event: Settled, notAfter: string | null): boolean {
  if (notAfter === null) return false
  const retryMs = mayBeRetried(event) ? LONGEST_SLEEP_MS : FIRST_RETRY_MS
  const wall = localDay(event) * DAY_MS + timeOfDay(notAfter)
  return context.zones.of(event.timezone).some(({ clock }) => {
    const at = clock.instantOf(wall)
    // A cut-off before the time of the message is on the next day.
    return (at >= event.targetAt ? at : at + DAY_MS) <= event.executedAt + retryMs
  })
}

/** Responses below 421 are final but for these: 401 and 403 pause the channel, 408 is a timeout. SMTP retries from 421 on. */
const RETRIED_STATUS = [401, 403, 408]

function mayBeRetried({ statusCode, retryCount }: Settled): boolean {
  if (statusCode === null) return retryCount > 0
  return statusCode >= 421 || RETRIED_STATUS.includes(statusCode)
}

/** Limits of lateness that the event exceeded: the last ones, or others of a process that ran beside it. */
function limitBelow({ input, context }: Case, event: Settled): Evidence | null {
  const recorded = context.limits.filter(({ at }) => at <= event.executedAt + CLOCK_TOLERANCE_MS)
  const last = recorded.at(-1)
  const lateMs = event.executedAt - event.targetAt
  const exceeded = recorded.findLast((entry) => {
    if (entry !== last && entry.at < event.executedAt - LIMITS_REPEATED_MS - CLOCK_TOLERANCE_MS) return false
    const { after } = entry
    // A kind may have no limit although the others have one.
    const limit = after[input.occasion.type in after ? input.occasion.type : '*'] ?? null
    return limit !== null && lateMs > limit - CLOCK_TOLERANCE_MS
  })
  return exceeded === undefined ? null : { entry: exceeded.number }
}

function whyOpen({ leaseUntil, parkCount, retryCount, status, targetAt }: AccountEvent, now: number): string {
  if (leaseUntil !== null && leaseUntil > now) return 'IN_FLIGHT'
  if (parkCount > 0) return 'PARKED'
  if (retryCount > 0) return 'RETRY'
  if (targetAt > now) return 'NOT_DUE'
  if (status === 'PENDING') return 'NOT_CLAIMED'
  // An event whose wait is fixed, as after a Retry-After, has neither a lease nor a park count.
  return leaseUntil === null ? 'PARKED' : 'LEASE_EXPIRED'
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
