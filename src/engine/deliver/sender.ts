// Sends events that are ready, limited by each destination and by one concurrency for all.
import type { ReadyClaim } from '../../ports/claim.ts'
import type { EngineDeps, Outcome } from '../engine-deps.ts'
import { type ClaimState, CONFIRM_RETRY_MS } from '../leases.ts'
import { failIfObsolete, failStopped, release, subjectOf } from '../settlement.ts'
import { oneAtATime, sleep } from '../timing.ts'
import { attempt } from './attempt.ts'
import { createDestinationQueues, type DestinationQueues } from './destination-queues.ts'
import { RELOAD_MS } from './destinations.ts'
import { createPace } from './pace.ts'
import { PROBE_MS, UNRENEWED_PROBE_MS } from './probes.ts'
import { newRound, signalOf } from './round.ts'
import type { SenderSettings } from './sender-settings.ts'

export type Sender = {
  /** Reports each of these once, by `onOutcome` or `onDropped`. */
  add(ready: readonly ReadyClaim[]): void
  queues: Pick<DestinationQueues, 'lanes' | 'claimProbes' | 'returnProbes' | 'nextLookAt'>
  /** Reads the channels again: another process has changed one. */
  reload(): Promise<void>
  /**
   * How many events of one destination it can use: the free slots, and the events that can start soon at the current pace, if a claim takes
   * `claimMs`. `limited` events wait for limits of destinations.
   */
  room(claimMs: number): { capacity: number; free: number; limited: number }
  /** True while events wait for a free slot. */
  isBusy(): boolean
  /** Resolves when nothing is queued or in flight, or after `ms`. */
  idleWithin(ms: number): Promise<void>
  releaseQueued(): void
  /**
   * Releases queued events, waits up to `graceMs` for sends in flight, then aborts them. A send that ignores the abort is
   * claimed again when its lease expires.
   */
  drain(graceMs: number): Promise<void>
}

/**
 * Events are claimed so far ahead of their send: a crash leaves few claims behind, and most messages start before their claim
 * has to be confirmed. Up to a second ahead while that does not fill the slots once: sends that begin together end together.
 */
const AHEAD_MS = 250
const LONGEST_AHEAD_MS = 1_000

/** How long aborted sends may take to end, and slots to be returned. */
const WIND_DOWN_MS = 1_000

/** When an event of a batch is tried again that its destination had no slot for. */
const BLOCKED_MS = 5_000

