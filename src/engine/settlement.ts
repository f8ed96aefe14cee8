// What becomes of a claimed event: completed, failed, retried or released. Plans the successor. Writes nothing.
import type { PlannedEvent } from '../domain/events/event.ts'
import type { Exchange } from '../domain/events/exchange.ts'
import { type Failure, failureFrom } from '../domain/events/failure-reason.ts'
import { decideRetry } from '../domain/events/retry-policy.ts'
import { cutOffOf } from '../domain/occasions/occasion.ts'
import { tryAgainAt } from '../domain/tasks/reminder.ts'
import type { DeliveryResult } from '../ports/channel.ts'
import type { Claim, ClaimRef, HeldClaim, Settlement } from '../ports/claim.ts'
import type { EngineDeps } from './engine-deps.ts'
import { planSuccessor } from './plan.ts'

type SettlementDeps = Pick<EngineDeps, 'planner' | 'dice' | 'telemetry' | 'retryPolicy'>

/**
 * An attempt that has ended. `wakeAt`: the event waits for its destination until then, and uses no retry. `isAborted`: the attempt
 * does not count.
 */
export type Attempted = {
  result: DeliveryResult
  destination: { id: string }
  at: number
  exchange: Exchange | null
  wakeAt: number | null
  isAborted: boolean
}

/** The settlement of an attempt. */
export function settleAttempt(deps: SettlementDeps, claim: Claim, attempted: Attempted): Settlement {
  const { result, at, wakeAt, isAborted, exchange } = attempted
  if (isAborted) return release(claim, at)
  const settlement =
    wakeAt !== null && result.kind !== 'delivered'
      ? { ...release(claim, at, wakeAt), attempt: { error: result.error, statusCode: result.statusCode } }
      : settlementOf(deps, claim, result, at)
  if (exchange !== null) settlement.exchange = exchange
  return forChannel(settlement, attempted.destination)
}

/** The settlement for the result of an attempt that counts. */
export function settlementOf(
  deps: SettlementDeps,
  claim: Claim,
  result: DeliveryResult,
  now: number,
): Settlement {
  const { statusCode } = result
  switch (result.kind) {
    case 'delivered':
      return terminal(deps, claim, now, { status: 'COMPLETED', failure: null, statusCode })
    case 'permanent':
      return isCorrectable(result)
        ? failUncorrected(deps, claim, now, result)
        : failed(deps, claim, now, { ...failureFrom(result.error), statusCode })
    case 'transient': {
      const { error } = result
      const wakeAt = retryAt(deps, claim, result, now)
      if (wakeAt === null)
        return failed(deps, claim, now, { code: 'RETRIES_EXHAUSTED', lastError: error, statusCode })
      if (afterCutOff(deps, claim, wakeAt) !== null)
        return failed(deps, claim, now, { code: 'CUT_OFF', lastError: error, statusCode })
      return { ...settledAt(claim, now), kind: 'retry', wakeAt, error, statusCode }
    }
  }
}

/** When an event is tried again after a transient failure; null if its retries are used up. */
function retryAt(
  deps: SettlementDeps,
  claim: Claim,
  { retryAfterMs }: { retryAfterMs?: number | undefined },
  now: number,
): number | null {
  const dice = deps.dice()
  const decision = decideRetry(deps.retryPolicy, { retryCount: claim.retryCount, now, retryAfterMs, dice })
  return decision.kind === 'retry' ? decision.atMs : remindAgainAt(deps, claim, { now, retryAfterMs, dice })
}

/** When a reminder is tried again although its retries are used up or cannot help; null for any other event. */
function remindAgainAt(
  { retryPolicy, planner }: SettlementDeps,
  { task, occurrence, user }: Claim,
  failed: { now: number; retryAfterMs?: number | undefined; dice: number },
): number | null {
  // With RETRY=none a single failure is final, for a reminder too.
  if (task === null || retryPolicy.delaysMs.length === 0) return null
  return tryAgainAt(task, { ...failed, occurrence, zone: planner.table.zone(user.timezone) })
}

/** The receiver rejected the request, which its owner can mend. 410 says that the receiver is gone; a mailbox stays unknown. */
function isCorrectable({ statusCode, error }: DeliveryResult & { kind: 'permanent' }): boolean {
  return /^HTTP 4/.test(error) && statusCode !== 410
}

/** Fails an event until somebody corrects its text, its address or the receiver; a reminder is tried again while its task is ahead. */
export function failUncorrected(
  deps: SettlementDeps,
  claim: Claim,
  now: number,
  { error, statusCode }: { error: string; statusCode: number | null },
): Settlement {
  const wakeAt = remindAgainAt(deps, claim, { now, dice: deps.dice() })
  if (wakeAt === null) return failed(deps, claim, now, { ...failureFrom(error), statusCode })
  return { ...settledAt(claim, now), kind: 'retry', wakeAt, error, statusCode }
}

