// One attempt at one event: sends it, updates the circuit breaker, suspends the channel if the response asks for it, and
// returns the settlement.
import { type Exchange, isKept, type KeepResponses } from '../../domain/events/exchange.ts'
import { idempotencyKey } from '../../domain/events/idempotency-key.ts'
import { timeOfId } from '../../domain/events/uuid.ts'
import { type ChannelKind, UNAUTHORIZED } from '../../domain/settings/channel.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { Channel, Delivery, DeliveryResult } from '../../ports/channel.ts'
import type { ReadyClaim, Settlement } from '../../ports/claim.ts'
import type { EventStore } from '../../ports/store.ts'
import type { EngineDeps, Outcome } from '../engine-deps.ts'
import {
  failIfObsolete,
  forChannel,
  park,
  refOf,
  release,
  replanSettlement,
  settlementOf,
} from '../settlement.ts'
import type { Cause, DestinationQueues, SendResult } from './destination-queues.ts'
import type { Destination } from './destinations.ts'

type DeliverDeps = Omit<EngineDeps, 'store'>

/** Sends one event and returns its outcome. An attempt aborted by `signal` is released and not counted. */
export async function attempt(
  deps: DeliverDeps,
  claim: ReadyClaim,
  { queues, signal }: { queues: DestinationQueues; signal: AbortSignal },
): Promise<Outcome> {
  const { clock } = deps
  const startedAt = clock.now()
  // It may have been queued past its cut-off.
  const obsolete = failIfObsolete(deps, claim, startedAt)
  if (obsolete !== null) {
    queues.onEnd(claim, { kind: 'unknown' }, startedAt)
    return { claim, settlement: obsolete }
  }
  const destination = deps.destinations.of(claim.occasion.channelId)
  const { id: eventId, occasionId, occurrence, ownKey, attempt, retryCount, body } = claim
  const key = idempotencyKey({ userId: claim.user.id, occasionId, occurrence, ownKey })
  const { keepResponses } = deps
  const delivery: Delivery = { eventId, idempotencyKey: key, body, attempt, keepResponses }
  if (destination.channel.settles)
    delivery.settle = (store) => settleDelivered({ ...deps, store }, claim, destination)
  const of = {
    eventId,
    userId: claim.user.id,
    taskId: claim.task?.id ?? null,
    eventType: claim.eventType,
    targetAt: claim.targetAt,
    channel: destination.name,
    idempotencyKey: key,
    attempt,
    retryCount,
  }
  // `of` first: V8 copies an object fast only into an empty one.
  deps.telemetry({ ...of, kind: 'attempt-started' })
  const { result, threw } = await deliverSafely(destination.channel, delivery, signal)
  const now = clock.now()
  const attempted = { queues, result, threw, destination, now, aborted: signal.aborted }
  const settlement = forChannel(settleAttempt(deps, claim, attempted), destination)
  const exchange = exchangeOf(keepResponses, destination.channel, result)
  // A release records no attempt.
  if (exchange !== null && settlement.kind !== 'release') settlement.exchange = exchange
  deps.telemetry({
    ...of,
    kind: 'attempt',
    outcome: result.kind === 'delivered' ? 'delivered' : outcomeOf(settlement),
    statusCode: result.statusCode,
    error: result.kind === 'delivered' ? null : result.error,
    durationMs: now - startedAt,
    lateMs: startedAt - claim.targetAt,
  })
  return result.kind === 'delivered' && result.isSettled
    ? { claim, settlement, isWritten: true }
    : { claim, settlement }
}

/** Plans the successor again while the plan changes in flight. */
async function settleDelivered(
  deps: Omit<DeliverDeps, 'store'> & { store: Pick<EventStore, 'settle' | 'readClaims'> },
  claim: ReadyClaim,
  destination: Destination,
): Promise<boolean> {
  const delivered = settlementOf(deps, claim, { kind: 'delivered', statusCode: null }, deps.clock.now())
  let settlement = forChannel(delivered, destination)
  for (;;) {
    const { settled, replan } = await deps.store.settle([settlement])
    if (settled.length > 0) return true
    const [fresh] = replan.length > 0 ? await deps.store.readClaims([refOf(claim)]) : []
    if (fresh === undefined) return false
    settlement = replanSettlement(deps, fresh, settlement)
  }
}

