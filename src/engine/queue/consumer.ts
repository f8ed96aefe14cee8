// Works on a batch of queue messages: reads the claims again, sends, settles, and says for each message whether it is done.
// A duplicate message, or one older than the stored event, is acknowledged.
import { failureFrom } from '../../domain/events/failure-reason.ts'
import type { Claim, ClaimRef, ReadyClaim } from '../../ports/claim.ts'
import type { Consumer, Disposition, Message } from '../../ports/queue.ts'
import { isReady } from '../claim.ts'
import type { Destination } from '../deliver/destinations.ts'
import { createSender } from '../deliver/sender.ts'
import type { SenderSettings } from '../deliver/sender-settings.ts'
import type { EngineDeps, Outcome } from '../engine-deps.ts'
import { createLeaseKeeper } from '../leases.ts'
import { settleAll } from '../settle.ts'
import { failed, failIfObsolete, refOf, release } from '../settlement.ts'
import { momentOf, withDeadline } from '../timing.ts'

export type ConsumerSettings = Pick<SenderSettings, 'concurrency' | 'breaker'> & {
  /** The lease that the scheduler claims with. */
  leaseMs: number
  /** When a message that could not be worked on is redelivered, by how often it was received. */
  retryMs?: (receives: number) => number
}

/** Remembers the state of destinations between batches. One batch at a time. */
export type QueueConsumer = {
  work: Consumer
  /** Fails the events of messages that were received too often, and plans their successors. */
  deadLetter: Consumer
}

const EXHAUSTED =
  'QUEUE_EXHAUSTED: given to workers as often as the queue allows, and never settled. Look in their log for what ended them, then replay.'

/** Time kept back from sending: to abort sends, and to settle their events. */
const RESERVED_MS = 5_000
/** An extended lease outlives its batch by this much. */
const LEASE_MARGIN_MS = 30_000

