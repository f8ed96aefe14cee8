// One attempt at one event: sending it, and what the result means for its destination and for the event. Writes nothing.
import { idempotencyKey } from '../domain/events/idempotency-key.ts'
import type { Channel, Delivery, DeliveryResult } from '../ports/channel.ts'
import type { Settlement } from '../ports/claim.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ready } from './claim.ts'
import type { End, Outbox } from './sending/destination-queues.ts'
import type { Destination } from './sending/destinations.ts'
import { conclude, type DeliverDeps, expire, park, release } from './settlement.ts'

export type SendDeps = DeliverDeps & { clock: Clock; outbox: Outbox }

/** Sends one ready event and says how it ended. An attempt cut short by `signal` is given back, not counted. */
export async function attempt(deps: SendDeps, ready: Ready, signal: AbortSignal): Promise<Settlement> {
  const { clock } = deps
  const { claim, body } = ready
  const startedAt = clock.now()
  // It may have stood in line past its last hour.
  const expired = expire(deps, claim, startedAt)
  if (expired !== null) {
    deps.outbox.onEnd(ready, { kind: 'lost' }, startedAt)
    return expired
  }
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
  const isDown = destinationFailed && state === 'open'
  // Since it was sent, the channel may have been read again: what counts is what it is now.
  const isOff = [destination, destinations.of(ready.claim.occasion.channelId)].every(
    ({ status }) => status === 'DISABLED',
  )
  if (result.kind !== 'delivered' && (isDown || (refusal === 'PAUSED' && !isOff))) {
    const granted = now + (transient ? (result.retryAfterMs ?? 0) : 0)
    return park(ready.claim, result, now, Math.max(outbox.parkUntil(ready, now), granted))
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
