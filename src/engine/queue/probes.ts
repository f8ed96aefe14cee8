// The probes of a home without timers: its scheduler wakes them.
import type { Clock } from '../../ports/clock.ts'
import type { EventStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Destination, Destinations } from '../deliver/destinations.ts'

type ProbeDeps = {
  store: Pick<EventStore, 'wakeParked'>
  clock: Clock
  telemetry: Telemetry
  destinations: Destinations
}

/** Wakes one event of each destination, as a probe. Returns how many were woken. */
export async function wakeProbes(deps: ProbeDeps): Promise<number> {
  const { store, clock, telemetry, destinations } = deps
  let woken = 0
  const isDue = ({ id }: Destination) => destinations.states.isProbeDue(id, clock.now())
  const active = destinations.list().filter((one) => one.status === 'ACTIVE' && isDue(one))
  for (const { id: channelId } of active) {
    try {
      woken += await store.wakeParked({ channelId, limit: 1, by: 'wake', now: clock.now() })
    } catch (error) {
      telemetry({ kind: 'error', operation: 'wake-parked', error, retryInMs: 60_000, channelId })
      break
    }
  }
  return woken
}
