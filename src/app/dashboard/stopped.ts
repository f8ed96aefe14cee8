// The channels that do not send, with the number of events that wait for each. Only reads.
import { type StoppedChannel, stoppedChannels } from '../../domain/settings/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DashboardStore, SettingsStore } from '../../ports/store.ts'
import { type Cached, cached } from '../cached.ts'

export type StoppedCount = StoppedChannel & { waiting: number }

type Deps = {
  store: Pick<DashboardStore, 'countParked'> & Pick<SettingsStore, 'listChannels'>
  clock: Clock
  onDemand?: boolean
}

const MIN_TTL_MS = 1_000

/** The statuses are current, so that a resumed channel is gone at once. Only the counts are cached. */
export function createStoppedReader(deps: Deps): () => Promise<StoppedCount[]> {
  const { store } = deps
  const counters = new Map<string, () => Promise<Cached<number>>>()
  return async () => {
    const stopped = stoppedChannels(await store.listChannels())
    for (const id of counters.keys()) if (!stopped.some((channel) => channel.id === id)) counters.delete(id)
    return Promise.all(
      stopped.map(async (channel) => {
        const count =
          counters.get(channel.id) ?? cached(deps, MIN_TTL_MS, () => store.countParked(channel.id))
        counters.set(channel.id, count)
        return { ...channel, waiting: (await count()).value }
      }),
    )
  }
}
