// The tables of what is set up rather than scheduled: channels, templates, API keys, the rules of timezones.
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

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
    status: text({ enum: ['ACTIVE', 'PAUSED', 'DISABLED'] }).notNull(),
    statusReason: text('status_reason'),
    version: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [uniqueIndex('channels_by_name').on(table.name)],
)

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
  },
  (table) => [uniqueIndex('api_keys_by_hash').on(table.hash)],
)

/** By which rules the events of each timezone were last planned. */
export const timezones = sqliteTable('timezones', {
  name: text().primaryKey(),
  rules: text().notNull(),
  version: text().notNull(),
  previousRules: text('previous_rules'),
  previousVersion: text('previous_version'),
  changedAt: integer('changed_at'),
})
