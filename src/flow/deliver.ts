// One attempt at one event: what to send, sending it, and what the result means for the event. Writes nothing.
import { TemplateError } from '../domain/errors.ts'
import type { PlannedEvent } from '../domain/event.ts'
import { idempotencyKey } from '../domain/idempotency-key.ts'
import { chooseText, renderBody, renderMailBody } from '../domain/message.ts'
import { cutOffOf } from '../domain/occasion.ts'
import { decideRetry, type RetryPolicy } from '../domain/retry-policy.ts'
import type { Channel, Delivery, DeliveryResult } from '../ports/channel.ts'
import type { Clock, Dice } from '../ports/clock.ts'
import type { Claim, Settlement } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Ready } from './claim.ts'
import type { Destination, Destinations } from './destinations.ts'
import type { End, Outbox } from './outbox.ts'
import { type Planner, planSuccessor } from './plan.ts'
import type { Templates } from './templates.ts'

export type DeliverDeps = {
  planner: Planner
  dice: Dice
  telemetry: Telemetry
  retryPolicy: RetryPolicy
  templates: Templates
  destinations: Destinations
  /** Events found later than this after their instant are not sent any more; null for no limit. */
  catchUpWindowMs: number | null
}

export type Prepared = { kind: 'send'; body: string } | { kind: 'fail'; settlement: Settlement }

/** What a claimed event will say, or why it ends unsent. */
export function prepare(deps: DeliverDeps, claim: Claim, now: number): Prepared {
  const lateMs = now - claim.targetAt
  // A replay was asked for, however late.
  if (deps.catchUpWindowMs !== null && lateMs > deps.catchUpWindowMs && claim.replayOf === null) {
    const reason = `MISSED_WINDOW: ${Math.floor(lateMs / 1000)} s late, more than CATCH_UP_WINDOW allows.`
    return { kind: 'fail', settlement: failed(deps, claim, now, { reason, statusCode: null }) }
  }
  try {
    const text = chooseText(claim, deps.templates.choose(claim.eventType, claim.user.language))
    if (deps.destinations.of(claim.occasion.channelId).kind === 'webhook')
      return { kind: 'send', body: renderBody(claim, claim.user, text, now) }
    const { email } = claim.user
    if (email === null) {
      const reason = 'NO_ADDRESS: the channel is e-mail, and the person has no address.'
      return { kind: 'fail', settlement: failed(deps, claim, now, { reason, statusCode: null }) }
    }
    return { kind: 'send', body: renderMailBody(claim, { ...claim.user, email }, text, now) }
  } catch (error) {
    // A bug met here would be met again at every claim: the event ends, its successor gets another chance.
    const reason = error instanceof TemplateError ? `${error.code}: ${error.message}` : 'RENDER_ERROR'
    if (reason === 'RENDER_ERROR')
      deps.telemetry({ kind: 'trouble', during: 'render', error, retryInMs: null })
    return { kind: 'fail', settlement: failed(deps, claim, now, { reason, statusCode: null }) }
  }
}

/** Ends what may not be tried any more today; null for what may. */
export function expire(deps: DeliverDeps, claim: Claim, now: number): Settlement | null {
  const reason = afterCutOff(deps, claim, now)
  return reason === null ? null : failed(deps, claim, now, { reason, statusCode: null })
}

/** Why an event may not be tried at that instant. A replay was asked for, whatever the hour. */
function afterCutOff(deps: DeliverDeps, claim: Claim, at: number): string | null {
  if (claim.replayOf !== null) return null
  const { notAfter } = claim.occasion
  const cutOff = cutOffOf(claim, notAfter, deps.planner.table)
  return cutOff === null || at <= cutOff ? null : `CUT_OFF: not after ${notAfter} there.`
}

export type SendDeps = DeliverDeps & { clock: Clock; outbox: Outbox }

