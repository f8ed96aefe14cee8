// What a consumer of the queue does with a batch: reads the claims again, sends, settles, and answers for each message.
// A message that is doubled, or older than what the store knows, is done with.

import type { Claim, ClaimRef } from '../../ports/claim.ts'
import type { Consumer, Disposition, Message } from '../../ports/queue.ts'
import type { EventStore, Store } from '../../ports/store.ts'
import type { SendDeps } from '../deliver.ts'
import { inTime } from '../in-time.ts'
import { createSender, type SenderSettings } from '../sending/sender.ts'
import { type Ended, type SettlerDeps, settleAll } from '../settle.ts'
import { expire, failed, release } from '../settlement.ts'

export type WorkDeps = SettlerDeps & Omit<SendDeps, 'outbox'> & { store: Store }

export type WorkSettings = Pick<SenderSettings, 'concurrency' | 'breaker'> & {
  /** As the scheduler claims with. */
  leaseMs: number
  /** How long a message stays away that could not be dealt with, by how often it came. */
  againMs?: (receives: number) => number
}

/** Keeps what it knows of destinations from batch to batch. One batch at a time. */
export type QueueWorker = {
  work: Consumer
  /** For messages that came too often: their events fail, with a reason, and have their successors. */
  bury: Consumer
}

const EXHAUSTED =
  'QUEUE_EXHAUSTED: given to workers as often as the queue allows, and never settled. Look in their log for what ended them, then replay.'

/** Kept back of the time given: to cut sends short, and to write how they ended. */
const RESERVED_MS = 5_000
/** By this much a lease outlives the batch that it was extended for. */
const LEASE_MARGIN_MS = 30_000

