// Settings that messages are sent by: channels and templates.
import type { Template } from '../../domain/messages/template.ts'
import type { ChannelRecord, ChannelStatus } from '../../domain/settings/channel.ts'

type ChannelStatusChange = {
  id: string
  from: ChannelStatus
  to: ChannelStatus
  reason: string | null
  at: number
}

export type SettingsStore = {
  listChannels(): Promise<ChannelRecord[]>

  /**
   * Version 1 creates; a later version replaces the one before it. `conflict`: the channel was changed meanwhile.
   * `taken`: another channel has that name.
   */
  saveChannel(channel: ChannelRecord): Promise<'saved' | 'conflict' | 'taken'>

  /**
   * Removes the channel if it still has this version. `in-use`: an occasion names it, or an open event was last sent to it.
   * `conflict`: the channel was changed or removed meanwhile.
   */
  removeChannel(channel: { id: string; version: number }): Promise<'removed' | 'conflict' | 'in-use'>

  /** Records that a receiver made us hold or disable a channel. False if its status is no longer `from`. */
  setChannelStatus(change: ChannelStatusChange): Promise<boolean>

  listTemplates(): Promise<Template[]>

  /** Version 1 creates; a later version replaces the one before it. `conflict`: it was changed meanwhile. */
  saveTemplate(template: Template): Promise<'saved' | 'conflict'>

  /** False if it does not exist. */
  removeTemplate(of: { type: string; language: string }): Promise<boolean>
}