/** Sends one ready event and says how it ended. An attempt cut short by `signal` is given back, not counted. */
export async function attempt(deps: SendDeps, ready: Ready, signal: AbortSignal): Promise<Settlement> {
  const { clock } = deps
  const { claim, body } = ready
  const startedAt = clock.now()
  const destination = deps.destinations.of(claim.occasion.channelId)
  const { id: eventId, occasionId, occurrence, ownKey, retryCount } = claim
  const key = idempotencyKey({ userId: claim.user.id, occasionId, occurrence, ownKey })
  const delivery = { eventId, idempotencyKey: key, body, attempt: retryCount + 1 }
  const result = await deliverSafely(destination.channel, delivery, signal)
  const now = clock.now()
  const settlement = judge(deps, ready, { result, destination, now, cutShort: signal.aborted })
  deps.telemetry({
    kind: 'attempt',
    eventId,
    channel: destination.name,
    idempotencyKey: key,
    attempt: delivery.attempt,
    outcome: result.kind === 'delivered' ? 'delivered' : outcomeOf(settlement),
    statusCode: result.statusCode,
    error: result.kind === 'delivered' ? null : result.error,
    durationMs: now - startedAt,
    lateMs: startedAt - claim.targetAt,
  })
  return settlement
}

/** What a result means for the destination, and with that for the event. */
function judge(
  deps: SendDeps,
  ready: Ready,
  end: { result: DeliveryResult; destination: Destination; now: number; cutShort: boolean },
): Settlement {
  const { result, destination, now } = end
  const { outbox, destinations } = deps
  const transient = result.kind === 'transient'
  if (end.cutShort && transient) {
    outbox.onEnd(ready, { kind: 'lost' }, now)
    return release(ready.claim, now)
  }
  const destinationFailed = transient && result.about !== 'event'
  const state = outbox.onEnd(ready, destinationFailed ? failureOf(result) : { kind: 'success' }, now)
  const refusal = refusalOf(result)
  if (refusal !== null && result.kind !== 'delivered') destinations.refuse(destination, refusal, result.error)
  const isDown = destinationFailed && state !== 'closed'
  if (result.kind !== 'delivered' && (isDown || (refusal === 'PAUSED' && destination.status === 'PAUSED'))) {
    const { error, statusCode } = result
    const wakeAt = outbox.parkUntil(ready, now)
    return { ...ref(ready.claim, now), kind: 'retry', wakeAt, error, statusCode, counts: false }
  }
  return conclude(deps, ready.claim, result, now)
}

function failureOf(result: DeliveryResult & { kind: 'transient' }): End {
  return { kind: 'failure', answered: result.statusCode !== null, retryAfterMs: result.retryAfterMs }
}

/** What an answer says of our standing with the far side: gone for good, or not let in until somebody sees to it. */
function refusalOf({ statusCode }: DeliveryResult): 'PAUSED' | 'DISABLED' | null {
  if (statusCode === 410) return 'DISABLED'
  return statusCode === 401 || statusCode === 403 || statusCode === SMTP_AUTHENTICATION ? 'PAUSED' : null
}

const SMTP_AUTHENTICATION = 535

function outcomeOf(settlement: Settlement): 'retry' | 'parked' | 'failed' {
  if (settlement.kind === 'terminal') return 'failed'
  return settlement.kind === 'retry' && settlement.counts ? 'retry' : 'parked'
}

async function deliverSafely(
  channel: Channel,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  try {
    return await channel.deliver(delivery, signal)
  } catch (error) {
    // The kind alone: the words of an error can quote what was sent.
    return { kind: 'transient', error: `CHANNEL_ERROR: ${(error as Error)?.name}`, statusCode: null }
  }
}

/** An event of a channel that is switched off ends; it can be replayed when it is on again. */
export function refuse(deps: DeliverDeps, claim: Claim, now: number): Settlement {
  const reason = 'CHANNEL_DISABLED: switched off. Resume the channel, then replay.'
  return failed(deps, claim, now, { reason, statusCode: null })
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

/** Given back untried, to be taken again from `wakeAt` on. */
export function release(claim: Claim, now: number, wakeAt = now): Settlement {
  return { ...ref(claim, now), kind: 'release', wakeAt }
}

function failed(
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
    successor: planSafely(deps, claim, now),
  }
}

// An event that was delivered must be settled even if what comes after it cannot be computed: sending it again and again
// would be worse.
function planSafely(deps: DeliverDeps, claim: Claim, now: number): PlannedEvent | null {
  try {
    return planSuccessor(deps.planner, claim, now)
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