export function createQueueWorker(deps: WorkDeps, settings: WorkSettings): QueueWorker {
  const { store, clock, telemetry } = deps
  const { leaseMs, againMs = againAfter(leaseMs) } = settings
  let ended: Ended[] = []
  const sender = createSender(deps, { ...settings, onEnded: (one) => ended.push(one) })

  const again = ({ receives }: Message): Disposition => ({ kind: 'again', delayMs: againMs(receives) })

  /** Those that came before go last and one by one: one that ends the process, as it did before, leaves the others done. */
  async function work(messages: readonly Message[], until: number): Promise<Disposition[]> {
    const sendUntil = until - Math.min(RESERVED_MS, (until - clock.now()) / 3)
    const answers = new Map<Message, Disposition>()
    const first = messages.filter(({ receives }) => receives <= 1)
    const repeated = backAndForth(messages.filter(({ receives }) => receives > 1))
    if (first.length > 0) await workOn(first, { sendUntil, until }, answers)
    while (repeated.length > 0) {
      const few = repeated.splice(0, clock.now() < sendUntil ? 1 : repeated.length)
      await workOn(few, { sendUntil, until }, answers)
    }
    return messages.map((message) => answers.get(message) ?? again(message))
  }

  async function workOn(
    messages: readonly Message[],
    { sendUntil, until }: { sendUntil: number; until: number },
    answers: Map<Message, Disposition>,
  ): Promise<void> {
    // What can only be given back any more has to be read for that.
    const readUntil = Math.max(sendUntil, (clock.now() + until) / 2)
    const { claims, unread } = await readSafely(messages, readUntil, (refs) => readHeld(refs, until))
    const now = clock.now()
    const ready = []
    for (const claim of claims) {
      const expired = expire(deps, claim, now)
      if (expired !== null) ended.push({ claim, settlement: expired })
      // Not begun, or without a body: whoever claims it next begins, or renders.
      else if (claim.body === null || now >= sendUntil) ended.push({ claim, settlement: release(claim, now) })
      else ready.push({ claim, body: claim.body })
    }
    sender.take(ready)
    await sender.quietWithin(Math.max(0, sendUntil - now))
    await sender.finish(0)
    const unsettled = await settleEnded(claims, until)
    for (const message of messages) {
      const open = unread.has(keyOf(message)) || unsettled.has(keyOf(message))
      answers.set(message, open ? again(message) : { kind: 'ack' })
    }
  }

  /** Those still held, with leases that last to the end of the batch. */
  async function readHeld(refs: readonly ClaimRef[], until: number): Promise<Claim[]> {
    await deps.destinations.refresh()
    const claims = await store.readClaims(refs)
    const short = claims.filter(({ claimedAt }) => claimedAt + leaseMs < until)
    if (short.length === 0) return claims
    const ours = new Set(await store.extendLeases(short.map(refOf), until + LEASE_MARGIN_MS))
    return claims.filter((claim) => ours.has(claim.id) || !short.includes(claim))
  }

  /** One reference that the store chokes on must not hold up the others. */
  async function readSafely(
    messages: readonly Message[],
    until: number,
    read: EventStore['readClaims'],
  ): Promise<{ claims: Claim[]; unread: Set<string> }> {
    const refs = [...new Map(messages.map((message) => [keyOf(message), message])).values()]
    try {
      return { claims: await inTime(clock, until, read(refs.map(refFrom))), unread: new Set() }
    } catch (error) {
      telemetry({ kind: 'trouble', during: 'reading claims', error, retryInMs: againMs(1) })
      const reachable = refs.length > 1 && (await answersBy(until))
      if (!reachable) return { claims: [], unread: new Set(refs.map(keyOf)) }
    }
    const claims: Claim[] = []
    const unread = new Set<string>()
    for (const ref of refs) {
      try {
        claims.push(...(await inTime(clock, until, read([refFrom(ref)]))))
      } catch {
        unread.add(keyOf(ref))
      }
    }
    return { claims, unread }
  }

  function answersBy(until: number): Promise<boolean> {
    return inTime(clock, until, store.check()).then(
      () => true,
      () => false,
    )
  }

  /** Writes all that ended; says which of these claims are still open. */
  async function settleEnded(claims: readonly Claim[], until: number): Promise<Set<string>> {
    const batch = ended
    ended = []
    const unwritten = await inTime(clock, until, settleAll(deps, batch, until)).catch(() => batch)
    const open = new Set(claims.map((claim) => keyOf(refOf(claim))))
    for (const { claim } of batch) open.delete(keyOf(refOf(claim)))
    for (const { claim } of unwritten) open.add(keyOf(refOf(claim)))
    return open
  }

  async function bury(messages: readonly Message[], until: number): Promise<Disposition[]> {
    const { claims, unread } = await readSafely(messages, until, (refs) => store.readClaims(refs))
    const now = clock.now()
    // A lease that is over tells that the store could not be reached: the scheduler takes the event again.
    const lost = claims.filter(({ claimedAt }) => claimedAt + leaseMs > now)
    const why = { reason: EXHAUSTED, statusCode: null }
    for (const claim of lost) ended.push({ claim, settlement: failed(deps, claim, now, why) })
    const unsettled = await settleEnded(lost, until)
    return messages.map((message) => {
      const open = unread.has(keyOf(message)) || unsettled.has(keyOf(message))
      return open ? again(message) : { kind: 'ack' }
    })
  }

  return { work, bury }
}

/**
 * In turn from either end: whatever stands behind one that ends the process goes before it the next time. Also those that
 * came more often: where it always went first, another that had failed before was given up because of it. Their last time
 * is an even one on both clouds, and then they go first.
 */
function backAndForth(messages: readonly Message[]): Message[] {
  const most = Math.max(...messages.map(({ receives }) => receives))
  const turn = most % 2 === 0 ? -1 : 1
  return messages.toSorted((a, b) => turn * (a.receives - b.receives || (a.eventId < b.eventId ? -1 : 1)))
}

/** Soon at first; then so late that the lease runs out before the receives do, and an outage of the store fails nothing. */
function againAfter(leaseMs: number): (receives: number) => number {
  return (receives) => [10_000, 60_000][receives - 1] ?? Math.ceil(leaseMs / 2)
}

function keyOf({ eventId, version }: ClaimRef): string {
  return `${eventId} ${version}`
}

function refFrom({ eventId, version }: ClaimRef): ClaimRef {
  return { eventId, version }
}

function refOf({ id: eventId, version }: Claim): ClaimRef {
  return { eventId, version }
}
