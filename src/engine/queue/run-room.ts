// How many events of each destination one run of the scheduler hands over. It parks the others: a consumer would park each by itself,
// and the events of other destinations would wait behind them.
import { isDown } from '../../domain/settings/destination.ts'
import type { ReadyClaim } from '../../ports/claim.ts'
import { type Parking, parkPaused, type Traffic } from '../deliver/admission.ts'
import type { Destination } from '../deliver/destinations.ts'
import type { EngineDeps } from '../engine-deps.ts'

export type RunRoom = {
  /** Counts the event. Returns how to park it if its destination has no room left in this run. */
  park(claim: ReadyClaim, now: number): Parking | null
}

/** The time between two runs. */
const RUN_MS = 60_000
/** Of a destination that is down: one of them is the probe. */
const PROBES = 10

type Handed = Pick<Traffic, 'reservedUntil'> & { count: number }

export function createRunRoom({ destinations, dice }: Pick<EngineDeps, 'destinations' | 'dice'>): RunRoom {
  const handed = new Map<string, Handed>()

  function mostOf({ id, limits: { perSecond } }: Destination, now: number): number {
    if (isDown(destinations.states.of(id), now)) return PROBES
    return perSecond === null ? Infinity : (perSecond * RUN_MS) / 1_000
  }

  return {
    park(claim, now) {
      const destination = destinations.of(claim.occasion.channelId)
      const traffic = handed.get(destination.id) ?? { reservedUntil: now + RUN_MS, count: 0 }
      handed.set(destination.id, traffic)
      traffic.count += 1
      if (traffic.count <= mostOf(destination, now)) return null
      const { perSecond } = destination.limits
      if (perSecond === null) return parkPaused(claim, destination, { now, dice })
      traffic.reservedUntil += 1_000 / perSecond
      return {
        kind: 'park',
        until: Math.ceil(traffic.reservedUntil),
        hasTurn: true,
        of: { destination, traffic },
      }
    },
  }
}
