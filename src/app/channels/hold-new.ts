// A channel that is created while an operator holds all channels is held too.
import { INBOX_CHANNEL } from '../../domain/settings/channel.ts'
import { statusesOf } from '../../domain/settings/channel-status.ts'
import type { DestinationStore, SettingsStore } from '../../ports/store.ts'

/** Holds the channel until the end of the hold if no other channel sends. The inbox is stopped by an operator alone. */
export async function holdLikeOthers(
  store: Pick<SettingsStore, 'listChannels'> & DestinationStore,
  channelId: string,
  now: number,
): Promise<void> {
  const [channels, destinations] = await Promise.all([store.listChannels(), store.listDestinations()])
  if (statusesOf({ channels, destinations }, now).some(({ status }) => status === 'ACTIVE')) return
  const { heldUntil, heldBy } = destinations.find((one) => one.channelId === INBOX_CHANNEL)!
  await store.holdDestination({ channelId, heldAt: now, heldUntil, heldBy })
}
