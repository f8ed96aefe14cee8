// What is ready to be sent, a line for each destination. Lets out what the destination can bear, and says of the rest when
// it is to come back: an outage or a limit holds up neither the other destinations nor the store's own queue.
import type { Dice } from '../../ports/clock.ts'
import type { Ready } from '../claim.ts'
import {
  type Breaker,
  type BreakerSettings,
  type BreakerState,
  createBreaker,
  type Failure,
} from './circuit-breaker.ts'
import type { Destination, Destinations } from './destinations.ts'
import { createRate, type Rate } from './rate-limiter.ts'

export type Verdict =
  | { kind: 'wait' }
  /** Give it back; it can be taken again from then on. */
  | { kind: 'park'; until: number }
  /** The channel is switched off. */
  | { kind: 'refuse' }

/** How a send ended for its destination. `lost` says nothing of it. */
export type End = { kind: 'success' } | { kind: 'lost' } | ({ kind: 'failure' } & Failure)

export type Outbox = {
  /** Says what to do with each, in turn: it stands in line here, or it is not to be kept. */
  admit(ready: Ready, now: number): Verdict
  /** The next that may go, or null for none now. */
  next(now: number): Ready | null
  /** When another may go although nothing ends before; null if that does not depend on time. */
  nextAt(now: number): number | null
  /** What stands in line for destinations that are not to be sent to any more, and until when it is parked. */
  turnedAway(now: number): { ready: Ready; verdict: Verdict }[]
  /** One that was let out has ended. */
  onEnd(ready: Ready, end: End, now: number): BreakerState
  /** For an attempt that failed with its destination: when to try again. */
  parkUntil(ready: Ready, now: number): number
  /** All that stands in line, oldest first. */
  empty(): Ready[]
}

/**
 * What is parked with a destination that is down or paused is looked at again this soon, and less and less often the longer
 * it lasts, by about an eighth of it: a million that wait for a day must not wear out the database.
 */
const PARKED_MS = 30_000
const LONGEST_PARKED_MS = 300_000
/** How much of a slow destination's line is kept in hand, in seconds of its own pace. */
const IN_HAND_S = 5

type Line = {
  /** As it was known when it was last spoken of. */
  destination: Destination
  waiting: Ready[]
  underWay: number
  breaker: Breaker
  rate: Rate
  /** Up to when those given back for its rate have their turns. */
  reservedUntil: number
  /** The state of the breaker that was last told. */
  told: BreakerState
}

