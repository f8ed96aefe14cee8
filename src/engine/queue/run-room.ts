// How many events of each destination one run of the scheduler hands over. It parks the others: a consumer would park each by itself,
// and the events of other destinations would wait behind them.
import { isDown } from '../../domain/settings/destination.ts'
import type { ReadyClaim } from '../../ports/claim.ts'
import { type Parking, parkUnsent } from '../deliver/admission.ts'
import type { Destination } from '../deliver/destinations.ts'
import type { EngineDeps } from '../engine-deps.ts'

export type RunRoom = {
  /** Counts the event. Returns how to park it if its destination has no room left in this run. */
  park(claim: ReadyClaim, now: number): Parking | null
}

/** How many messages a limited destination takes until the next run, a minute later. */
export const perRun = (perSecond: number) => 60 * perSecond

/** Parked events that no run wakes are claimed after so long. */
const UNWOKEN_MS = 240_000
/** Of a destination that is down: one of them is the probe. */
const PROBES = 10

export function createRunRoom({ destinations, dice }: Pick<EngineDeps, 'destinations' | 'dice'>): RunRoom {
  const handed = new Map<string, number>()

  function mostOf({ id, limits: { perSecond } }: Destination, now: number): number {
    if (isDown(destinations.states.of(id), now)) return PROBES
    return perSecond === null ? Infinity : perRun(perSecond)
  }

  return {
    park(claim, now) {
      const destination = destinations.of(claim.occasion.channelId)
      const count = (handed.get(destination.id) ?? 0) + 1
      handed.set(destination.id, count)
      if (count <= mostOf(destination, now)) return null
      const parking = parkUnsent(claim, destination, { now, dice })
      return isDown(destinations.states.of(destination.id), now)
        ? parking
        : { ...parking, until: now + UNWOKEN_MS, forLimit: true }
    },
  }
}
