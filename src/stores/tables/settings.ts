// Channels, templates, API keys, sessions, calendar feeds, timezones and the audit log.
import type { Column } from 'drizzle-orm'
import type { Scope } from '../../domain/access/api-key.ts'
import type { AuditAction } from '../../domain/access/audit.ts'
import type { ChannelKind, ChannelStatus } from '../../domain/settings/channel.ts'
import type { Builders, DialectName } from './builders.ts'

export function channelTables<D extends DialectName>({
  table,
  uuid,
  text,
  int,
  instant,
  uniqueIndex,
}: Builders<D>) {
  /** Where messages go. Secrets lie here enciphered, under a key that only the environment has. */
  const channels = table(
    'channels',
    {
      id: uuid().primaryKey(),
      name: text().notNull(),
      kind: text().$type<ChannelKind>().notNull(),
      /** JSON. */
      settings: text().notNull(),
      secrets: text().notNull(),
      /** The latest to be named so is the default. */
      defaultSince: instant('default_since'),
      status: text().$type<ChannelStatus>().notNull(),
      statusReason: text('status_reason'),
      version: int().notNull(),
      createdAt: instant('created_at').notNull(),
      updatedAt: instant('updated_at').notNull(),
    },
    (columns) => [uniqueIndex('channels_by_name').on(columns.name)],
  )

  /** What the workers know of the destination of each channel, the built-in ones included. Written when it changes. */
  const destinations = table('destinations', {
    channelId: uuid('channel_id').primaryKey(),
    /** Null while it is up. */
    downSince: instant('down_since'),
    lastError: text('last_error'),
    nextProbeAt: instant('next_probe_at'),
    /** When the destination last responded again after an outage, or its channel was released. */
    recoveredAt: instant('recovered_at'),
    /** The hold of an operator; null if the destination is not held. */
    heldAt: instant('held_at'),
    /** Null for a hold that ends when the channel is released. */
    heldUntil: instant('held_until'),
    heldBy: text('held_by'),
  })

  /** What the workers have leased of the limits of a channel, as JSON. Written a few times a second while messages wait. */
  const limitLeases = table('limit_leases', {
    channelId: uuid('channel_id').primaryKey(),
    leases: text().notNull(),
  })

  return { channels, destinations, limitLeases }
}

export function messageTables<D extends DialectName>({ table, text, int, instant, primaryKey }: Builders<D>) {
  /** What events say, by kind of occasion and language; the empty language is for everybody else. */
  const templates = table(
    'templates',
    {
      type: text().notNull(),
      language: text().notNull(),
      subject: text(),
      body: text().notNull(),
      version: int().notNull(),
      createdAt: instant('created_at').notNull(),
      updatedAt: instant('updated_at').notNull(),
    },
    (columns) => [primaryKey({ columns: [columns.type, columns.language] })],
  )

  /** Groups of failures that an operator has dismissed: those before an instant are not shown as failures any more. */
  const dismissals = table(
    'dismissals',
    {
      /** The id of the channel; `unknown` if none is recorded. */
      channel: text().notNull(),
      /** The reason in brief, by which failures are grouped. */
      reason: text().notNull(),
      failedBefore: instant('failed_before').notNull(),
    },
    (columns) => [primaryKey({ columns: [columns.channel, columns.reason] })],
  )

  return { templates, dismissals }
}

export function accessTables<D extends DialectName>({
  table,
  uuid,
  text,
  int,
  instant,
  numberedKey,
  index,
  uniqueIndex,
}: Builders<D>) {
  /** Who may call. Of a key only its hash is kept. */
  const apiKeys = table(
    'api_keys',
    {
      id: uuid().primaryKey(),
      name: text().notNull(),
      hash: text().notNull(),
      scope: text().$type<Scope>().notNull(),
      createdAt: instant('created_at').notNull(),
      lastUsedAt: instant('last_used_at'),
      revokedAt: instant('revoked_at'),
      expiresAt: instant('expires_at'),
      /** Address ranges, separated by commas; null for any address. */
      allowedFrom: text('allowed_from'),
    },
    (columns) => [uniqueIndex('api_keys_by_hash').on(columns.hash)],
  )

  /** Browsers that are signed in. Of the value of the cookie only its hash is kept. */
  const sessions = table(
    'sessions',
    {
      id: uuid().primaryKey(),
      hash: text().notNull(),
      /** Not a foreign key: keys from the environment are not stored. */
      keyId: text('key_id').notNull(),
      createdAt: instant('created_at').notNull(),
      lastUsedAt: instant('last_used_at').notNull(),
    },
    (columns) => [uniqueIndex('sessions_by_hash').on(columns.hash)],
  )

  /** The audit log. Rows are appended and pruned, never changed. */
  const auditEntries = table(
    'audit_entries',
    {
      number: numberedKey(),
      at: instant().notNull(),
      actor: text(),
      address: text(),
      action: text().$type<AuditAction>().notNull(),
      objectKind: text('object_kind'),
      objectId: text('object_id'),
      /** The HTTP status of a rejection. */
      rejectedWith: int('rejected_with'),
      count: int().notNull(),
      /** JSON. */
      details: text(),
    },
    (columns) => [index('audit_entries_by_object').on(columns.objectId)],
  )

  return { apiKeys, sessions, auditEntries }
}

/** Calendars that others may read. Of the secret in the address only its hash is kept. */
export function feedTable<D extends DialectName>(
  { table, uuid, text, instant, index, uniqueIndex }: Builders<D>,
  users: { id: Column },
) {
  return table(
    'feeds',
    {
      id: uuid().primaryKey(),
      tokenHash: text('token_hash').notNull(),
      /** Null for everybody's. */
      userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
      createdAt: instant('created_at').notNull(),
    },
    (columns) => [
      uniqueIndex('feeds_by_token').on(columns.tokenHash),
      index('feeds_by_user').on(columns.userId),
    ],
  )
}

export function processTables<D extends DialectName>({ table, text, instant }: Builders<D>) {
  /** By which rules the events of each timezone were last planned. */
  const timezones = table('timezones', {
    name: text().primaryKey(),
    rules: text().notNull(),
    version: text().notNull(),
    previousRules: text('previous_rules'),
    previousVersion: text('previous_version'),
    changedAt: instant('changed_at'),
    replanCursor: text('replan_cursor'),
  })

  /** A row for each worker process that is alive. */
  const workers = table('workers', {
    id: text().primaryKey(),
    seenAt: instant('seen_at').notNull(),
  })

  return { timezones, workers }
}
