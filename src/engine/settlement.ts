// What becomes of a claimed event: done, failed, to be tried again, or given back. Every end has its successor. Writes nothing.
import type { PlannedEvent } from '../domain/events/event.ts'
import type { LatenessPolicy } from '../domain/events/lateness.ts'
import { decideRetry, type RetryPolicy } from '../domain/events/retry-policy.ts'
import { cutOffOf } from '../domain/occasions/occasion.ts'
import type { DeliveryResult } from '../ports/channel.ts'
import type { Claim, Settlement } from '../ports/claim.ts'
import type { Dice } from '../ports/clock.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { type Planner, planSuccessor } from './plan.ts'
import type { Destinations } from './sending/destinations.ts'
import type { Templates } from './sending/templates.ts'

export type DeliverDeps = {
  planner: Planner
  dice: Dice
  telemetry: Telemetry
  retryPolicy: RetryPolicy
  templates: Templates
  destinations: Destinations
  /** How late events of a kind may be. */
  lateness: LatenessPolicy
}

/** What the result of an attempt makes of the event. */
export function conclude(deps: DeliverDeps, claim: Claim, result: DeliveryResult, now: number): Settlement {
  const { statusCode } = result
  switch (result.kind) {
    case 'delivered':
      return terminal(deps, claim, now, { status: 'COMPLETED', failureReason: null, statusCode })
    case 'permanent':
      return failed(deps, claim, now, { reason: result.error, statusCode })
    case 'transient': {
      const { retryCount } = claim
      const { retryAfterMs } = result
      const decision = decideRetry(deps.retryPolicy, { retryCount, now, retryAfterMs, dice: deps.dice() })
      if (decision.kind === 'exhausted') {
        const reason = `RETRIES_EXHAUSTED: ${attempts(retryCount)}, the last: ${result.error}`
        return failed(deps, claim, now, { reason, statusCode })
      }
      const late = afterCutOff(deps, claim, decision.atMs)
      if (late !== null) {
        const reason = `${late} ${attempts(retryCount)}, the last: ${result.error}`
        return failed(deps, claim, now, { reason, statusCode })
      }
      return {
        ...ref(claim, now),
        kind: 'retry',
        wakeAt: decision.atMs,
        error: result.error,
        statusCode,
        counts: true,
      }
    }
  }
}

function attempts(retryCount: number): string {
  return retryCount === 0 ? '1 attempt' : `${retryCount + 1} attempts`
}

/** The same settlement for a claim that was read again, its successor planned from what holds now. */
export function concludeAnew(deps: DeliverDeps, claim: Claim, settlement: Settlement): Settlement {
  if (settlement.kind !== 'terminal') return settlement
  return terminal(deps, claim, settlement.at, settlement)
}

/** Tried in vain because its destination is down: it waits without using up a retry. */
export function park(
  claim: Claim,
  { error, statusCode }: Exclude<DeliveryResult, { kind: 'delivered' }>,
  now: number,
  wakeAt: number,
): Settlement {
  return { ...ref(claim, now), kind: 'retry', wakeAt, error, statusCode, counts: false }
}

/** Given back untried, to be taken again from `wakeAt` on. */
export function release(claim: Claim, now: number, wakeAt = now): Settlement {
  return { ...ref(claim, now), kind: 'release', wakeAt }
}

export function failed(
  deps: DeliverDeps,
  claim: Claim,
  now: number,
  why: { reason: string; statusCode: number | null },
) {
  return terminal(deps, claim, now, {
    status: 'FAILED',
    failureReason: why.reason,
    statusCode: why.statusCode,
  })
}

type Ending = Pick<Settlement & { kind: 'terminal' }, 'status' | 'failureReason' | 'statusCode'>

// A failed event has a successor too: one bad year must not end the greetings.
function terminal(deps: DeliverDeps, claim: Claim, now: number, ending: Ending): Settlement {
  return {
    ...ref(claim, now),
    kind: 'terminal',
    status: ending.status,
    failureReason: ending.failureReason,
    statusCode: ending.statusCode,
    planRevision: claim.planRevision,
    successor: planSafely(deps, claim, { now, delivered: ending.status === 'COMPLETED' }),
    reminded: ending.status === 'COMPLETED' ? (claim.task?.id ?? null) : null,
  }
}

// An event that was delivered must be settled even if what comes after it cannot be computed: sending it again and again
// would be worse.
function planSafely(
  deps: DeliverDeps,
  claim: Claim,
  end: { now: number; delivered: boolean },
): PlannedEvent | null {
  try {
    return planSuccessor(deps.planner, claim, end)
  } catch (error) {
    deps.telemetry({
      kind: 'trouble',
      during: `planning the successor of ${claim.id}`,
      error,
      retryInMs: null,
    })
    return null
  }
}

function ref(claim: Claim, at: number) {
  return { eventId: claim.id, version: claim.version, at }
}

/** Ends what may not be tried any more; null for what may. */
export function expire(deps: DeliverDeps, claim: Claim, now: number): Settlement | null {
  const reason = notNeeded(claim) ?? afterCutOff(deps, claim, now)
  return reason === null ? null : failed(deps, claim, now, { reason, statusCode: null })
}

/** Why there is nothing to be reminded of any more. */
function notNeeded({ task }: Claim): string | null {
  return task === null || task.completedAt === null
    ? null
    : 'TASK_COMPLETED: it was done before the reminder got through.'
}

/** Why an event may not be tried at that instant. A replay was asked for, whatever the hour. */
function afterCutOff(deps: DeliverDeps, claim: Claim, at: number): string | null {
  if (claim.replayOf !== null) return null
  const { notAfter } = claim.occasion
  const cutOff = cutOffOf(claim, notAfter, deps.planner.table)
  return cutOff === null || at <= cutOff ? null : `CUT_OFF: not after ${notAfter} there.`
}

/** An event of a channel that is switched off ends; it can be replayed when it is on again. */
export function refuse(deps: DeliverDeps, claim: Claim, now: number): Settlement {
  const reason = 'CHANNEL_DISABLED: switched off. Resume the channel, then replay.'
  return failed(deps, claim, now, { reason, statusCode: null })
}
