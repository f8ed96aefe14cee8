// How a channel does: its status and that of its destination, the messages that wait, and the deliveries of the last 24 hours. The
// built-in channels have it too.
import { defaultChannelId, type NamedStatus, statusesOf } from '../../domain/settings/channel-status.ts'
import { isDown } from '../../domain/settings/destination.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DashboardStore, DestinationStore, SettingsStore } from '../../ports/store.ts'
import { type Cached, cached } from '../cached.ts'
import { percentiles, sumOf } from '../dashboard/today.ts'

type Deps = {
  store: Pick<DashboardStore, 'countWaiting' | 'countDeliveries'> &
    Pick<SettingsStore, 'listChannels'> &
    Pick<DestinationStore, 'listDestinations' | 'claimProbe'>
  clock: Clock
  onDemand?: boolean
  hasHandlers?: boolean | undefined
}

type Figures = {
  waiting: number
  delivered: number
  failed: number
  /** Of the delivered messages; null without any. */
  latency: { p50Ms: number; p95Ms: number } | null
}

export type ChannelHealth = NamedStatus & {
  isDefault: boolean
  /** Set while its destination is down. */
  downSince: number | null
  lastError: string | null
  nextProbeAt: number | null
  countedAt: number
  figures: Figures
}

const MIN_TTL_MS = 1_000

/** The status is current, the figures are cached. Null for an unknown channel. */
export function createHealthReader(deps: Deps): (id: string) => Promise<ChannelHealth | null> {
  const { store, clock } = deps
  const readers = new Map<string, () => Promise<Cached<Figures>>>()
  return async (id) => {
    const [channels, destinations] = await Promise.all([store.listChannels(), store.listDestinations()])
    const now = clock.now()
    const status = statusesOf({ channels, destinations }, now).find((one) => one.id === id)
    if (status === undefined) return null
    const read =
      readers.get(id) ??
      cached(deps, MIN_TTL_MS, () =>
        readFigures(deps, id, defaultChannelId(channels, deps.hasHandlers) === id),
      )
    readers.set(id, read)
    const { at, value } = await read()
    const down = destinations.find((state) => state.channelId === id && isDown(state, now))
    return {
      ...status,
      isDefault: defaultChannelId(channels, deps.hasHandlers) === id,
      downSince: down?.downSince ?? null,
      lastError: down?.lastError ?? null,
      nextProbeAt: down?.nextProbeAt ?? null,
      countedAt: at,
      figures: value,
    }
  }
}

async function readFigures({ store, clock }: Deps, id: string, isDefault: boolean): Promise<Figures> {
  const [waiting, settled] = await Promise.all([
    store.countWaiting({ channelId: id, isDefault, now: clock.now() }),
    store.countDeliveries(id, clock.now()),
  ])
  const { delivered = [], failed = [] } = Object.groupBy(settled, ({ isDelivered }) =>
    isDelivered ? 'delivered' : 'failed',
  )
  return {
    waiting,
    delivered: sumOf(delivered),
    failed: sumOf(failed),
    latency: percentiles(delivered.map(({ tookMs, count }) => [tookMs, count])),
  }
}

/** Makes the next probe of a destination that is down due now. Nothing to do for one that is up, or that a worker is about to probe. */
export async function probeChannel({ store, clock }: Deps, channelId: string): Promise<void> {
  const now = clock.now()
  const state = (await store.listDestinations()).find((one) => one.channelId === channelId)
  if (state === undefined || !isDown(state, now) || state.nextProbeAt <= now) return
  // False if a worker moved the probe since: it is probing.
  await store.claimProbe({ channelId, seen: state.nextProbeAt, until: now })
}