export function createOutbox(deps: {
  destinations: Destinations
  dice: Dice
  breaker: BreakerSettings
  onBreaker: (destination: Destination, state: BreakerState) => void
}): Outbox {
  const lines = new Map<string, Line>()
  /** What is under way, and where it went: the default may be another by the time it ends. */
  const letOut = new WeakMap<Ready, Line>()
  let defaultId = deps.destinations.of(null).id

  const destinationOf = ({ claim }: Ready) => deps.destinations.of(claim.occasion.channelId)

  function lineOf(destination: Destination): Line {
    let line = lines.get(destination.id)
    if (line === undefined) {
      line = {
        destination,
        waiting: [],
        underWay: 0,
        breaker: createBreaker(deps.breaker),
        rate: createRate(),
        reservedUntil: 0,
        told: 'closed',
      }
      lines.set(destination.id, line)
    }
    line.destination = destination
    return line
  }

  /** What stands in line for the default, and names no channel, goes over when another becomes the default. */
  function followDefault(): void {
    const { id } = deps.destinations.of(null)
    if (id === defaultId) return
    defaultId = id
    const moving: Ready[] = []
    for (const line of lines.values()) {
      const namesNone = ({ claim }: Ready) => claim.occasion.channelId === null
      moving.push(...line.waiting.filter(namesNone))
      line.waiting = line.waiting.filter((ready) => !namesNone(ready))
    }
    for (const ready of moving) lineOf(destinationOf(ready)).waiting.push(ready)
  }

  function verdictOn(ready: Ready, destination: Destination, line: Line, now: number): Verdict {
    if (destination.status === 'DISABLED') return { kind: 'refuse' }
    if (destination.status === 'PAUSED') return { kind: 'park', until: whenResumed(ready, now) }
    const allowed = line.breaker.allowance(now)
    // While it is tried with few at a time, a few stand in line and the others come back.
    if (line.waiting.length + line.underWay >= 4 * allowed)
      return { kind: 'park', until: whenUp(ready, line, now) }
    const { perSecond, concurrency } = destination.limits
    if (perSecond !== null && line.waiting.length >= perSecond * IN_HAND_S) {
      line.reservedUntil = Math.max(line.reservedUntil, now + IN_HAND_S * 1000) + 1000 / perSecond
      return { kind: 'park', until: Math.ceil(line.reservedUntil) }
    }
    if (concurrency !== null && line.waiting.length >= concurrency * IN_HAND_S)
      return { kind: 'park', until: spread(now + 1_000, IN_HAND_S * 1000) }
    return { kind: 'wait' }
  }

  function tellChange(line: Line): void {
    const state = line.breaker.state()
    if (state === line.told) return
    line.told = state
    deps.onBreaker(line.destination, state)
  }

  function whenResumed(ready: Ready, now: number): number {
    const waitMs = longestParked(ready) / 2
    return spread(now + waitMs, waitMs)
  }

  /** Not for long: another process may find the destination well before we do. */
  function whenUp(ready: Ready, line: Line, now: number): number {
    const waitMs = Math.min(line.breaker.retryAt(now) - now, longestParked(ready) / 2)
    return spread(now + waitMs, waitMs)
  }

  function spread(from: number, overMs: number): number {
    return Math.ceil(from + overMs * deps.dice())
  }

  function mayGo(destination: Destination, line: Line, now: number): boolean {
    const { concurrency, perSecond } = destination.limits
    const most = Math.min(line.breaker.allowance(now), concurrency ?? Number.POSITIVE_INFINITY)
    // A channel that was stopped a moment ago: what stands in line for it is about to be turned away.
    if (destination.status !== 'ACTIVE') return false
    return line.waiting.length > 0 && line.underWay < most && line.rate.freeAt(perSecond, now) <= now
  }

  return {
    admit(ready, now) {
      followDefault()
      const destination = destinationOf(ready)
      const line = lineOf(destination)
      const verdict = verdictOn(ready, destination, line, now)
      tellChange(line)
      if (verdict.kind === 'wait') line.waiting.push(ready)
      return verdict
    },

    next(now) {
      followDefault()
      for (const [id, line] of lines) {
        if (line.waiting.length === 0) continue
        const destination = destinationOf(line.waiting[0]!)
        if (!mayGo(destination, line, now)) continue
        line.rate.onBegin(destination.limits.perSecond, now)
        line.underWay += 1
        const ready = line.waiting.shift()!
        letOut.set(ready, line)
        // To the end of the round: no destination goes before another twice.
        lines.delete(id)
        lines.set(id, line)
        return ready
      }
      return null
    },

    nextAt(now) {
      let least: number | null = null
      for (const line of lines.values()) {
        if (line.waiting.length === 0) continue
        const at = line.rate.freeAt(destinationOf(line.waiting[0]!).limits.perSecond, now)
        if (at > now && (least === null || at < least)) least = at
      }
      return least
    },

    turnedAway(now) {
      followDefault()
      const away: { ready: Ready; verdict: Verdict }[] = []
      for (const line of lines.values()) {
        if (line.waiting.length === 0) continue
        const destination = destinationOf(line.waiting[0]!)
        const closed = destination.status !== 'ACTIVE' || line.breaker.allowance(now) === 0
        if (!closed) continue
        for (const ready of line.waiting)
          away.push({ ready, verdict: verdictOn(ready, destination, line, now) })
        line.waiting = []
      }
      return away
    },

    onEnd(ready, end, now) {
      const line = letOut.get(ready) ?? lineOf(destinationOf(ready))
      // Once: whoever met trouble after it was told of the end tells it again.
      if (letOut.delete(ready)) line.underWay -= 1
      if (end.kind === 'success') line.breaker.onSuccess()
      else if (end.kind === 'failure') line.breaker.onFailure(now, end, line)
      tellChange(line)
      return line.breaker.state()
    },

    parkUntil(ready, now) {
      const destination = destinationOf(ready)
      return destination.status === 'PAUSED'
        ? whenResumed(ready, now)
        : whenUp(ready, lineOf(destination), now)
    },

    empty() {
      const all = [...lines.values()].flatMap(({ waiting }) => waiting)
      for (const line of lines.values()) line.waiting = []
      return all
    },
  }
}

/** The version tells how often it was taken and given back. */
function longestParked({ claim: { version } }: Ready): number {
  const times = Math.max(0, version / 2 - 5)
  return Math.min(PARKED_MS * 1.15 ** times, LONGEST_PARKED_MS)
}
