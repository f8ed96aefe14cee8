// Wakes the parked events of a destination: one at a time as a probe while it is down, then as many as it has room for. The
// time until which an event was parked is only the fallback, for a process that ends in between.

import type { ChannelStatus } from '../../domain/settings/channel.ts'
import type { ReadyClaim } from '../../ports/claim.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { roomFor, type Traffic } from './admission.ts'
import { type Destination, type Destinations, RELOAD_MS } from './destinations.ts'

type RecoveryDeps = {
  store: Pick<EventStore, 'wakeParked'>
  clock: Clock
  telemetry: Telemetry
  destinations: Destinations
  /** Called when events were woken. Null where no timer runs between two calls: there the scheduler wakes the probes. */
  onWoken: (() => void) | null
  /** Reads the channels again, and calls `onReload`. */
  reload: () => void
}

/** The traffic of one destination, and how far its parked events have been woken. */
export type DestinationLine = Traffic & { destination: Destination; waking: Waking }

export type Waking = {
  /** Events may be parked for the destination. */
  parked: boolean
  /** When this process last parked one. */
  parkedAt: number
  /**
   * The destination takes events: a parked one was delivered, the channel was released, or they wait for its limit only. As many are
   * woken as there is room for, otherwise one at a time.
   */
  draining: boolean
  /** A statement that wakes events is in flight. */
  busy: boolean
  at: number
  /** Woken, and not claimed by this process yet. */
  unclaimed: number
  /** The last statement found fewer events than it asked for. */
  wasShort: boolean
  /** As of the last reload; null before the first. */
  seen: { status: ChannelStatus; isUp: boolean; recoveredAt: number | null } | null
}

export function notWaking(): Waking {
  const at = Number.NEGATIVE_INFINITY
  return {
    parked: false,
    draining: false,
    busy: false,
    wasShort: false,
    unclaimed: 0,
    seen: null,
    at,
    parkedAt: at,
  }
}

export type Recovery = {
  /** An event was parked for the destination. `forLimit`: it takes as many events as it has room for. */
  onParked(line: DestinationLine, forLimit?: boolean): void
  /** An event was admitted, or a send has ended. */
  onChange(line: DestinationLine): void
  /** A send has shown the destination to be up. `isFirst`: it is the first one since the destination was down. */
  onSuccess(line: DestinationLine, claim: ReadyClaim, isFirst: boolean): void
  /** Claims the probe of a destination that is down, if it may be probed now. */
  claimProbe(line: DestinationLine): Promise<boolean>
  /** The channels were reloaded: finds the ones that were released, or that another process has found up. */
  onReload(lineOf: (destination: Destination) => DestinationLine): void
  /** Wakes events that were parked for a destination which is no longer the default. */
  wakeSlice(channelId: string): void
  /** Stops the timer until the next event or send. */
  close(): void
}

/** Events woken by one statement: a million parked events are woken in slices, at the pace at which they are sent. */
const SLICE = 1_000
/** How long woken events may take to be claimed, here or by another process. */
const CLAIM_MS = 1_000
/**
 * How long one process may probe a destination before another may. The claim is renewed while the probe is in flight: the
 * destination waits no longer than this for a process that was killed.
 */
const PROBE_MS = 10_000
/** Where no timer renews the claim: longer than a request takes by default. */
const UNRENEWED_PROBE_MS = 60_000
/** How long the statement that parks an event may take: until then the event is not found. */
const PARK_MS = 15_000

