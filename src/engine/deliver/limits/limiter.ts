// Keeps the limits of one destination over all workers: leases turns and slots from the store, and spends them here. All times
// are elapsed milliseconds of this process: nothing sets them.
import type { ChannelLimits } from '../../../domain/settings/channel.ts'
import { leaseSlots, leaseTurns, SLOTS_MS, turnMs } from '../../../domain/settings/limit-leases.ts'
import type { Dice, MonotonicClock } from '../../../ports/clock.ts'
import type { LimitStore } from '../../../ports/store.ts'
import type { Telemetry } from '../../../ports/telemetry.ts'
import { createSharedClock } from './shared-clock.ts'

export type Limiter = {
  /** Whether one more send may start now. */
  mayStart(limits: ChannelLimits, inFlight: number): boolean
  onStart(): void
  /** Leases what is needed and not leased yet, and calls `onChange` when more sends may start. Call it after each change. */
  request(limits: ChannelLimits, need: Need): void
  /** Whether a turn comes soon: the claim of its event must be confirmed by then. */
  hasTurnSoon(): boolean
  /** Other workers have every slot: events must not wait here for them. */
  isDenied(): boolean
  /** Ends the timer. */
  close(): void
  /** Lets other workers use the slots at once. Slots that are not returned expire. */
  returnSlots(limits: ChannelLimits): Promise<void>
}

type Need = { waiting: number; inFlight: number }

export type LimiterDeps = {
  store: LimitStore
  clock: MonotonicClock
  telemetry: Telemetry
  dice: Dice
  onChange: () => void
}

/** How long after its turn a send may start. A later turn is lost, so that a worker that was held up does not start many at once. */
const LATE_MS = 20
/** By how much longer one request may take to its receiver than another. */
const NETWORK_MS = 10
const AGAIN_MS = 5
/** The next turns are leased so long before the last one. */
const PREFETCH_MS = 150
/** Slots are leased again so often while they are used, and returned so long after the last use. */
const RENEW_MS = 2_000
const IDLE_MS = 250
/** The wait after a call that got fewer slots than it asked for, and after one that failed. */
const RETRY_SLOTS_MS = 250
const RETRY_MS = 1_000
/** How long a worker without slots claims none of its events. */
const DENIED_MS = 1_000
/** Another worker may write between the read and the write. */
const MOST_TRIES = 5
/** A call to the store that takes longer is not waited for. */
const LONGEST_MS = 35_000

const NEVER = Number.NEGATIVE_INFINITY

