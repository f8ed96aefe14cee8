// Channels, templates, API keys, sessions and calendar feeds. Few rows, plain statements.
import { and, asc, eq, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import type { Feed } from '../../domain/feeds/feed.ts'
import type { ChannelRecord } from '../../domain/settings/channel.ts'
import type { AccessStore, FeedStore, SettingsStore, ZoneStore } from '../../ports/store.ts'
import { sessionOperations } from './access/sessions.ts'
import type { Shared } from './database.ts'
import { templateOperations } from './templates.ts'
import { CHANNEL_NAME, violates } from './unique.ts'

export function settingsOperations(shared: Shared) {
  const { reader, writer } = shared
  const { channels, apiKeys, feeds, timezones } = shared.tables

  return {
    async listChannels() {
      const rows = await reader.select().from(channels).orderBy(asc(channels.id))
      return rows.map(({ kind: _, ...row }) => ({
        ...row,
        settings: JSON.parse(row.settings),
        secrets: JSON.parse(row.secrets),
      }))
    },
    saveChannel: (channel) => saveChannel(shared, channel),
    removeChannel: (channel) => removeChannel(shared, channel),
    async setChannelStatus({ id, from, to, reason, at }) {
      const changed = await writer
        .update(channels)
        .set({ status: to, statusReason: reason, version: sql`${channels.version} + 1`, updatedAt: at })
        .where(and(eq(channels.id, id), eq(channels.status, from)))
        .returning({ id: channels.id })
      return changed.length === 1
    },

    ...templateOperations(shared),

    async listApiKeys() {
      const rows = await reader.select().from(apiKeys).orderBy(asc(apiKeys.id))
      return rows.map((row) => ({ ...row, allowedFrom: row.allowedFrom?.split(',') ?? [] }))
    },
    async createApiKey(key) {
      const created = await writer
        .insert(apiKeys)
        .values({ ...key, allowedFrom: key.allowedFrom.join(',') || null })
        .onConflictDoNothing()
        .returning({ id: apiKeys.id })
      return created.length === 1
    },
    async revokeApiKey(id, at) {
      const revoked = await writer
        .update(apiKeys)
        .set({ revokedAt: at })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
        .returning({ id: apiKeys.id })
      return revoked.length === 1
    },
    async touchApiKeys(used) {
      for (const { id, at } of used)
        await writer.update(apiKeys).set({ lastUsedAt: at }).where(eq(apiKeys.id, id))
    },

    ...sessionOperations(shared),

    listFeeds: async () => reader.select().from(feeds).orderBy(asc(feeds.id)),
    createFeed: (feed) => createFeed(shared, feed),
    async findFeed(tokenHash) {
      const [feed] = await reader.select().from(feeds).where(eq(feeds.tokenHash, tokenHash))
      return feed ?? null
    },
    async removeFeed(feedId) {
      const removed = await writer.delete(feeds).where(eq(feeds.id, feedId)).returning({ id: feeds.id })
      return removed.length === 1
    },

    listZones: async () => reader.select().from(timezones).orderBy(asc(timezones.name)),
  } satisfies SettingsStore & AccessStore & FeedStore & Pick<ZoneStore, 'listZones'>
}

/** The unique index decides who gets a name: of two callers that read first, both would find it free. */
async function saveChannel(
  { writer, tables: { channels } }: Shared,
  channel: ChannelRecord,
): Promise<'saved' | 'conflict' | 'taken'> {
  const row = {
    ...channel,
    kind: channel.settings.kind,
    settings: JSON.stringify(channel.settings),
    secrets: JSON.stringify(channel.secrets),
  }
  const { id, version } = channel
  try {
    const saved =
      version === 1
        ? await writer
            .insert(channels)
            .values(row)
            .onConflictDoNothing({ target: channels.id })
            .returning({ id: channels.id })
        : await writer
            .update(channels)
            .set(row)
            .where(and(eq(channels.id, id), eq(channels.version, version - 1)))
            .returning({ id: channels.id })
    return saved.length === 1 ? 'saved' : 'conflict'
  } catch (error) {
    if (!violates(error, CHANNEL_NAME)) throw error
    if (version > 1) return 'taken'
    // SQLite may report the name first when the channel itself exists already.
    const [existing] = await writer.select({ id: channels.id }).from(channels).where(eq(channels.id, id))
    return existing === undefined ? 'taken' : 'conflict'
  }
}

/** Checks and deletes in one statement: an occasion may begin to name the channel between two. */
async function removeChannel(
  shared: Shared,
  { id, version }: { id: string; version: number },
): Promise<'removed' | 'conflict' | 'in-use'> {
  const {
    writer,
    tables: { channels, destinations, limitLeases, occasions, events },
  } = shared
  const isThis = and(eq(channels.id, id), eq(channels.version, version))
  const namedBy = writer.select({ id: occasions.id }).from(occasions).where(eq(occasions.channelId, id))
  const isSentTo = and(eq(events.channelId, id), isNotNull(events.wakeAt))
  const sentTo = writer.select({ id: events.id }).from(events).where(isSentTo)
  const removed = await writer
    .delete(channels)
    .where(and(isThis, notExists(namedBy), notExists(sentTo)))
    .returning({ id: channels.id })
  if (removed.length === 1) {
    await writer.delete(destinations).where(eq(destinations.channelId, id))
    await writer.delete(limitLeases).where(eq(limitLeases.channelId, id))
    return 'removed'
  }
  const [left] = await writer.select({ id: channels.id }).from(channels).where(isThis)
  return left === undefined ? 'conflict' : 'in-use'
}

/** The foreign key decides whether the user exists: in PostgreSQL it waits for a deletion in progress. */
async function createFeed({ writer, tables: { feeds, users } }: Shared, feed: Feed): Promise<boolean> {
  try {
    await writer.insert(feeds).values(feed)
    return true
  } catch (error) {
    if (feed.userId === null) throw error
    const [user] = await writer.select({ id: users.id }).from(users).where(eq(users.id, feed.userId))
    if (user !== undefined) throw error
    return false
  }
}