export function createRecovery(deps: RecoveryDeps): Recovery {
  const { store, clock, telemetry, destinations, onWoken } = deps
  const { states } = destinations
  let timer: { at: number; cancel(): void } | null = null

  /** Returns how many were woken; null if the store failed. */
  async function wake(channelId: string, limit: number, by: 'due' | 'wake'): Promise<number | null> {
    try {
      const woken = await store.wakeParked({ channelId, limit, by, now: clock.now() })
      if (woken > 0) onWoken?.()
      return woken
    } catch (error) {
      telemetry({ kind: 'error', operation: 'wake-parked', error, retryInMs: CLAIM_MS, channelId })
      return null
    }
  }

  async function wakeFor({ destination, waking }: DestinationLine, limit: number, by: 'due' | 'wake') {
    waking.busy = true
    waking.at = clock.now()
    const woken = await wake(destination.id, limit, by)
    waking.busy = false
    waking.unclaimed = woken ?? 0
    waking.wasShort = woken !== null && woken < limit
    // None is left. The next event that is parked, or delivered after it was parked, starts again.
    if (waking.wasShort && Math.abs(waking.at - waking.parkedAt) > PARK_MS) {
      waking.parked = false
      waking.draining = false
    }
  }

  function drain(waking: Waking): void {
    waking.parked = true
    waking.draining = true
  }

  async function claimProbe({ destination: { id, status } }: DestinationLine): Promise<boolean> {
    return (
      status === 'ACTIVE' &&
      states.claimProbe(id, clock.now(), onWoken === null ? UNRENEWED_PROBE_MS : PROBE_MS)
    )
  }

  /** Sends the probe: one parked event is woken, by the only process that may. */
  async function probe(line: DestinationLine): Promise<void> {
    const { waking, destination } = line
    waking.busy = true
    const isClaimed = await claimProbe(line)
    waking.busy = false
    if (!isClaimed) return
    await wakeFor(line, 1, 'wake')
    const now = clock.now()
    // Another process may hold the only message, or be parking it.
    if (waking.unclaimed + line.waiting.length + line.inFlight === 0 && states.isProber(destination.id, now))
      await states.returnProbe(destination.id, now + CLAIM_MS)
  }

  function step(line: DestinationLine): void {
    const { waking, destination, waiting, inFlight } = line
    // The events of a disabled channel fail: none is parked.
    const isParked = waking.parked && destination.status !== 'DISABLED'
    const now = clock.now()
    const isProber = inFlight > 0 && states.isProber(destination.id, now)
    if (!isParked && waiting.length === 0 && !isProber) return
    if (isProber && onWoken !== null) void states.renewProbe(destination.id, now, PROBE_MS)
    // Also while nothing is known of an outage: this process may have met it once or twice only.
    if (isParked && !waking.busy) {
      // Math.abs: the clock may have been set back.
      const isSoon = Math.abs(now - waking.at) < CLAIM_MS && (waking.unclaimed > 0 || waking.wasShort)
      const room = isSoon ? 0 : Math.min(SLICE, roomFor(destination, line, now))
      if (room > 0 && waking.draining && line.breaker.isHealthy(now)) void wakeFor(line, room, 'due')
      // One at a time. A probe that another process has claimed leaves no trace here: another one is woken.
      else if (room > 0 && onWoken !== null && waiting.length + inFlight === 0) void wakeFor(line, 1, 'wake')
      else if (!isSoon && onWoken !== null && line.breaker.allowance(now) === 0) void probe(line)
    }
    schedule(states.of(destination.id).nextProbeAt ?? now, now)
  }

  /** Looks again when the next probe is due, and each second whether a channel was stopped, released or found up by another process. */
  function schedule(probeAt: number, now: number): void {
    if (onWoken === null) return
    const at = probeAt > now ? Math.min(probeAt, now + RELOAD_MS) : now + RELOAD_MS
    if (timer !== null && timer.at <= at) return
    timer?.cancel()
    const { cancel } = clock.after(at - now, () => {
      timer = null
      deps.reload()
    })
    timer = { at, cancel }
  }

  return {
    onParked(line, forLimit = false) {
      line.waking.parked = true
      if (forLimit) line.waking.draining = true
      line.waking.parkedAt = clock.now()
      step(line)
    },
    onChange: step,
    claimProbe,
    onSuccess({ waking }, { parkCount }, isFirst) {
      if (isFirst || parkCount > 0) drain(waking)
    },
    onReload(lineOf) {
      for (const destination of destinations.list()) {
        const { id, status } = destination
        const line = lineOf(destination)
        const { waking, breaker } = line
        const { seen } = waking
        const isUp = breaker.allowance(clock.now()) > 0
        const { recoveredAt } = states.of(id)
        if (seen?.status !== status || seen.isUp !== isUp || seen.recoveredAt !== recoveredAt) {
          waking.seen = { status, isUp, recoveredAt }
          // When this process has just started, events may be parked. Where no timer runs, the scheduler wakes them.
          if (seen !== null || onWoken !== null) {
            if (status === 'ACTIVE' && isUp) drain(waking)
            // While the channel is held, the event is parked again, and this process looks each second whether it was released.
            else if (seen === null && status !== 'DISABLED') void wake(id, 1, 'wake')
          }
        }
        step(line)
      }
    },
    wakeSlice: (channelId) => void wake(channelId, SLICE, 'due'),
    close() {
      timer?.cancel()
      timer = null
    },
  }
}
