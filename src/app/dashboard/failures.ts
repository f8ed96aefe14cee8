// Groups failures by channel and reason, with their times. Only reads, and caches the counts for a short time.
import { defaultChannel } from '../../domain/settings/channel.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FailureCount, Store } from '../../ports/store.ts'
import { type Cached, cached } from '../cached.ts'

export type FailureGroup = {
  /** The channel that would send these events now; null if there is no stored channel. */
  channelId: string | null
  reason: string
  count: number
  oldestAt: number
  newestAt: number
  /** The last 24 hours, oldest first. */
  byHour: number[]
}

const SPAN_MS = 30 * DAY_MS
const MIN_TTL_MS = 1_000

export type FailuresReader = () => Promise<Cached<FailureGroup[]>>

/** Reads the failures of the last 30 days, largest group first. */
export function createFailuresReader({ store, clock }: { store: Store; clock: Clock }): FailuresReader {
  const counted = cached(clock, MIN_TTL_MS, () =>
    store.countFailures({ from: clock.now() - SPAN_MS, now: clock.now() }),
  )
  return async () => {
    const [{ at, value }, channels] = await Promise.all([counted(), store.listChannels()])
    return { at, value: groupFailures(value, defaultChannel(channels)?.id ?? null) }
  }
}

function groupFailures(counts: readonly FailureCount[], byDefault: string | null): FailureGroup[] {
  const groups = new Map<string, FailureGroup>()
  for (const { reason, hoursAgo, count, oldestAt, newestAt, ...one } of counts) {
    const channelId = one.channelId ?? byDefault
    const key = `${channelId} ${reason}`
    const group = groups.get(key) ?? {
      channelId,
      reason,
      count: 0,
      oldestAt,
      newestAt,
      byHour: new Array<number>(24).fill(0),
    }
    group.count += count
    group.oldestAt = Math.min(group.oldestAt, oldestAt)
    group.newestAt = Math.max(group.newestAt, newestAt)
    if (hoursAgo < 24) group.byHour[23 - Math.max(0, hoursAgo)]! += count
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => b.count - a.count)
}

/** The stored channel ids of events that `channel` sends now. Null is the id of events that use the default channel. */
export async function channelIdsOf(store: Store, channel: string): Promise<(string | null)[]> {
  const byDefault = defaultChannel(await store.listChannels())
  if (channel === 'default') return byDefault === null ? [null] : [null, byDefault.id]
  return channel === byDefault?.id ? [null, channel] : [channel]
}
