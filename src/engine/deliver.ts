// One attempt at one event: sends it, updates the circuit breaker, suspends the channel if the response asks for it, and
// returns the settlement.
import { idempotencyKey } from '../domain/events/idempotency-key.ts'
import type { Channel, Delivery, DeliveryResult } from '../ports/channel.ts'
import type { ReadyClaim, Settlement } from '../ports/claim.ts'
import type { DestinationQueues, SendResult } from './sending/destination-queues.ts'
import type { Destination } from './sending/destinations.ts'
import { type EngineDeps, failIfObsolete, forChannel, park, release, settlementOf } from './settlement.ts'

type DeliverDeps = Omit<EngineDeps, 'store'>

/** Sends one event and returns its settlement. An attempt aborted by `signal` is released and not counted. */
export async function attempt(
  deps: DeliverDeps,
  claim: ReadyClaim,
  { queues, signal }: { queues: DestinationQueues; signal: AbortSignal },
): Promise<Settlement> {
  const { clock } = deps
  const startedAt = clock.now()
  // It may have been queued past its cut-off.
  const obsolete = failIfObsolete(deps, claim, startedAt)
  if (obsolete !== null) {
    queues.onEnd(claim, { kind: 'unknown' }, startedAt)
    return obsolete
  }
  const destination = deps.destinations.of(claim.occasion.channelId)
  const { id: eventId, occasionId, occurrence, ownKey, retryCount, body } = claim
  const key = idempotencyKey({ userId: claim.user.id, occasionId, occurrence, ownKey })
  const delivery = { eventId, idempotencyKey: key, body, attempt: retryCount + 1 }
  const of = {
    eventId,
    userId: claim.user.id,
    taskId: claim.task?.id ?? null,
    eventType: claim.eventType,
    targetAt: claim.targetAt,
    channel: destination.name,
    idempotencyKey: key,
    attempt: delivery.attempt,
  }
  deps.telemetry({ kind: 'attempt-started', ...of })
  const result = await deliverSafely(destination.channel, delivery, signal)
  const now = clock.now()
  const attempted = { queues, result, destination, now, aborted: signal.aborted }
  const settlement = forChannel(settleAttempt(deps, claim, attempted), destination)
  deps.telemetry({
    kind: 'attempt',
    ...of,
    outcome: result.kind === 'delivered' ? 'delivered' : outcomeOf(settlement),
    statusCode: result.statusCode,
    error: result.kind === 'delivered' ? null : result.error,
    durationMs: now - startedAt,
    lateMs: startedAt - claim.targetAt,
  })
  return settlement
}

type Attempted = {
  queues: DestinationQueues
  result: DeliveryResult
  destination: Destination
  now: number
  aborted: boolean
}

function settleAttempt(deps: DeliverDeps, claim: ReadyClaim, attempted: Attempted): Settlement {
  const { queues, result, destination, now, aborted } = attempted
  const { destinations } = deps
  const transient = result.kind === 'transient'
  if (aborted && transient) {
    queues.onEnd(claim, { kind: 'unknown' }, now)
    return release(claim, now)
  }
  const destinationFailed = transient && result.about !== 'event'
  const state = queues.onEnd(claim, destinationFailed ? failureOf(result) : { kind: 'success' }, now)
  const suspension = suspensionOf(result)
  if (suspension !== null && result.kind !== 'delivered')
    destinations.suspend(destination, suspension, result.error)
  const isDown = destinationFailed && state === 'open'
  // The channel may have been reloaded while the request was in flight: its status now is what counts.
  const isDisabled = [destination, destinations.of(claim.occasion.channelId)].every(
    ({ status }) => status === 'DISABLED',
  )
  if (result.kind !== 'delivered' && (isDown || (suspension === 'PAUSED' && !isDisabled))) {
    const requested = now + (transient ? (result.retryAfterMs ?? 0) : 0)
    return park(claim, result, now, Math.max(queues.parkUntil(claim, now), requested))
  }
  return settlementOf(deps, claim, result, now)
}

function failureOf(result: DeliveryResult & { kind: 'transient' }): SendResult {
  return { kind: 'failure', answered: result.statusCode !== null, retryAfterMs: result.retryAfterMs }
}

/** The channel status that a response asks for: 410 disables the channel, a failed authentication pauses it. */
function suspensionOf({ statusCode }: DeliveryResult): 'PAUSED' | 'DISABLED' | null {
  if (statusCode === 410) return 'DISABLED'
  return statusCode === 401 || statusCode === 403 || statusCode === SMTP_AUTHENTICATION ? 'PAUSED' : null
}

const SMTP_AUTHENTICATION = 535

function outcomeOf(settlement: Settlement): 'retry' | 'parked' | 'failed' {
  if (settlement.kind === 'terminal') return 'failed'
  return settlement.kind === 'retry' ? 'retry' : 'parked'
}

async function deliverSafely(
  channel: Channel,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  try {
    return await channel.deliver(delivery, signal)
  } catch (error) {
    // Only the class of the error: its message can quote the body.
    return { kind: 'transient', error: `CHANNEL_ERROR: ${(error as Error)?.name}`, statusCode: null }
  }
}
