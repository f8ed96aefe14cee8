// Settings are in the registry. The feed of a person, and the timezone rules that events were planned by, are in the shards.
import { isNewer } from '../../domain/time/tz-difference.ts'
import type { SettingsStore, Store, ZoneRecord } from '../../ports/store.ts'
import type { Routes } from './routes.ts'
import { compareText } from './user-order.ts'

type Sharded = Pick<
  SettingsStore,
  | ('removeChannel' | 'isChannelUsed')
  | ('listFeeds' | 'createFeed' | 'findFeed' | 'removeFeed')
  | ('listZones' | 'saveZones')
>

export function settingsOperations(registry: Store, { of, each }: Routes): Sharded {
  const isChannelUsed = async (channelId: string) =>
    (await each((store) => store.isChannelUsed(channelId))).includes(true)
  return {
    isChannelUsed,
    // An occasion that begins to name the channel between the two steps has an unknown channel afterwards.
    removeChannel: async (channel, at) =>
      (await isChannelUsed(channel.id)) ? 'in-use' : registry.removeChannel(channel, at),

    async listFeeds() {
      const feeds = [await registry.listFeeds(), ...(await each((store) => store.listFeeds()))]
      return feeds.flat().sort((a, b) => compareText(a.id, b.id))
    },
    createFeed: (feed) => (feed.userId === null ? registry : of(feed.userId)).createFeed(feed),
    async findFeed(tokenHash) {
      const shared = await registry.findFeed(tokenHash)
      if (shared !== null) return shared
      const found = await each((store) => store.findFeed(tokenHash))
      return found.find((feed) => feed !== null) ?? null
    },
    removeFeed: async (feedId) => (await registry.removeFeed(feedId)) || of(feedId).removeFeed(feedId),

    listZones: async () => leastNew((await each((store) => store.listZones())).flat()),
    async saveZones(zones, how) {
      await each((store) => store.saveZones(zones, how))
    },
  }
}

/** Of each timezone the record of the shard that is furthest behind: its events are still to be replanned. */
function leastNew(zones: readonly ZoneRecord[]): ZoneRecord[] {
  const byName = new Map<string, ZoneRecord>()
  for (const zone of zones) {
    const known = byName.get(zone.name)
    if (known === undefined || isNewer(known.version, zone.version)) byName.set(zone.name, zone)
  }
  return [...byName.values()].sort((a, b) => compareText(a.name, b.name))
}
