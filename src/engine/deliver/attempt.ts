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
import { refOf, replanSettlement, settleAttempt } from '../settlement.ts'
import type { DestinationQueues, SendOutcome } from './destination-queues.ts'
import type { Destination } from './destinations.ts'
import type { Cause } from './suspects.ts'

type DeliverDeps = Omit<EngineDeps, 'store'>

/** Sends one event and returns its outcome. An attempt aborted by `signal` is released and not counted. */
export async function attempt(
  deps: DeliverDeps,
  claim: ReadyClaim,
  { queues, signal, isBatch }: { queues: DestinationQueues; signal: AbortSignal; isBatch: boolean },
): Promise<Outcome> {
  const { clock, keepResponses } = deps
  const startedAt = clock.now()
  const destination = deps.destinations.of(claim.occasion.channelId)
  const { id: eventId, occasionId, occurrence, ownKey, attempt, retryCount, body } = claim
  const key = idempotencyKey({ userId: claim.user.id, occasionId, occurrence, ownKey })
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
  let result: DeliveryResult
  let threw = false
  try {
    result = await destination.channel.deliver(delivery, signal)
  } catch (error) {
    // Only the class of the error: its message can quote the body.
    result = { kind: 'transient', error: `CHANNEL_ERROR: ${(error as Error)?.name}`, statusCode: null }
    threw = true
  }
  const at = clock.now()
  const isAborted = signal.aborted && result.kind === 'transient'
  const settlement = settleAttempt(deps, claim, {
    result,
    destination,
    at,
    exchange: exchangeOf(keepResponses, destination.channel, result),
    wakeAt: reportResult(deps, claim, { result, threw, queues, destination, at, isAborted, isBatch }),
    isAborted,
  })
  const outcome = result.kind === 'delivered' ? 'delivered' : outcomeOf(settlement)
  deps.telemetry({
    ...of,
    kind: 'attempt',
    outcome,
    statusCode: result.statusCode,
    error: result.kind === 'delivered' ? null : result.error,
    durationMs: at - startedAt,
    lateMs: Math.max(0, startedAt - claim.targetAt),
  })
  result.onOutcome?.(outcome)
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
  let settlement = settleAttempt(deps, claim, {
    result: { kind: 'delivered', statusCode: null },
    destination,
    at: deps.clock.now(),
    exchange: null,
    wakeAt: null,
    isAborted: false,
  })
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

type Sent = {
  queues: DestinationQueues
  result: DeliveryResult
  /** The channel threw, which is a bug: it shows nothing about the receiver. */
  threw: boolean
  destination: Destination
  at: number
  isAborted: boolean
  isBatch: boolean
}

/**
 * Tells the circuit breaker what the result shows, and suspends the channel if the response asks for it. Returns when an
 * event that waits for its destination can be claimed again; null for one that uses a retry or has ended.
 */
function reportResult(deps: DeliverDeps, claim: ReadyClaim, sent: Sent): number | null {
  const { queues, result, threw, destination, at, isAborted } = sent
  if (result.kind === 'delivered' || isAborted) {
    queues.onEnd(claim, { kind: isAborted ? 'unknown' : 'success' }, at)
    return null
  }
  const { destinations } = deps
  const transient = result.kind === 'transient'
  const suspension = suspensionOf(result, destination.kind)
  const cause = queues.onEnd(claim, shownBy(result, { suspension, threw }), at)
  if (suspension !== null) destinations.suspend(destination, suspension, result.error)
  const waits = transient && isWaitedFor(deps, claim, cause, at)
  if (!waits && suspension !== 'HELD') return null
  const retryAfterMs = (transient ? result.retryAfterMs : undefined) ?? 0
  if (retryAfterMs > 0) return at + retryAfterMs
  // After the others that wait for the destination, so that each probe sends another event.
  if (suspension === 'HELD' || (cause === 'down' && !sent.isBatch)) return at
  const isNew = claim.attempt - claim.retryCount <= SUSPECTED_ATTEMPTS
  const waitMs = cause !== 'down' && isNew ? SUSPECTED_MS : LATER_MS
  return Math.ceil(at + waitMs + waitMs * deps.dice())
}

/**
 * An event that got no response is soon tried again while the circuit breaker is closed: either it is delivered, or the breaker
 * opens. Limited, because each process has a breaker of its own, and a serverless one may forget it.
 */
const SUSPECTED_MS = 1_000
const SUSPECTED_ATTEMPTS = 10
const LATER_MS = 30_000

/** What a result shows about the destination. */
function shownBy(
  result: DeliveryResult,
  { suspension, threw }: { suspension: 'HELD' | 'DISABLED' | null; threw: boolean },
): SendOutcome {
  if (suspension === 'HELD') return { kind: 'unknown' }
  if (result.kind !== 'transient' || result.about === 'event') return { kind: 'success' }
  const { statusCode, retryAfterMs, error, about } = result
  return {
    kind: 'failure',
    error,
    isLocal: threw || about === 'process',
    responded: threw || !UNRESPONSIVE.includes(statusCode),
    retryAfterMs,
  }
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

/** The channel status that a response asks for: 410 disables the channel, a failed authentication holds it. */
function suspensionOf({ statusCode }: DeliveryResult, kind: ChannelKind): 'HELD' | 'DISABLED' | null {
  if (statusCode === 410) return 'DISABLED'
  // The response to a failed SMTP login. From a webhook it is a server error like any other 5xx.
  if (statusCode === 535 && kind !== 'smtp') return null
  return UNAUTHORIZED.includes(statusCode) ? 'HELD' : null
}

function outcomeOf(settlement: Settlement): 'retry' | 'failed' | 'released' {
  if (settlement.kind === 'terminal') return 'failed'
  return settlement.kind === 'release' ? 'released' : settlement.kind
}