export function createLimiter(deps: LimiterDeps, channelId: string): Limiter {
  const { store, clock, telemetry, onChange } = deps
  /** Unique among the limiters of all workers. */
  const worker = Math.floor(deps.dice() * 2 ** 48).toString(36)
  const sharedClock = createSharedClock(clock)
  /** Leased turns, in order: the next at `at`, and `left` of them every `everyMs`. */
  let blocks: { at: number; everyMs: number; left: number }[] = []
  /** How many sends have started at their turns. One more turn than that is leased at a time: a process that starts misses its first. */
  let used = 0
  let retryTurnsAt = NEVER
  let slots = 0
  let leasedAt = NEVER
  let usedAt = NEVER
  let deniedUntil = NEVER
  let retrySlotsAt = NEVER
  /** How long the last write took. */
  let writeMs = 0
  /** A call to the store is in progress. Bounded, because a serverless platform may end a call that then never returns. */
  let busyUntil = NEVER
  let timer: { cancel(): void } | null = null

  /** Drops the turns that were missed. */
  function nextTurn(): number | null {
    if (blocks.length === 0) return null
    const now = clock.elapsedMs()
    for (const block of blocks) while (block.left > 0 && now > block.at + LATE_MS) spend(block)
    blocks = blocks.filter(({ left }) => left > 0)
    return blocks[0]?.at ?? null
  }

  function spend(block: (typeof blocks)[number]): void {
    block.at += block.everyMs
    block.left -= 1
  }

  const slotsNow = () => (clock.elapsedMs() < leasedAt + SLOTS_MS ? slots : 0)

  /** How many turns to lease, and from when on. None for sends that have no slot. */
  function turnsWanted(limits: ChannelLimits, need: Need): { count: number; at: number } {
    const { perSecond, concurrency } = limits
    const waiting = concurrency === null ? need.waiting : Math.min(need.waiting, slotsNow() - need.inFlight)
    nextTurn()
    const last = blocks.at(-1)
    const endsAt = last === undefined ? NEVER : last.at + last.left * last.everyMs
    const missing = perSecond === null ? 0 : waiting - blocks.reduce((sum, { left }) => sum + left, 0)
    return {
      count: Math.max(0, Math.min(missing, used + 1)),
      at: Math.max(retryTurnsAt, endsAt - PREFETCH_MS),
    }
  }

  /** How many slots to lease, and from when on: as many as are used, and none soon after the last use. */
  function slotsWanted({ concurrency }: ChannelLimits, need: Need): { count: number; at: number } | null {
    if (concurrency === null) return null
    const count = Math.min(concurrency, need.waiting + need.inFlight)
    if (count === 0) return slotsNow() > 0 ? { count, at: Math.max(usedAt + IDLE_MS, retrySlotsAt) } : null
    usedAt = clock.elapsedMs()
    return { count, at: Math.max(count > slotsNow() ? NEVER : leasedAt + RENEW_MS, retrySlotsAt) }
  }

  /**
   * When to look at the next turn: some time before it, so that the claim of its event can be confirmed, and when it has come. A
   * turn that has come since `mayStart` was called is looked at again.
   */
  function nextLook(now: number): number {
    const at = nextTurn() ?? Infinity
    return at - PREFETCH_MS > now ? at - PREFETCH_MS : Math.max(at, now + AGAIN_MS)
  }

  /** False if another worker wrote first. */
  async function lease(limits: ChannelLimits, turnsWant: number, slotsWant: number | null): Promise<boolean> {
    const startedAt = clock.elapsedMs()
    const [{ leases, seen }, { low, high }] = await sharedClock.measure(() => store.readLeases(channelId))
    const readAt = clock.elapsedMs()
    const now = readAt + low
    const everyMs = turnMs(limits.perSecond ?? 1, LATE_MS + NETWORK_MS + high - low)
    // Turns from before the end of the write would be lost.
    const tookMs = Math.max(writeMs, readAt - startedAt)
    const ofTurns = leaseTurns(leases, { now: now + tookMs, everyMs, want: turnsWant })
    const ofSlots =
      slotsWant === null
        ? null
        : leaseSlots(ofTurns.leases, { now, worker, want: slotsWant, limit: limits.concurrency! })
    const { from, count } = ofTurns.turns
    if (count > 0 || ofSlots !== null) {
      const isWritten = await store.writeLeases({ channelId, seen, leases: (ofSlots ?? ofTurns).leases })
      writeMs = clock.elapsedMs() - readAt
      if (!isWritten) return false
    }
    if (count > 0) blocks.push({ at: from - low, everyMs, left: count })
    if (turnsWant > 0) retryTurnsAt = clock.elapsedMs() + ofTurns.retryInMs
    if (ofSlots !== null) acceptSlots(ofSlots.count, slotsWant!, startedAt)
    return true
  }

  function acceptSlots(count: number, want: number, startedAt: number): void {
    const now = clock.elapsedMs()
    slots = count
    leasedAt = startedAt
    retrySlotsAt = count < want ? now + RETRY_SLOTS_MS : now
    deniedUntil = count === 0 && want > 0 ? now + DENIED_MS : now
  }

  async function leaseSafely(limits: ChannelLimits, turns: number, slotsWant: number | null): Promise<void> {
    busyUntil = clock.elapsedMs() + LONGEST_MS
    try {
      for (let tries = 1; tries <= MOST_TRIES && !(await lease(limits, turns, slotsWant)); ) tries += 1
    } catch (error) {
      retryTurnsAt = clock.elapsedMs() + RETRY_MS
      retrySlotsAt = retryTurnsAt
      telemetry({ kind: 'error', operation: 'lease-limits', error, retryInMs: RETRY_MS, channelId })
    }
    busyUntil = NEVER
  }

  return {
    mayStart({ perSecond, concurrency }, inFlight) {
      if (concurrency !== null && inFlight >= slotsNow()) return false
      const at = perSecond === null ? NEVER : nextTurn()
      return at !== null && at <= clock.elapsedMs()
    },

    onStart() {
      if (blocks[0] === undefined) return
      spend(blocks[0])
      used += 1
    },

    request(limits, need) {
      timer?.cancel()
      timer = null
      if (limits.perSecond === null && limits.concurrency === null) return
      const now = clock.elapsedMs()
      const turns = turnsWanted(limits, need)
      const wanted = slotsWanted(limits, need)
      const turnsDue = turns.count > 0 && turns.at <= now
      const slotsDue = wanted !== null && wanted.at <= now
      if (now >= busyUntil && (turnsDue || slotsDue))
        void leaseSafely(limits, turnsDue ? turns.count : 0, slotsDue ? wanted.count : null).then(onChange)
      const isBusy = now < busyUntil
      const leaseAt = isBusy
        ? Infinity
        : Math.min(turns.count > 0 ? turns.at : Infinity, wanted?.at ?? Infinity)
      const nextAt = Math.min(leaseAt, need.waiting > 0 ? nextLook(now) : Infinity)
      if (nextAt > now && nextAt < Infinity) timer = clock.after(Math.ceil(nextAt - now), onChange)
    },

    hasTurnSoon: () => (nextTurn() ?? Infinity) <= clock.elapsedMs() + PREFETCH_MS,

    isDenied: () => clock.elapsedMs() < deniedUntil,

    close() {
      timer?.cancel()
      timer = null
    },

    async returnSlots(limits) {
      if (slotsNow() > 0 && limits.concurrency !== null) await leaseSafely(limits, 0, 0)
    },
  }
}