function exchangeOf(keep: KeepResponses, channel: Channel, result: DeliveryResult): Exchange | null {
  if (!isKept(keep, result.kind === 'delivered')) return null
  const { destination = null } = channel
  const { response = null } = result
  return destination === null && response === null ? null : { destination, response }
}

type Attempted = {
  queues: DestinationQueues
  result: DeliveryResult
  /** The channel threw, which is a bug: it shows nothing about the receiver. */
  threw: boolean
  destination: Destination
  now: number
  aborted: boolean
}

function settleAttempt(deps: DeliverDeps, claim: ReadyClaim, attempted: Attempted): Settlement {
  const { queues, result, threw, destination, now, aborted } = attempted
  if (result.kind === 'delivered') {
    queues.onEnd(claim, { kind: 'success' }, now)
    return settlementOf(deps, claim, result, now)
  }
  const { destinations } = deps
  const transient = result.kind === 'transient'
  if (aborted && transient) {
    queues.onEnd(claim, { kind: 'unknown' }, now)
    return release(claim, now)
  }
  const suspension = suspensionOf(result, destination.kind)
  const cause = queues.onEnd(claim, shownBy(result, { suspension, threw }), now)
  if (suspension !== null) destinations.suspend(destination, suspension, result.error)
  const waits = transient && isWaitedFor(deps, claim, cause, now)
  // The channel may have been reloaded while the request was in flight: its status now is what counts.
  const isDisabled = [destination, destinations.of(claim.occasion.channelId)].every(
    ({ status }) => status === 'DISABLED',
  )
  if (waits || (suspension === 'PAUSED' && !isDisabled)) {
    const requested = now + (transient ? (result.retryAfterMs ?? 0) : 0)
    const until = queues.parkUntil(claim, now)
    return park(claim, result, now, { until: Math.max(until, requested), hasTurn: requested > until })
  }
  return settlementOf(deps, claim, result, now)
}

/** What a result shows about the destination. */
function shownBy(
  result: DeliveryResult,
  { suspension, threw }: { suspension: 'PAUSED' | 'DISABLED' | null; threw: boolean },
): SendResult {
  if (suspension === 'PAUSED') return { kind: 'unknown' }
  if (result.kind !== 'transient' || result.about === 'event') return { kind: 'success' }
  const { statusCode, retryAfterMs } = result
  return { kind: 'failure', responded: threw || !UNRESPONSIVE.includes(statusCode), retryAfterMs }
}

/** 502, 503 and 504 come from a proxy whose receiver is down, and 421 from a mail server that is. */
const UNRESPONSIVE: readonly (number | null)[] = [null, 502, 503, 504, 421]

/**
 * From this age on every failure uses a retry: an event that alone makes its receiver fail must end, so that its successor is
 * planned.
 */
const GIVEN_UP_MS = 7 * DAY_MS

/** Whether the event waits for its destination without using a retry. */
function isWaitedFor(deps: DeliverDeps, { id, targetAt }: ReadyClaim, cause: Cause, now: number): boolean {
  // A replay counts from when it was asked for, which its id carries.
  const ageMs = now - Math.max(targetAt, timeOfId(id))
  if (cause === 'event' || ageMs > GIVEN_UP_MS) return false
  // With RETRY=none a single failure is final.
  return cause === 'down' || deps.retryPolicy.delaysMs.length > 0
}

/** The channel status that a response asks for: 410 disables the channel, a failed authentication pauses it. */
function suspensionOf({ statusCode }: DeliveryResult, kind: ChannelKind): 'PAUSED' | 'DISABLED' | null {
  if (statusCode === 410) return 'DISABLED'
  // The response to a failed SMTP login. From a webhook it is a server error like any other 5xx.
  if (statusCode === 535 && kind !== 'smtp') return null
  return UNAUTHORIZED.includes(statusCode) ? 'PAUSED' : null
}

function outcomeOf(settlement: Settlement): 'retry' | 'parked' | 'failed' | 'released' {
  if (settlement.kind === 'terminal') return 'failed'
  return settlement.kind === 'release' ? 'released' : settlement.kind
}

async function deliverSafely(
  channel: Channel,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<{ result: DeliveryResult; threw: boolean }> {
  try {
    return { result: await channel.deliver(delivery, signal), threw: false }
  } catch (error) {
    // Only the class of the error: its message can quote the body.
    const name = `CHANNEL_ERROR: ${(error as Error)?.name}`
    return { result: { kind: 'transient', error: name, statusCode: null }, threw: true }
  }
}
