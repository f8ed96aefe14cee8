// The channels that do not send, with the number of messages that wait for each: held, disabled, or with a destination that is
// down. Only reads.
import { BUILT_IN } from '../../domain/settings/channel.ts'
import {
  defaultChannelId,
  type StoppedChannel,
  stoppedChannels,
} from '../../domain/settings/channel-status.ts'
import { isDown } from '../../domain/settings/destination.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DashboardStore, DestinationStore, SettingsStore } from '../../ports/store.ts'
import { type Cached, cached } from '../cached.ts'
import { channelNames } from '../events/channel-names.ts'

/** `since` and `nextProbeAt` are set for a destination that is down; its reason is the last error. */
export type StoppedCount = Omit<StoppedChannel, 'status'> & {
  status: StoppedChannel['status'] | 'DOWN'
  since: number | null
  nextProbeAt: number | null
  isDefault: boolean
  waiting: number
}

type Deps = {
  store: Pick<DashboardStore, 'countWaiting'> &
    Pick<SettingsStore, 'listChannels'> &
    Pick<DestinationStore, 'listDestinations'>
  clock: Clock
  onDemand?: boolean
  hasHandlers?: boolean | undefined
}

const MIN_TTL_MS = 1_000

const keyOf = ({ id, isDefault }: { id: string; isDefault: boolean }) => `${id} ${isDefault}`

/** The statuses are current, so that a released channel is gone at once. Only the counts are cached. */
export function createStoppedReader(deps: Deps): () => Promise<StoppedCount[]> {
  const { store } = deps
  const counters = new Map<string, () => Promise<Cached<number>>>()
  return async () => {
    const stopped = await readStopped(deps)
    for (const key of counters.keys())
      if (!stopped.some((channel) => keyOf(channel) === key)) counters.delete(key)
    const counted = await Promise.all(
      stopped.map(async (channel) => {
        const key = keyOf(channel)
        const count =
          counters.get(key) ??
          cached(deps, MIN_TTL_MS, () =>
            store.countWaiting({
              channelId: channel.id,
              isDefault: channel.isDefault,
              now: deps.clock.now(),
            }),
          )
        counters.set(key, count)
        return { ...channel, waiting: (await count()).value }
      }),
    )
    // This installation plans no messages for a built-in channel that is not the default.
    return counted.filter(({ id, waiting, isDefault }) => waiting > 0 || isDefault || !BUILT_IN.has(id))
  }
}

async function readStopped({ store, clock, hasHandlers }: Deps): Promise<Omit<StoppedCount, 'waiting'>[]> {
  const [channels, destinations] = await Promise.all([store.listChannels(), store.listDestinations()])
  const nameOf = channelNames(channels)
  const now = clock.now()
  const inactive = stoppedChannels({ channels, destinations }, now).map((one) => ({
    ...one,
    since: null,
    nextProbeAt: null,
  }))
  const down = destinations
    .filter((state) => isDown(state, now))
    // A channel that was removed has only its id for a name.
    .filter(({ channelId: id }) => nameOf(id) !== id && !inactive.some((one) => one.id === id))
    .map(({ channelId: id, downSince: since, nextProbeAt, lastError: statusReason }) => {
      const hold = { heldUntil: null, heldBy: null }
      return { id, name: nameOf(id)!, status: 'DOWN' as const, statusReason, ...hold, since, nextProbeAt }
    })
  const byDefault = defaultChannelId(channels, hasHandlers)
  return [...inactive, ...down].map((one) => ({ ...one, isDefault: one.id === byDefault }))
}
