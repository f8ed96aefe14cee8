// Claims the probes of destinations that are down: one worker at a time sends one message, to find out whether it is up again.
import type { LaneLimits } from '../../domain/events/lane.ts'
import { isDown } from '../../domain/settings/destination.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Destination, Destinations } from './destinations.ts'
import { isBlocked, lanesOf, type Traffic } from './lanes.ts'

export type Probes = {
  /** Claims the probes that are due of destinations for which an event waits. Call it before each claim. */
  claimProbes(hasDue: (destination: Destination, lanes: LaneLimits) => Promise<boolean>): Promise<void>
  /** After a claim: lets another process send the probes for which this one found no event. */
  returnProbes(): Promise<void>
  /** When to look again: the next probe, or `every` ms from now while a lane is closed; infinity while all are open. */
  nextLookAt(now: number, every: number): number
}

/**
 * How long one process may probe a destination before another may. The claim is renewed while the probe is in flight: the
 * destination waits no longer than this for a process that was killed.
 */
export const PROBE_MS = 10_000
/** Where no timer renews the claim: longer than a request takes by default. */
export const UNRENEWED_PROBE_MS = 60_000
/** A probe that found no message is claimed again so much later. */
const NOTHING_DUE_MS = 1_000

export function createProbes(deps: {
  destinations: Destinations
  clock: Clock
  types?: readonly string[] | undefined
  /** How long another process leaves a claimed probe to this one. */
  probeMs: number
  trafficOf: (destination: Destination) => Traffic
}): Probes {
  const { destinations, clock, types, probeMs, trafficOf } = deps
  const { states } = destinations
  const isAnyHeld = (destination: Destination) => {
    const { waiting, inFlight } = trafficOf(destination)
    return waiting.length + inFlight > 0
  }

  return {
    async claimProbes(hasDue) {
      for (const destination of destinations.list()) {
        const { id, status } = destination
        const now = clock.now()
        if (states.isProber(id, now)) {
          if (isAnyHeld(destination)) await states.renewProbe(id, now, probeMs)
          continue
        }
        if (status !== 'ACTIVE' || !isDown(states.of(id), now) || !states.isProbeDue(id, now)) continue
        const lanes = lanesOf(destination, { byDefault: destinations.of(null), types, limit: 1 })
        // Asked first: a destination to which nothing is sent is not written for.
        if (isAnyHeld(destination) || (await hasDue(destination, lanes)))
          await states.claimProbe(id, clock.now(), probeMs)
      }
    },

    async returnProbes() {
      const now = clock.now()
      for (const destination of destinations.list())
        if (states.isProber(destination.id, now) && !isAnyHeld(destination))
          await states.returnProbe(destination.id, now + NOTHING_DUE_MS)
    },

    nextLookAt(now, every) {
      let at = Number.POSITIVE_INFINITY
      for (const destination of destinations.list()) {
        const state = states.of(destination.id)
        const probeAt = destination.status === 'ACTIVE' && isDown(state, now) ? state.nextProbeAt : null
        if (probeAt === null && !isBlocked(destination, trafficOf(destination), now)) continue
        at = Math.min(at, now + every, probeAt !== null && probeAt > now ? probeAt : Number.POSITIVE_INFINITY)
      }
      return at
    },
  }
}
