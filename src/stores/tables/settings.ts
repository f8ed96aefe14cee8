// Channels, templates, API keys, sessions, calendar feeds, timezones and the audit log.
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { AUDIT_ACTIONS } from '../../domain/settings/audit.ts'
import { users } from './people.ts'

/** Where messages go. Secrets lie here enciphered, under a key that only the environment has. */
export const channels = sqliteTable(
  'channels',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    kind: text({ enum: ['webhook', 'smtp', 'resend'] }).notNull(),
    /** JSON. */
    settings: text().notNull(),
    secrets: text().notNull(),
    /** The latest to be named so is the default. */
    defaultSince: integer('default_since'),
    status: text({ enum: ['ACTIVE', 'HELD', 'DISABLED'] }).notNull(),
    statusReason: text('status_reason'),
    version: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [uniqueIndex('channels_by_name').on(table.name)],
)

/** What the workers know of the destination of each channel, the built-in ones included. Written when it changes. */
export const destinations = sqliteTable('destinations', {
  channelId: text('channel_id').primaryKey(),
  /** Null while it is up. */
  downSince: integer('down_since'),
  lastError: text('last_error'),
  nextProbeAt: integer('next_probe_at'),
  /** When the destination last responded again after an outage, or its channel was released. */
  recoveredAt: integer('recovered_at'),
  /** The hold of an operator; null if the destination is not held. */
  heldAt: integer('held_at'),
  /** Null for a hold that ends when the channel is released. */
  heldUntil: integer('held_until'),
  heldBy: text('held_by'),
})

/** What the workers have leased of the limits of a channel, as JSON. Written a few times a second while messages wait. */
export const limitLeases = sqliteTable('limit_leases', {
  channelId: text('channel_id').primaryKey(),
  leases: text().notNull(),
})

/** What events say, by kind of occasion and language; the empty language is for everybody else. */
export const templates = sqliteTable(
  'templates',
  {
    type: text().notNull(),
    language: text().notNull(),
    subject: text(),
    body: text().notNull(),
    version: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.type, table.language] })],
)

/** Groups of failures that an operator has dismissed: those before an instant are not shown as failures any more. */
export const dismissals = sqliteTable(
  'dismissals',
  {
    /** The id of the channel; `unknown` if none is recorded. */
    channel: text().notNull(),
    /** The reason in brief, by which failures are grouped. */
    reason: text().notNull(),
    failedBefore: integer('failed_before').notNull(),
  },
  (table) => [primaryKey({ columns: [table.channel, table.reason] })],
)

/** Who may call. Of a key only its hash is kept. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    hash: text().notNull(),
    scope: text({ enum: ['read', 'write', 'admin'] }).notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
    revokedAt: integer('revoked_at'),
    expiresAt: integer('expires_at'),
    /** Address ranges, separated by commas; null for any address. */
    allowedFrom: text('allowed_from'),
  },
  (table) => [uniqueIndex('api_keys_by_hash').on(table.hash)],
)

/** Browsers that are signed in. Of the value of the cookie only its hash is kept. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    hash: text().notNull(),
    /** Not a foreign key: keys from the environment are not stored. */
    keyId: text('key_id').notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
  },
  (table) => [uniqueIndex('sessions_by_hash').on(table.hash)],
)

/** Calendars that others may read. Of the secret in the address only its hash is kept. */
export const feeds = sqliteTable(
  'feeds',
  {
    id: text().primaryKey(),
    tokenHash: text('token_hash').notNull(),
    /** Null for everybody's. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [uniqueIndex('feeds_by_token').on(table.tokenHash), index('feeds_by_user').on(table.userId)],
)

/** By which rules the events of each timezone were last planned. */
export const timezones = sqliteTable('timezones', {
  name: text().primaryKey(),
  rules: text().notNull(),
  version: text().notNull(),
  previousRules: text('previous_rules'),
  previousVersion: text('previous_version'),
  changedAt: integer('changed_at'),
  replanCursor: text('replan_cursor'),
})

/** The audit log. Rows are appended and pruned, never changed. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    actor: text(),
    address: text(),
    action: text({ enum: AUDIT_ACTIONS }).notNull(),
    objectKind: text('object_kind'),
    objectId: text('object_id'),
    /** The HTTP status of a rejection. */
    rejectedWith: integer('rejected_with'),
    count: integer().notNull(),
    /** JSON. */
    details: text(),
  },
  (table) => [index('audit_entries_by_object').on(table.objectId)],
)

/** A row for each worker process that is alive. */
export const workers = sqliteTable('workers', {
  id: text().primaryKey(),
  seenAt: integer('seen_at').notNull(),
})
