// Wakes the parked events of a destination: one at a time as a probe while it is down, then as many as it has room for. The
// time until which an event was parked is only the fallback, for a process that ends in between.

import type { ChannelStatus } from '../../domain/settings/channel.ts'
import { type DestinationState, isDown } from '../../domain/settings/destination.ts'
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
}

/** The traffic of one destination, and how far its parked events have been woken. */
export type DestinationLine = Traffic & { destination: Destination; waking: Waking }

export type Waking = {
  /** Events may be parked for the destination. */
  parked: boolean
  /** When this process last parked one. */
  parkedAt: number
  /** The destination responds: as many events are woken as it has room for. Otherwise one at a time, as a probe. */
  draining: boolean
  /** A statement that wakes events is in flight. */
  busy: boolean
  at: number
  /** Woken, and not claimed by this process yet. */
  unclaimed: number
  /** The last statement found fewer events than it asked for. */
  wasShort: boolean
  timer: { cancel(): void } | null
}

export function notWaking(): Waking {
  const at = Number.NEGATIVE_INFINITY
  const nothing = { parked: false, draining: false, busy: false, wasShort: false, unclaimed: 0, timer: null }
  return { ...nothing, at, parkedAt: at }
}

export type Recovery = {
  /** An event was parked for the destination. */
  onParked(line: DestinationLine): void
  /** An event was admitted, or a send has ended. */
  onChange(line: DestinationLine): void
  /** A send has shown the destination to be up. `isFirst`: it is the first one since the destination was down. */
  onSuccess(line: DestinationLine, claim: ReadyClaim, isFirst: boolean): void
  /** Claims the probe of a destination that is down, if it may be probed now. */
  claimProbe(line: DestinationLine): Promise<boolean>
  /** The channels were reloaded: finds the ones that were resumed, or that another process has found up. */
  onReload(lineOf: (destination: Destination) => DestinationLine): void
  /** Wakes events that were parked for a destination which is no longer the default. */
  wakeSlice(channelId: string): void
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
  const seen = new Map<string, { status: ChannelStatus; state: DestinationState }>()
  let lineOf: ((destination: Destination) => DestinationLine) | null = null

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

  async function wakeFor({ destination, waking }: DestinationLine, limit: number): Promise<void> {
    waking.busy = true
    waking.at = clock.now()
    const woken = await wake(destination.id, limit, waking.draining ? 'due' : 'wake')
    waking.busy = false
    waking.unclaimed = woken ?? 0
    waking.wasShort = woken !== null && woken < limit
    // None is left. The next event that is parked, or delivered after it was parked, starts again.
    if (waking.wasShort && Math.abs(waking.at - waking.parkedAt) > PARK_MS) {
      waking.parked = false
      waking.draining = false
    }
  }

  async function claimProbe({ destination, breaker }: DestinationLine): Promise<boolean> {
    const now = clock.now()
    const isDue = breaker.allowance(now) === 0 && breaker.probeAt(now)! <= now
    if (!isDue || destination.status !== 'ACTIVE') return false
    // That it is down could not be stored: the other processes send to it.
    if (!isDown(states.of(destination.id), now)) {
      breaker.onRecovered()
      return true
    }
    const until = now + (onWoken === null ? UNRENEWED_PROBE_MS : PROBE_MS)
    const isClaimed = await states.claimProbe(destination.id, until)
    if (isClaimed) breaker.onProbe(until)
    return isClaimed
  }

  /** Sends the probe: one parked event is woken, by the only process that may. */
  async function probe(line: DestinationLine): Promise<void> {
    line.waking.busy = true
    const isClaimed = await claimProbe(line)
    line.waking.busy = false
    if (!isClaimed) return
    await wakeFor(line, 1)
    const { waking, waiting, inFlight, destination, breaker } = line
    if (waking.unclaimed + waiting.length + inFlight > 0 || !breaker.isProbing()) return
    // Another process may hold the only message, or be parking it.
    const from = clock.now() + CLAIM_MS
    if (await states.moveProbe(destination.id, from)) {
      const state = states.of(destination.id)
      if (isDown(state, clock.now())) breaker.onDown(clock.now(), state)
    }
  }

  async function renewProbe({ destination, breaker }: DestinationLine, now: number): Promise<void> {
    const { nextProbeAt } = states.of(destination.id)
    if (nextProbeAt === null || nextProbeAt - now > PROBE_MS / 2) return
    const until = now + PROBE_MS
    if ((await states.moveProbe(destination.id, until)) && breaker.isProbing()) breaker.onProbe(until)
  }

  function step(line: DestinationLine): void {
    const { destination, waking, breaker } = line
    // Also while the breaker is closed: this process may have met the outage once or twice only.
    if (!waking.parked || destination.status === 'DISABLED') return
    const now = clock.now()
    if (onWoken !== null && breaker.isProbing() && line.inFlight > 0) void renewProbe(line, now)
    // Math.abs: the clock may have been set back.
    const isSoon = Math.abs(now - waking.at) < CLAIM_MS && (waking.unclaimed > 0 || waking.wasShort)
    if (!waking.busy && !isSoon) {
      const room = Math.min(SLICE, roomFor(destination, line, now))
      // While half-open, a probe that another process has claimed leaves no trace here: another one is woken.
      const isIdle = onWoken !== null && line.waiting.length + line.inFlight === 0
      if (waking.draining && room > 0) void wakeFor(line, room)
      else if (room > 0 && isIdle) void wakeFor(line, 1)
      else if (onWoken !== null && breaker.allowance(now) === 0) void probe(line)
    }
    schedule(line, now)
  }

  /** Looks again when the next probe is due, and every 2 s whether the channel was resumed or another process found it up. */
  function schedule(line: DestinationLine, now: number): void {
    const { waking, breaker } = line
    if (onWoken === null || waking.timer !== null) return
    const dueMs = (breaker.probeAt(now) ?? Infinity) - now
    // A probe that is due and was not woken waits for a statement or a resumed channel: never look again at once.
    const probeMs = waking.draining || dueMs <= 0 ? CLAIM_MS : dueMs
    waking.timer = clock.after(Math.min(probeMs, RELOAD_MS), () => {
      waking.timer = null
      destinations
        .refresh()
        .catch((error) =>
          telemetry({ kind: 'error', operation: 'load-channels', error, retryInMs: RELOAD_MS }),
        )
        .then(() => {
          if (lineOf !== null) onReload(lineOf)
          step(line)
        })
    })
  }

  function onReload(findLine: (destination: Destination) => DestinationLine): void {
    lineOf = findLine
    for (const destination of destinations.list()) {
      const { id, status } = destination
      const state = states.of(id)
      const before = seen.get(id)
      if (destination.hasParked) {
        destination.hasParked = false
        onParked(findLine(destination))
      }
      if (before?.status === status && isSame(before.state, state)) continue
      seen.set(id, { status, state })
      const line = findLine(destination)
      if (isDown(state, clock.now())) {
        line.breaker.onDown(clock.now(), state)
        line.waking.draining = false
      } else if (before !== undefined && status === 'ACTIVE') {
        line.breaker.onRecovered()
        line.waking.parked = true
        line.waking.draining = true
      }
      // This process has just started: the events of an outage or a pause may be parked. While it is paused, the event is parked
      // again, and this process looks every 2 s whether it was resumed.
      if (before === undefined && status !== 'DISABLED' && onWoken !== null) void wake(id, 1, 'wake')
      step(line)
    }
  }

  function onParked(line: DestinationLine): void {
    line.waking.parked = true
    line.waking.parkedAt = clock.now()
    // It is down again.
    if (line.breaker.state() === 'open') line.waking.draining = false
    step(line)
  }

  return {
    onParked,
    onChange: step,
    claimProbe,
    onSuccess({ destination, waking }, { parkCount }, isFirst) {
      if (isFirst) states.markUp(destination.id, clock.now())
      if (isFirst || parkCount > 0) {
        waking.parked = true
        waking.draining = true
      }
    },
    onReload,
    wakeSlice: (channelId) => void wake(channelId, SLICE, 'due'),
  }
}

function isSame(one: DestinationState, other: DestinationState): boolean {
  return one.nextProbeAt === other.nextProbeAt && one.recoveredAt === other.recoveredAt
}
