// Which destinations are down or held and who probes them, as all workers know it: read from the store with the channels, written
// when this process finds a change.
import { type DestinationState, isDown } from '../../domain/settings/destination.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DestinationStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

export type SharedStates = {
  refresh(): Promise<void>
  of(channelId: string): DestinationState
  /** A message failed at `at`. An outage that is known goes on. `isLocal`: the other processes can send. */
  markDown(failure: {
    channelId: string
    at: number
    error: string
    nextProbeAt: number
    isLocal: boolean
  }): void
  markUp(channelId: string, at: number): void
  /** Whether the time of the next probe has come, or is from before the clock was set back. */
  isProbeDue(channelId: string, now: number): boolean
  /** Lets this process probe the destination for so long, if a probe is due. False also if the store cannot be reached. */
  claimProbe(channelId: string, now: number, forMs: number): Promise<boolean>
  /** Renews the claim of the prober when half of it is over. */
  renewProbe(channelId: string, now: number, forMs: number): Promise<void>
  isProber(channelId: string, now: number): boolean
  /** A probe of this process has no result yet, also if another process may probe by now. */
  awaitsProbe(channelId: string): boolean
  /** Lets any process probe from then on: this one found no message to send. */
  returnProbe(channelId: string, from: number): Promise<unknown>
}

/**
 * How much later than the others a process sends the next probe after its own failed: it may be the only one that cannot reach the
 * destination, and with a clock ahead of the others it would claim every probe.
 */
const YIELD_MS = 500

/** How often a destination that stays down is reported. */
const REPORT_MS = 60_000

