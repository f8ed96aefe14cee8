// What is set up rather than scheduled: channels, templates, API keys. Few rows, plain statements.
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Template } from '../../domain/messages/template.ts'
import type { ApiKey } from '../../domain/settings/api-key.ts'
import type { ChannelRecord } from '../../domain/settings/channel.ts'
import type { ChannelStatusChange, Store } from '../../ports/store.ts'
import { dateOrNull, msOrNull } from './instant.ts'
import type { Database } from './reads.ts'
import { apiKeys, channels, templates } from './schema.ts'

type RegistryOperations = Pick<
  Store,
  | 'listChannels'
  | 'saveChannel'
  | 'setChannelStatus'
  | 'listTemplates'
  | 'saveTemplate'
  | 'removeTemplate'
  | 'listApiKeys'
  | 'createApiKey'
  | 'revokeApiKey'
  | 'touchApiKeys'
>

export function registryOperations(db: Database): RegistryOperations {
  return {
    listChannels: () => listChannels(db),
    saveChannel: (channel) => saveChannel(db, channel),
    setChannelStatus: (change) => setChannelStatus(db, change),
    listTemplates: () => listTemplates(db),
    saveTemplate: (template) => saveTemplate(db, template),
    removeTemplate: (of) => removeTemplate(db, of),
    listApiKeys: () => listApiKeys(db),
    createApiKey: (key) => createApiKey(db, key),
    revokeApiKey: (id, at) => revokeApiKey(db, id, at),
    touchApiKeys: (used) => touchApiKeys(db, used),
  }
}

async function listChannels(db: Database): Promise<ChannelRecord[]> {
  const rows = await db.select().from(channels).orderBy(asc(channels.id))
  return rows.map(({ kind: _, ...row }) => ({
    ...row,
    settings: JSON.parse(row.settings),
    secrets: JSON.parse(row.secrets),
    defaultSince: msOrNull(row.defaultSince),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }))
}

async function saveChannel(db: Database, channel: ChannelRecord): Promise<'saved' | 'conflict' | 'taken'> {
  const row = {
    ...channel,
    kind: channel.settings.kind,
    settings: JSON.stringify(channel.settings),
    secrets: JSON.stringify(channel.secrets),
    defaultSince: dateOrNull(channel.defaultSince),
    createdAt: new Date(channel.createdAt),
    updatedAt: new Date(channel.updatedAt),
  }
  const [namesake] = await db
    .select({ id: channels.id })
    .from(channels)
    .where(and(eq(channels.name, channel.name), ne(channels.id, channel.id)))
  if (namesake !== undefined) return 'taken'
  const saved =
    channel.version === 1
      ? await db.insert(channels).values(row).onConflictDoNothing().returning({ id: channels.id })
      : await db
          .update(channels)
          .set(row)
          .where(and(eq(channels.id, channel.id), eq(channels.version, channel.version - 1)))
          .returning({ id: channels.id })
  return saved.length === 1 ? 'saved' : 'conflict'
}

async function setChannelStatus(db: Database, change: ChannelStatusChange): Promise<boolean> {
  const { id, from, to, reason, at } = change
  const changed = await db
    .update(channels)
    .set({ status: to, statusReason: reason, version: sql`${channels.version} + 1`, updatedAt: new Date(at) })
    .where(and(eq(channels.id, id), eq(channels.status, from)))
    .returning({ id: channels.id })
  return changed.length === 1
}

async function listTemplates(db: Database): Promise<Template[]> {
  const rows = await db.select().from(templates).orderBy(asc(templates.type), asc(templates.language))
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }))
}

async function saveTemplate(db: Database, template: Template): Promise<'saved' | 'conflict'> {
  const row = {
    ...template,
    createdAt: new Date(template.createdAt),
    updatedAt: new Date(template.updatedAt),
  }
  const saved =
    template.version === 1
      ? await db.insert(templates).values(row).onConflictDoNothing().returning({ type: templates.type })
      : await db
          .update(templates)
          .set(row)
          .where(and(templateIs(template), eq(templates.version, template.version - 1)))
          .returning({ type: templates.type })
  return saved.length === 1 ? 'saved' : 'conflict'
}

async function removeTemplate(db: Database, of: { type: string; language: string }): Promise<boolean> {
  const removed = await db.delete(templates).where(templateIs(of)).returning({ type: templates.type })
  return removed.length === 1
}

function templateIs({ type, language }: { type: string; language: string }) {
  return and(eq(templates.type, type), eq(templates.language, language))
}

async function listApiKeys(db: Database): Promise<ApiKey[]> {
  const rows = await db.select().from(apiKeys).orderBy(asc(apiKeys.id))
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.getTime(),
    lastUsedAt: msOrNull(row.lastUsedAt),
    revokedAt: msOrNull(row.revokedAt),
  }))
}

async function createApiKey(db: Database, key: ApiKey): Promise<boolean> {
  const row = {
    ...key,
    createdAt: new Date(key.createdAt),
    lastUsedAt: dateOrNull(key.lastUsedAt),
    revokedAt: dateOrNull(key.revokedAt),
  }
  const created = await db.insert(apiKeys).values(row).onConflictDoNothing().returning({ id: apiKeys.id })
  return created.length === 1
}

async function revokeApiKey(db: Database, id: string, at: number): Promise<boolean> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: new Date(at) })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  return revoked.length === 1
}

async function touchApiKeys(db: Database, used: readonly { id: string; at: number }[]): Promise<void> {
  for (const { id, at } of used)
    await db
      .update(apiKeys)
      .set({ lastUsedAt: new Date(at) })
      .where(eq(apiKeys.id, id))
}
