// Sends events that are ready, limited by each destination and by one concurrency for all.
import type { Claim, ReadyClaim, Settlement } from '../../ports/claim.ts'
import { attempt } from '../deliver.ts'
import { type EngineDeps, failDisabled, forChannel, type Outcome, park, release } from '../settlement.ts'
import type { Admission } from './admission.ts'
import type { BreakerSettings } from './circuit-breaker.ts'
import { createDestinationQueues } from './destination-queues.ts'

export type Sender = {
  /** Reports each of these once, by `onOutcome` or `onDropped`. */
  add(ready: readonly ReadyClaim[]): void
  /** Resolves when nothing is queued or in flight, or after `ms`. */
  idleWithin(ms: number): Promise<void>
  releaseQueued(): void
  /**
   * Releases queued events, waits up to `graceMs` for sends in flight, then aborts them. A send that ignores the abort is
   * claimed again when its lease expires.
   */
  drain(graceMs: number): Promise<void>
}

/** How long aborted sends may take to end. */
const AFTER_ABORT_MS = 1_000

export type SenderSettings = {
  /** Sends in flight at once. */
  concurrency: number
  /** When a destination counts as down. */
  breaker: BreakerSettings
  onOutcome: (outcome: Outcome) => void
  /** An event whose lease was lost in the queue is not sent. */
  isHeld?: (claim: Claim) => boolean
  /** Not sent, or the attempt threw: there is no outcome to settle, and the event is claimed again when its lease expires. */
  onDropped?: (claim: Claim) => void
  /** Called whenever nothing is in flight. */
  onIdle?: () => void
}

export function createSender(deps: EngineDeps, settings: SenderSettings): Sender {
  const { clock, telemetry } = deps
  const { concurrency, onOutcome, isHeld = () => true, onDropped = () => {}, onIdle = () => {} } = settings
  const queues = createDestinationQueues({
    destinations: deps.destinations,
    dice: deps.dice,
    breaker: settings.breaker,
    onBreaker: ({ id: channelId, name: channelName }, state) =>
      telemetry({ kind: 'breaker', channelId, channelName, state }),
  })
  let round = newRound()
  let pacing: { cancel(): void } | null = null
  let onEmpty = () => {}

  function report(outcome: Outcome, of = round): void {
    of.open -= 1
    onOutcome(outcome)
  }

  function drop(claim: ReadyClaim, of = round): void {
    queues.onEnd(claim, { kind: 'unknown' }, clock.now())
    of.open -= 1
    onDropped(claim)
  }

  function applyAdmission(claim: ReadyClaim, admission: Admission, now: number): void {
    if (admission.kind === 'queue') return
    const settlement =
      admission.kind === 'park' ? park(claim, null, now, admission.until) : failDisabled(deps, claim, now)
    report({ claim, settlement: forChannel(settlement, deps.destinations.of(claim.occasion.channelId)) })
  }

  function rejectQueued(now: number): void {
    for (const { claim, admission } of queues.takeRejected(now)) applyAdmission(claim, admission, now)
  }

  function pump(): void {
    const now = clock.now()
    while (round.inFlight < concurrency) {
      const claim = queues.next(now)
      if (claim === null) break
      if (isHeld(claim)) void send(claim)
      else drop(claim)
    }
    // Again when a rate limiter lets the next send start.
    pacing?.cancel()
    const at = queues.nextAt(now)
    pacing = at === null ? null : clock.after(at - now, pump)
    if (round.inFlight === 0) onIdle()
    if (round.open === 0) onEmpty()
  }

  async function send(claim: ReadyClaim): Promise<void> {
    const own = round
    own.inFlight += 1
    let settlement: Settlement | null = null
    try {
      settlement = await attempt(deps, claim, { queues, signal: signalOf(own) })
    } catch (error) {
      telemetry({ kind: 'error', operation: 'send', error, retryInMs: null, eventId: claim.id })
    }
    own.inFlight -= 1
    if (settlement === null) drop(claim, own)
    else report({ claim, settlement }, own)
    // Only a failure can have opened the circuit breaker or suspended the channel.
    if (settlement?.kind !== 'terminal' || settlement.status === 'FAILED') rejectQueued(clock.now())
    pump()
  }

  function releaseQueued(): void {
    const now = clock.now()
    for (const claim of queues.takeAll()) report({ claim, settlement: release(claim, now) })
  }

  function idleWithin(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const deadline = clock.after(ms, resolve)
      onEmpty = () => {
        deadline.cancel()
        resolve()
      }
      pump()
    })
  }

  return {
    add(ready) {
      const now = clock.now()
      round.open += ready.length
      rejectQueued(now)
      for (const claim of ready) applyAdmission(claim, queues.admit(claim, now), now)
      pump()
    },

    idleWithin,

    releaseQueued,

    async drain(graceMs) {
      releaseQueued()
      if (graceMs > 0) await idleWithin(graceMs)
      round.abort?.abort()
      await idleWithin(AFTER_ABORT_MS)
      round = newRound()
    },
  }
}

/** The events added since the last drain: `open` counts queued events and those in flight. */
type Round = { open: number; inFlight: number; abort: AbortController | null }

function newRound(): Round {
  return { open: 0, inFlight: 0, abort: null }
}

/** Created by the call that sends: on Workers only the call that created a signal can use it. */
function signalOf(round: Round): AbortSignal {
  round.abort ??= new AbortController()
  return round.abort.signal
}
