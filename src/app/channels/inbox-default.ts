// Makes the built-in inbox the default again, which it is while no channel is the default.
import { type ChannelsDeps, changeChannel } from './channels.ts'

export async function makeInboxDefault(deps: ChannelsDeps): Promise<void> {
  const channels = (await deps.store.listChannels()).filter(({ defaultSince }) => defaultSince !== null)
  // The current default last: no other channel becomes the default in between.
  for (const { id } of channels.toSorted((a, b) => a.defaultSince! - b.defaultSince!))
    await changeChannel(deps, id, { isDefault: false, ifVersion: null })
}