/** Records the channel of the attempt, or the channel that the event would have been sent to. A release without an attempt records none. */
export function forChannel(settlement: Settlement, { id: channelId }: { id: string | null }): Settlement {
  if (settlement.kind !== 'release' || settlement.attempt !== null) settlement.channelId = channelId
  return settlement
}

/** The settlement for a claim that was read again after its plan changed: the successor follows the new plan. */
export function replanSettlement(deps: SettlementDeps, claim: Claim, settlement: Settlement): Settlement {
  if (settlement.kind !== 'terminal') return settlement
  const { at, channelId = null, exchange = null } = settlement
  return { ...terminal(deps, claim, at, settlement), channelId, exchange }
}

/** Returns an event that uses no retry. It can be claimed again from `wakeAt` on; null keeps its place in the order of claims. */
export function release(
  claim: Claim,
  now: number,
  wakeAt: number | null = null,
): Settlement & { kind: 'release' } {
  return { ...settledAt(claim, now), kind: 'release', wakeAt, attempt: null }
}

export function failed(
  deps: SettlementDeps,
  claim: Claim,
  now: number,
  { statusCode, ...failure }: Failure & { statusCode: number | null },
) {
  return terminal(deps, claim, now, { status: 'FAILED', failure, statusCode })
}

type Ending = Pick<Settlement & { kind: 'terminal' }, 'status' | 'failure' | 'statusCode'>

// A failed event has a successor too: one bad year must not end the greetings.
function terminal(deps: SettlementDeps, claim: Claim, now: number, ending: Ending): Settlement {
  return {
    ...settledAt(claim, now),
    kind: 'terminal',
    status: ending.status,
    failure: ending.failure,
    statusCode: ending.statusCode,
    planRevision: claim.planRevision,
    successor: planSafely(deps, claim, { now, delivered: ending.status === 'COMPLETED' }),
    reminded: ending.status === 'COMPLETED' ? (claim.task?.id ?? null) : null,
  }
}

// A delivered event is settled even if its successor cannot be computed: otherwise it would be sent again and again.
function planSafely(
  deps: SettlementDeps,
  claim: Claim,
  end: { now: number; delivered: boolean },
): PlannedEvent | null {
  try {
    return planSuccessor(deps.planner, claim, end)
  } catch (error) {
    deps.telemetry({
      kind: 'error',
      operation: 'plan-successor',
      error,
      retryInMs: null,
      eventId: claim.id,
    })
    return null
  }
}

/** The ids by which an error about the event is found again. */
export function subjectOf({ id, task }: Pick<Claim, 'id' | 'task'>): {
  eventId: string
  taskId: string | null
} {
  return { eventId: id, taskId: task?.id ?? null }
}

export function refOf({ id: eventId, version, claimedAt }: Claim): ClaimRef {
  return { eventId, version, claimedAt }
}

function settledAt(claim: Claim, at: number): ClaimRef & { at: number } {
  return { ...refOf(claim), at }
}

/** Fails an event that may not be tried any more: completed task, paused occasion, passed cut-off. Null for any other. */
export function failIfObsolete(deps: SettlementDeps, claim: Claim, now: number): Settlement | null {
  const stopped = stoppedBy(claim)
  if (stopped !== null) return failStopped(deps, claim, now, stopped)
  const reason = afterCutOff(deps, claim, now)
  return reason === null ? null : failed(deps, claim, now, { ...failureFrom(reason), statusCode: null })
}

/** As the store decides it for a held claim. A replay is sent although its occasion is paused: an operator asked for it. */
function stoppedBy({ task, occasion, replayOf }: Claim): HeldClaim['stopped'] {
  if (task !== null && task.completedAt !== null) return 'task'
  return occasion.pausedAt !== null && replayOf === null ? 'occasion' : null
}

const STOPPED_REASON = {
  task: 'TASK_COMPLETED: it was done before the reminder got through.',
  occasion: 'OCCASION_PAUSED: it was paused before the message got through.',
}

export function failStopped(
  deps: SettlementDeps,
  claim: Claim,
  now: number,
  stopped: 'task' | 'occasion',
): Settlement {
  return failed(deps, claim, now, { ...failureFrom(STOPPED_REASON[stopped]), statusCode: null })
}

/** A replay has no cut-off: an operator asked for it. */
function afterCutOff(deps: SettlementDeps, claim: Claim, at: number): string | null {
  if (claim.replayOf !== null) return null
  const { notAfter } = claim.occasion
  const cutOff = cutOffOf(claim, notAfter, deps.planner.table)
  return cutOff === null || at <= cutOff ? null : `CUT_OFF: not after ${notAfter} there.`
}