export function createSharedStates(deps: {
  store: DestinationStore
  clock: Clock
  telemetry: Telemetry
  nameOf: (channelId: string) => string
}): SharedStates {
  const { store, clock, telemetry } = deps
  let byId = new Map<string, DestinationState>()
  /** Destinations to which this process alone cannot send. Whether they are held is stored for all processes. */
  const local = new Map<string, Outage>()
  /** Until when this process may probe: the stored time of the next probe while it is the prober. Deleted with the result. */
  const probes = new Map<string, number>()
  /** The next probe of each destination after one of this process failed. */
  const yielded = new Map<string, number>()
  /** The next probe of each destination that was planned by the clock from before it was set back: it is due. */
  const dueNow = new Map<string, number>()
  let lastNow: number | null = null
  /** Counts the begin and the end of each write: a read beside either may be older than the write. */
  let writes = 0
  let writing = 0
  /** The destinations that were reported as down: since when they are, and when that was said last. */
  const reported = new Map<string, { since: number; at: number }>()

  const storedOf = (channelId: string): DestinationState => byId.get(channelId) ?? upState(channelId)
  function of(channelId: string): DestinationState {
    const stored = storedOf(channelId)
    const outage = local.get(channelId)
    if (outage !== undefined) return { ...stored, ...outage }
    const { nextProbeAt } = stored
    const isYielded = nextProbeAt !== null && nextProbeAt === yielded.get(channelId)
    return isYielded ? { ...stored, nextProbeAt: nextProbeAt + YIELD_MS } : stored
  }

  async function write<T>(
    channelId: string,
    operation: 'mark-destination' | 'claim-probe',
    call: Promise<T>,
  ): Promise<T | null> {
    writes += 1
    writing += 1
    try {
      return await call
    } catch (error) {
      telemetry({ kind: 'error', operation, error, retryInMs: null, channelId })
      return null
    } finally {
      writes += 1
      writing -= 1
    }
  }

  /** What this process knows counts at once. If it cannot be stored, the next refresh restores what the others know. */
  function mark(state: DestinationState, call: Promise<void>): void {
    byId.set(state.channelId, state)
    report()
    void write(state.channelId, 'mark-destination', call)
  }

  /** False if another process has moved it. */
  async function moveProbe(channelId: string, to: number): Promise<boolean> {
    const outage = local.get(channelId)
    if (outage !== undefined) {
      local.set(channelId, { ...outage, nextProbeAt: to })
      return true
    }
    const { nextProbeAt: seen } = storedOf(channelId)
    const call = store.claimProbe({ channelId, seen: seen!, until: to })
    const isMoved = (await write(channelId, 'claim-probe', call)) === true
    // The probe may have ended during the call, with a newer state.
    const known = storedOf(channelId)
    if (isMoved && known.nextProbeAt === seen) byId.set(channelId, { ...known, nextProbeAt: to })
    return isMoved
  }

  async function holdProbe(channelId: string, until: number): Promise<boolean> {
    const isHeld = await moveProbe(channelId, until)
    if (isHeld) probes.set(channelId, until)
    return isHeld
  }

  function report(): void {
    const now = clock.now()
    const say = (channelId: string, state: 'down' | 'up' | 'untried', since: number) =>
      telemetry({
        kind: 'destination',
        channelId,
        channelName: deps.nameOf(channelId),
        state,
        since,
        error: storedOf(channelId).lastError,
      })
    for (const [channelId, { since }] of reported)
      if (!isDown(storedOf(channelId), now)) {
        reported.delete(channelId)
        say(channelId, storedOf(channelId).downSince === null ? 'up' : 'untried', since)
      }
    for (const state of byId.values()) {
      if (!isDown(state, now)) continue
      const { channelId, downSince: since } = state
      const last = reported.get(channelId)
      // Math.abs: the clock may have been set back.
      if (last !== undefined && Math.abs(now - last.at) < REPORT_MS) continue
      reported.set(channelId, { since, at: now })
      say(channelId, 'down', since)
    }
  }

  function setDueAfter(at: number): void {
    for (const { channelId, nextProbeAt } of byId.values())
      if (nextProbeAt !== null && nextProbeAt > at) dueNow.set(channelId, nextProbeAt)
  }

  function isProbeDue(channelId: string, now: number): boolean {
    const { nextProbeAt } = of(channelId)
    return (nextProbeAt ?? 0) <= now || nextProbeAt === dueNow.get(channelId)
  }

  return {
    async refresh() {
      const now = clock.now()
      const isFirst = lastNow === null
      if (lastNow !== null && now < lastNow) {
        yielded.clear()
        setDueAfter(now)
      }
      const before = writes
      const states = await store.listDestinations()
      lastNow = now
      if (writes === before && writing === 0) {
        byId = new Map(states.map((state) => [state.channelId, state]))
        // No Retry-After is longer: the clock was set back before this process started.
        if (isFirst) setDueAfter(now + DAY_MS)
        report()
      }
    },

    of,
    isProbeDue,

    markDown({ channelId, at, error, nextProbeAt, isLocal }) {
      const known = of(channelId)
      const since = isDown(known, at) ? known.downSince : at
      const outage = { downSince: since, lastError: error, nextProbeAt }
      if (probes.delete(channelId)) yielded.set(channelId, nextProbeAt)
      if (isLocal) local.set(channelId, outage)
      else {
        local.delete(channelId)
        const stored = storedOf(channelId)
        const { nextProbeAt: seen } = stored
        mark({ ...stored, ...outage }, store.markDown({ channelId, since, error, nextProbeAt, seen }))
      }
    },

    markUp(channelId, at) {
      probes.delete(channelId)
      if (!local.delete(channelId))
        mark({ ...of(channelId), ...UP, recoveredAt: at }, store.markUp(channelId, at))
    },

    async claimProbe(channelId, now, forMs) {
      const state = of(channelId)
      return isDown(state, now) && isProbeDue(channelId, now) && holdProbe(channelId, now + forMs)
    },

    async renewProbe(channelId, now, forMs) {
      if (of(channelId).nextProbeAt! - now <= forMs / 2) await holdProbe(channelId, now + forMs)
    },

    isProber(channelId, now) {
      const until = probes.get(channelId)
      return until !== undefined && now < until && of(channelId).nextProbeAt === until
    },

    awaitsProbe: (channelId) => probes.has(channelId),

    async returnProbe(channelId, from) {
      probes.delete(channelId)
      await moveProbe(channelId, from)
    },
  }
}

type Outage = Pick<DestinationState, 'downSince' | 'lastError' | 'nextProbeAt'>

const UP: Outage = { downSince: null, lastError: null, nextProbeAt: null }

function upState(channelId: string): DestinationState {
  return { channelId, ...UP, recoveredAt: null, heldAt: null, heldUntil: null, heldBy: null }
}