export function createSender(deps: EngineDeps, settings: SenderSettings): Sender {
  const { clock, telemetry } = deps
  const {
    concurrency,
    onOutcome,
    leases,
    onDropped = () => {},
    onIdle = () => {},
    onRoom = () => {},
    isBatch = false,
  } = settings
  const pace = createPace(concurrency)
  const queues = createDestinationQueues({
    destinations: deps.destinations,
    clock,
    breaker: settings.breaker,
    limiter: { ...deps, onChange: onLimits },
    types: settings.types,
    probeMs: isBatch ? UNRENEWED_PROBE_MS : PROBE_MS,
  })
  let round = newRound()
  let onEmpty = () => {}
  let confirming = false

  function report(outcome: Outcome, of = round): void {
    of.open -= 1
    onOutcome(outcome)
  }

  function drop(claim: ReadyClaim, of = round): void {
    queues.onEnd(claim, { kind: 'unknown' }, clock.now())
    of.open -= 1
    onDropped(claim)
  }

  /** The settlement of a held event that must not be sent; null for one that may. It may have been queued past its cut-off. */
  function settleUnsent(claim: ReadyClaim, state: Exclude<ClaimState, 'lost' | 'stale'>, now: number) {
    if (state === 'task' || state === 'occasion') return failStopped(deps, claim, now, state)
    return failIfObsolete(deps, claim, now)
  }

  /** Releases the events of destinations that are down, held or out of slots: their lanes are closed to the next claim. */
  function releaseBlocked(now: number): void {
    for (const claim of queues.takeBlocked(now))
      report({ claim, settlement: release(claim, now, blockedUntil(claim, now)) })
  }

  /** The scheduler does not know a limit or an outage that only this process has met. */
  function blockedUntil(claim: ReadyClaim, now: number): number | null {
    const isKnown = deps.destinations.of(claim.occasion.channelId).status !== 'ACTIVE'
    return isBatch && !isKnown ? Math.ceil(now + BLOCKED_MS * (1 + deps.dice())) : null
  }

  /** More sends may start, or fewer: of a limit, or of the state of a destination. */
  function onLimits(): void {
    releaseBlocked(clock.now())
    pump()
  }

  async function reload(at?: number): Promise<void> {
    const own = round
    await deps.destinations
      .refresh(at)
      .catch((error) => telemetry({ kind: 'error', operation: 'load-channels', error, retryInMs: RELOAD_MS }))
    // A sender that was drained meanwhile starts no timer.
    if (own === round) onLimits()
  }

  const isUnconfirmed = (claim: ReadyClaim) => ['aging', 'stale'].includes(leases.stateOf(claim))

  function pump(): void {
    const now = clock.now()
    let aging = false
    while (round.inFlight < concurrency) {
      const queue = queues.ready(now)
      if (queue === null) break
      const claim = queue.waiting[0]!
      const state = leases.stateOf(claim)
      if (state === 'stale') {
        void confirmQueued()
        break
      }
      aging ||= state === 'aging'
      const settlement = state === 'lost' ? null : settleUnsent(claim, state, now)
      if (state !== 'lost' && settlement === null) void send(queues.start(queue))
      else {
        queue.waiting.shift()
        if (settlement === null) drop(claim)
        else report({ claim, settlement })
      }
    }
    // Before they are stale, so that no slot and no turn waits for the store.
    if (queues.hasNextInTurn(isUnconfirmed) || (aging && queues.backlog(now) > 0)) void confirmQueued()
    queues.requestLimits(now)
    if (round.inFlight === 0) onIdle()
    if (round.open === 0) onEmpty()
    onRoom()
  }

  /** Confirms the claims of queued events, so that they can be sent; also finds out whether a channel was held meanwhile. */
  async function confirmQueued(): Promise<void> {
    if (confirming) return
    confirming = true
    const [confirmed] = await Promise.all([
      leases.confirm(queues.soon(Math.max(concurrency, pace.startsWithin(LONGEST_AHEAD_MS)))),
      deps.destinations.refresh().catch(() => {}),
    ])
    confirming = false
    releaseBlocked(clock.now())
    if (confirmed) pump()
    else clock.after(CONFIRM_RETRY_MS, pump)
  }

  async function send(claim: ReadyClaim): Promise<void> {
    const own = round
    own.inFlight += 1
    const startedAt = clock.now()
    let outcome: Outcome | null = null
    try {
      outcome = await attempt(deps, claim, { queues, signal: signalOf(own), isBatch })
    } catch (error) {
      telemetry({ kind: 'error', operation: 'send', error, retryInMs: null, ...subjectOf(claim) })
    }
    own.inFlight -= 1
    pace.onEnd(clock.now() - startedAt)
    if (outcome === null) drop(claim, own)
    else report(outcome, own)
    const settlement = outcome?.settlement
    // Only a failure can have opened the circuit breaker or suspended the channel.
    if (settlement?.kind !== 'terminal' || settlement.status === 'FAILED') releaseBlocked(clock.now())
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
    queues,
    reload: oneAtATime(() => reload(Number.POSITIVE_INFINITY)),

    add(ready) {
      round.open += ready.length
      for (const claim of ready) queues.add(claim)
      releaseBlocked(clock.now())
      pump()
    },

    room(claimMs) {
      const refill = Math.min(concurrency, pace.startsWithin(LONGEST_AHEAD_MS))
      const ahead = pace.startsWithin(AHEAD_MS + Math.min(claimMs, LONGEST_AHEAD_MS))
      const capacity = concurrency - round.inFlight + Math.max(refill, ahead)
      const [backlog, limited] = [queues.backlog(clock.now()), queues.backlog(clock.now(), true)]
      return { capacity, free: capacity - backlog, limited }
    },

    isBusy: () => queues.backlog(clock.now()) > 0,
    idleWithin,
    releaseQueued,

    async drain(graceMs) {
      releaseQueued()
      if (graceMs > 0) await idleWithin(graceMs)
      queues.close()
      round.abort?.abort()
      await idleWithin(WIND_DOWN_MS)
      // Bounded, because the settlements come after it. Slots that are not returned expire.
      await Promise.race([queues.returnSlots(), sleep(clock, WIND_DOWN_MS)])
      queues.close()
      round = newRound()
    },
  }
}
