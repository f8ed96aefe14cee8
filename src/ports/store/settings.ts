// Settings: channels, templates, API keys, sessions, calendar feeds, and the timezone rules that events were planned by.

import type { Feed } from '../../domain/feeds/feed.ts'
import type { Template } from '../../domain/messages/template.ts'
import type { ApiKey } from '../../domain/settings/api-key.ts'
import type { ChannelRecord, ChannelStatus } from '../../domain/settings/channel.ts'
import type { Session } from '../../domain/settings/session.ts'

type ChannelStatusChange = {
  id: string
  from: ChannelStatus
  to: ChannelStatus
  reason: string | null
  at: number
}

/** A timezone as this database knows it: the rules and the release that its events were last planned by. */
export type ZoneRecord = {
  name: string
  /** In the form of the timezone table. */
  rules: string
  version: string
  /** The rules before the last change, and their release; null if they never changed. */
  previousRules: string | null
  previousVersion: string | null
  changedAt: number | null
  /** How far a replan in parts has come: src/app/timezones/replan-cursor.ts. Null if none was begun since the last change. */
  replanCursor: string | null
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

  /** Whether an occasion names the channel, or an open event was last sent to it. */
  isChannelUsed(channelId: string): Promise<boolean>

  /** Records that a receiver made us pause or disable a channel. False if its status is no longer `from`. */
  setChannelStatus(change: ChannelStatusChange): Promise<boolean>

  /** Records that a destination responds again, so that every process sends to it. Leaves the version as it is. */
  markRecovered(id: string, at: number): Promise<void>

  listTemplates(): Promise<Template[]>

  /** Version 1 creates; a later version replaces the one before it. `conflict`: it was changed meanwhile. */
  saveTemplate(template: Template): Promise<'saved' | 'conflict'>

  /** False if it does not exist. */
  removeTemplate(of: { type: string; language: string }): Promise<boolean>

  listApiKeys(): Promise<ApiKey[]>

  /** False if a key with that hash exists. */
  createApiKey(key: ApiKey): Promise<boolean>

  /** False if it does not exist or was revoked before. */
  revokeApiKey(id: string, at: number): Promise<boolean>

  /** Records when keys were last used. */
  touchApiKeys(used: readonly { id: string; at: number }[]): Promise<void>

  listSessions(): Promise<Session[]>

  createSession(session: Session): Promise<void>

  /** False if it does not exist. */
  removeSession(id: string): Promise<boolean>

  /** Records when sessions were last used. Never moves the time back, and never brings a removed session back. */
  touchSessions(used: readonly { id: string; at: number }[]): Promise<void>

  /** Removes sessions last used, or created, before an instant, and returns how many. */
  removeOldSessions(before: { lastUsed: number; created: number }): Promise<number>

  listFeeds(): Promise<Feed[]>

  /** False if the feed's user does not exist. */
  createFeed(feed: Feed): Promise<boolean>

  findFeed(tokenHash: string): Promise<Feed | null>

  /** False if it does not exist. */
  removeFeed(feedId: string): Promise<boolean>

  listZones(): Promise<ZoneRecord[]>

  /** Writes all of the zones. With `onlyNew`, a zone that is recorded already keeps its record. */
  saveZones(zones: readonly ZoneRecord[], how: { at: number; onlyNew?: boolean }): Promise<void>

  /** Saves how far a replan has come in a zone, if the zone still has the rules of that release. */
  saveReplanCursor(zone: Pick<ZoneRecord, 'name' | 'version' | 'replanCursor'>): Promise<void>
}