export function createQueueConsumer(deps: EngineDeps, settings: ConsumerSettings): QueueConsumer {
  const { store, clock, telemetry } = deps
  const { leaseMs, retryMs = retryAfter(leaseMs) } = settings
  let outcomes: Outcome[] = []
  let leaseUntil = 0
  const leases = createLeaseKeeper(deps, {
    leaseMs: () => Math.max(LEASE_MARGIN_MS, leaseUntil - clock.now()),
    heartbeatMs: null,
  })
  const onOutcome = (outcome: Outcome) => void outcomes.push(outcome)
  const sender = createSender(deps, { ...settings, leases, onOutcome, isBatch: true })

  const retry = ({ receives }: Message): Disposition => ({ kind: 'retry', delayMs: retryMs(receives) })

  /**
   * Redelivered messages run last and one at a time, so that a poison message that crashes the process cannot take its batch
   * along.
   */
  async function work(messages: readonly Message[], until: number): Promise<Disposition[]> {
    const sendUntil = until - Math.min(RESERVED_MS, (until - clock.now()) / 3)
    const dispositions = new Map<Message, Disposition>()
    const first = messages.filter(({ receives }) => receives <= 1)
    const redelivered = alternate(messages.filter(({ receives }) => receives > 1))
    if (first.length > 0) await workOn(first, { sendUntil, until }, dispositions)
    while (redelivered.length > 0) {
      const few = redelivered.splice(0, clock.now() < sendUntil ? 1 : redelivered.length)
      await workOn(few, { sendUntil, until }, dispositions)
    }
    return messages.map((message) => dispositions.get(message) ?? retry(message))
  }

  async function workOn(
    messages: readonly Message[],
    { sendUntil, until }: { sendUntil: number; until: number },
    dispositions: Map<Message, Disposition>,
  ): Promise<void> {
    // After `sendUntil` claims are still read, to release them.
    const leasedFrom = momentOf(clock)
    const readUntil = Math.max(sendUntil, (leasedFrom.now + until) / 2)
    const { claims, unread } = await readSafely(messages, readUntil, (refs) => readHeld(refs, until))
    leaseUntil = until + LEASE_MARGIN_MS
    leases.add(claims, leasedFrom)
    const now = clock.now()
    const ready: ReadyClaim[] = []
    for (const claim of claims) {
      const obsolete = failIfObsolete(deps, claim, now)
      if (obsolete !== null) outcomes.push({ claim, settlement: obsolete })
      // Too late to start, or without a body: the next claim starts or renders it.
      else if (!isReady(claim) || now >= sendUntil) outcomes.push({ claim, settlement: release(claim, now) })
      else ready.push(claim)
    }
    await withDeadline(clock, readUntil, sender.queues.claimProbes(goesTo(deps, ready))).catch(() => {})
    sender.add(ready)
    await sender.idleWithin(Math.max(0, sendUntil - clock.now()))
    await sender.drain(0)
    const unsettled = await settleOutcomes(claims, until)
    for (const claim of claims) leases.release(claim)
    for (const message of messages) {
      const open = unread.has(keyOf(message)) || unsettled.has(keyOf(message))
      dispositions.set(message, open ? retry(message) : { kind: 'ack' })
    }
  }

  /** The claims still held, with leases that last to the end of the batch. */
  async function readHeld(refs: readonly ClaimRef[], until: number): Promise<Claim[]> {
    await deps.destinations.refresh()
    const claims = await store.readClaims(refs)
    // A provisional lease too: the scheduler has not extended it yet, or could not.
    const short = claims.filter(({ provisional, claimedAt }) => provisional || claimedAt + leaseMs < until)
    if (short.length === 0) return claims
    const now = clock.now()
    await store.extendLeases(short.map(refOf), { now, leaseMs: until + LEASE_MARGIN_MS - now })
    return store.readClaims(claims.map(refOf))
  }

  /** Reads one by one after a failure: a claim that the store cannot read must not hold up the others. */
  async function readSafely(
    messages: readonly Message[],
    until: number,
    read: EngineDeps['store']['readClaims'],
  ): Promise<{ claims: Claim[]; unread: Set<string> }> {
    const refs = [...new Map(messages.map((message) => [keyOf(message), refFrom(message)])).values()]
    try {
      return { claims: await withDeadline(clock, until, read(refs)), unread: new Set() }
    } catch (error) {
      telemetry({ kind: 'error', operation: 'read-claims', error, retryInMs: retryMs(1) })
      const reachable = refs.length > 1 && (await respondsBy(until))
      if (!reachable) return { claims: [], unread: new Set(refs.map(keyOf)) }
    }
    const claims: Claim[] = []
    const unread = new Set<string>()
    for (const ref of refs) {
      try {
        claims.push(...(await withDeadline(clock, until, read([ref]))))
      } catch {
        unread.add(keyOf(ref))
      }
    }
    return { claims, unread }
  }

  function respondsBy(until: number): Promise<boolean> {
    return withDeadline(clock, until, store.check()).then(
      () => true,
      () => false,
    )
  }

  /** Settles all outcomes; returns the keys of these claims that are still open. */
  async function settleOutcomes(claims: readonly Claim[], until: number): Promise<Set<string>> {
    const batch = outcomes
    outcomes = []
    const unwritten = await withDeadline(clock, until, settleAll(deps, batch, until)).catch(() => batch)
    const open = new Set(claims.map((claim) => keyOf(refOf(claim))))
    for (const { claim } of batch) open.delete(keyOf(refOf(claim)))
    for (const { claim } of unwritten) open.add(keyOf(refOf(claim)))
    return open
  }

  async function deadLetter(messages: readonly Message[], until: number): Promise<Disposition[]> {
    const { claims, unread } = await readSafely(messages, until, (refs) => store.readClaims(refs))
    const now = clock.now()
    // An expired or a provisional lease means that the store was down, not that the message is poison: no consumer has read
    // the claim, and the scheduler claims the event again.
    const poison = claims.filter(({ provisional, claimedAt }) => !provisional && claimedAt + leaseMs > now)
    const why = { ...failureFrom(EXHAUSTED), statusCode: null }
    for (const claim of poison) outcomes.push({ claim, settlement: failed(deps, claim, now, why) })
    if (poison.length > 0) telemetry({ kind: 'dead-letters', count: poison.length })
    const unsettled = await settleOutcomes(poison, until)
    return messages.map((message) => {
      const open = unread.has(keyOf(message)) || unsettled.has(keyOf(message))
      return open ? retry(message) : { kind: 'ack' }
    })
  }

  return { work, deadLetter }
}

/** Whether one of the events goes to a destination. */
const goesTo =
  ({ destinations }: EngineDeps, ready: readonly ReadyClaim[]) =>
  async ({ id }: Destination) =>
    ready.some(({ occasion }) => destinations.of(occasion.channelId).id === id)

/**
 * Alternates the order on each redelivery, so that no message is always queued behind a poison message and dead-lettered
 * because of it. On both clouds the last receive is an even one, and then the messages received most often run first.
 */
function alternate(messages: readonly Message[]): Message[] {
  const most = Math.max(...messages.map(({ receives }) => receives))
  const direction = most % 2 === 0 ? -1 : 1
  return messages.toSorted(
    (a, b) => direction * (a.receives - b.receives || (a.eventId < b.eventId ? -1 : 1)),
  )
}

/** Soon at first; then so late that the lease expires before the last receive: a store outage dead-letters nothing. */
export function retryAfter(leaseMs: number): (receives: number) => number {
  return (receives) => [10_000, 60_000][receives - 1] ?? Math.ceil(leaseMs / 2)
}

function keyOf({ eventId, version }: ClaimRef): string {
  return `${eventId} ${version}`
}

function refFrom({ eventId, version }: Message): ClaimRef {
  return { eventId, version }
}
