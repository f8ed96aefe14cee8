// Groups failures by channel and reason, with their times. Only reads, and caches the counts for a short time.
import { defaultChannel, INBOX_CHANNEL, NO_CHANNEL } from '../../domain/settings/channel.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DashboardStore, FailureCount, SettingsStore } from '../../ports/store.ts'
import { type Cached, cached } from '../cached.ts'

export type FailureGroup = {
  /** The channel that they were sent to; null if it was not recorded. */
  channelId: string | null
  reason: string
  /** Failures without a replay. */
  count: number
  /** Failures whose replay is not settled yet. */
  replaying: number
  /** Failures that a replay delivered. */
  deliveredSince: number
  oldestAt: number
  newestAt: number
  /** All failures of the last 24 hours by hour, oldest first. */
  byHour: number[]
}

const SPAN_MS = 30 * DAY_MS
const MIN_TTL_MS = 1_000

type FailuresReader = () => Promise<Cached<FailureGroup[]>>

/** Reads the failures of the last 30 days, largest group first. */
export function createFailuresReader(deps: {
  store: Pick<DashboardStore, 'countFailures'>
  clock: Clock
  onDemand?: boolean
}): FailuresReader {
  const { store, clock } = deps
  const counted = cached(deps, MIN_TTL_MS, () =>
    store.countFailures({ from: clock.now() - SPAN_MS, now: clock.now() }),
  )
  return async () => {
    const { at, value } = await counted()
    return { at, value: groupFailures(value) }
  }
}

const COUNTED_AS = { unresolved: 'count', replaying: 'replaying', delivered: 'deliveredSince' } as const

function groupFailures(counts: readonly FailureCount[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>()
  for (const { channelId, reason, state, hoursAgo, count, oldestAt, newestAt } of counts) {
    const key = `${channelId} ${reason}`
    const group = groups.get(key) ?? {
      channelId,
      reason,
      count: 0,
      replaying: 0,
      deliveredSince: 0,
      oldestAt,
      newestAt,
      byHour: new Array<number>(24).fill(0),
    }
    group[COUNTED_AS[state]] += count
    group.oldestAt = Math.min(group.oldestAt, oldestAt)
    group.newestAt = Math.max(group.newestAt, newestAt)
    if (hoursAgo < 24) group.byHour[23 - Math.max(0, hoursAgo)]! += count
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => b.count - a.count)
}

/** The recorded channel ids that the filter `channel` stands for. Null is the id of events without a recorded channel. */
export async function channelIdsOf(
  store: Pick<SettingsStore, 'listChannels'>,
  channel: string,
): Promise<(string | null)[]> {
  if (channel === 'unknown') return [null]
  if (channel !== 'default') return [channel]
  const byDefault = defaultChannel(await store.listChannels())
  // Without a default channel events go to the inbox, or wait where there is none.
  return byDefault === null ? [null, INBOX_CHANNEL, NO_CHANNEL] : [null, byDefault.id]
}
