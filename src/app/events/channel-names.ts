// The names of the channels that events and attempts record.
import { BUILT_IN, type ChannelRecord, NO_CHANNEL } from '../../domain/settings/channel.ts'
import type { SettingsStore } from '../../ports/store.ts'

/** The name of a recorded channel; its id if the channel is gone, null if none is recorded. */
export type ChannelNames = (channelId: string | null) => string | null

export async function readChannelNames(store: Pick<SettingsStore, 'listChannels'>): Promise<ChannelNames> {
  return channelNames(await store.listChannels())
}

export function channelNames(channels: readonly ChannelRecord[]): ChannelNames {
  const names = new Map([
    ...BUILT_IN,
    [NO_CHANNEL, 'none'],
    ...channels.map(({ id, name }) => [id, name] as const),
  ])
  return (channelId) => (channelId === null ? null : (names.get(channelId) ?? channelId))
}
