// What a run of the scheduler wakes: a home without timers has no worker that does.
import { isDown } from '../../domain/settings/destination.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Destination, Destinations } from '../deliver/destinations.ts'
import { perRun } from './run-room.ts'

type WakingDeps = {
  store: Pick<EventStore, 'wakeParked'>
  clock: Clock
  telemetry: Telemetry
  destinations: Destinations
}

/** Events in one statement. */
const SLICE = 10_000

/**
 * Wakes one event of each destination whose probe is due, and of each with a rate limit as many as it takes until the next run.
 * Returns how many probes were woken.
 */
export async function wakeForRun(deps: WakingDeps): Promise<number> {
  const { store, clock, telemetry, destinations } = deps
  let probes = 0
  for (const destination of destinations.list()) {
    const what = toWake(destinations, destination, clock.now())
    if (what === null) continue
    const { id: channelId } = destination
    try {
      const { limit, by } = what
      for (let left = limit; left > 0; left -= SLICE) {
        const woken = await store.wakeParked({
          channelId,
          now: clock.now(),
          by,
          limit: Math.min(left, SLICE),
        })
        if (by === 'wake') probes += woken
        if (woken < SLICE) break
      }
    } catch (error) {
      telemetry({ kind: 'error', operation: 'wake-parked', error, retryInMs: 60_000, channelId })
      break
    }
  }
  return probes
}

function toWake({ states }: Destinations, { id, status, limits: { perSecond } }: Destination, now: number) {
  if (status !== 'ACTIVE') return null
  if (perSecond !== null && !isDown(states.of(id), now))
    return { limit: Math.ceil(perRun(perSecond)), by: 'due' } as const
  return states.isProbeDue(id, now) ? ({ limit: 1, by: 'wake' } as const) : null
}
