// What is set up rather than scheduled: channels, templates, API keys. Few rows, plain statements.
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Template } from '../../domain/messages/template.ts'
import type { ApiKey } from '../../domain/settings/api-key.ts'
import type { ChannelRecord } from '../../domain/settings/channel.ts'
import type { ChannelStatusChange, Store } from '../../ports/store.ts'
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

export function registryOperations({
  reader,
  writer,
}: {
  reader: Database
  writer: Database
}): RegistryOperations {
  return {
    listChannels: () => listChannels(reader),
    saveChannel: (channel) => saveChannel(writer, channel),
    setChannelStatus: (change) => setChannelStatus(writer, change),
    listTemplates: () => listTemplates(reader),
    saveTemplate: (template) => saveTemplate(writer, template),
    removeTemplate: (of) => removeTemplate(writer, of),
    listApiKeys: () => listApiKeys(reader),
    createApiKey: (key) => createApiKey(writer, key),
    revokeApiKey: (id, at) => revokeApiKey(writer, id, at),
    touchApiKeys: (used) => touchApiKeys(writer, used),
  }
}

async function listChannels(db: Database): Promise<ChannelRecord[]> {
  const rows = await db.select().from(channels).orderBy(asc(channels.id))
  return rows.map(({ kind: _, ...row }) => ({
    ...row,
    settings: JSON.parse(row.settings),
    secrets: JSON.parse(row.secrets),
  }))
}

async function saveChannel(db: Database, channel: ChannelRecord): Promise<'saved' | 'conflict' | 'taken'> {
  const row = {
    ...channel,
    kind: channel.settings.kind,
    settings: JSON.stringify(channel.settings),
    secrets: JSON.stringify(channel.secrets),
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
    .set({ status: to, statusReason: reason, version: sql`${channels.version} + 1`, updatedAt: at })
    .where(and(eq(channels.id, id), eq(channels.status, from)))
    .returning({ id: channels.id })
  return changed.length === 1
}

async function listTemplates(db: Database): Promise<Template[]> {
  const rows = await db.select().from(templates).orderBy(asc(templates.type), asc(templates.language))
  return rows
}

async function saveTemplate(db: Database, template: Template): Promise<'saved' | 'conflict'> {
  const row = template
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
  return rows
}

async function createApiKey(db: Database, key: ApiKey): Promise<boolean> {
  const row = key
  const created = await db.insert(apiKeys).values(row).onConflictDoNothing().returning({ id: apiKeys.id })
  return created.length === 1
}

async function revokeApiKey(db: Database, id: string, at: number): Promise<boolean> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  return revoked.length === 1
}

async function touchApiKeys(db: Database, used: readonly { id: string; at: number }[]): Promise<void> {
  for (const { id, at } of used) await db.update(apiKeys).set({ lastUsedAt: at }).where(eq(apiKeys.id, id))
}
