// The tables of SQLite and D1. Instants are epoch milliseconds; ids are UUIDs as text. Events, payloads and attempts
// have no foreign keys: each is only ever written by joining the row it belongs to, and the checks cost 15 % of a drain.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** Both names in lower case: SQLite's own lower() knows ASCII only. */
    searchName: text('search_name').notNull(),
    dateOfBirth: text('date_of_birth').notNull(),
    timezone: text().notNull(),
    email: text(),
    language: text(),
    version: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('users_by_timezone').on(table.timezone, table.id)],
)

export const occasions = sqliteTable(
  'occasions',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text().notNull(),
    /** Null for the user's own date of birth. */
    date: text(),
    localTime: text('local_time').notNull(),
    leapDay: text('leap_day').notNull(),
    template: text(),
    channelId: text('channel_id'),
    notAfter: text('not_after'),
  },
  (table) => [index('occasions_by_user').on(table.userId)],
)

export const events = sqliteTable(
  'events',
  {
    /** Carries the instant it was first due: the events of one spike lie side by side in every table. */
    id: text().primaryKey(),
    occasionId: text('occasion_id').notNull(),
    occurrence: text().notNull(),
    status: text({ enum: ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] }).notNull(),
    targetAt: integer('target_at').notNull(),
    offsetSeconds: integer('offset_seconds').notNull(),
    timezone: text().notNull(),
    tzVersion: text('tz_version').notNull(),
    /** When it may be taken, but for a lease; null once terminal. */
    wakeAt: integer('wake_at'),
    /** In no index, so that claiming an event touches none. */
    leaseUntil: integer('lease_until'),
    claimedBy: text('claimed_by'),
    claimedAt: integer('claimed_at'),
    retryCount: integer('retry_count').notNull(),
    version: integer().notNull(),
    planRevision: integer('plan_revision').notNull(),
    replayOf: text('replay_of'),
    ownKey: integer('own_key', { mode: 'boolean' }).notNull().default(false),
    executedAt: integer('executed_at'),
    statusCode: integer('status_code'),
    failureReason: text('failure_reason'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('events_one_per_occurrence').on(table.occasionId, table.occurrence),
    index('events_by_wake').on(table.wakeAt).where(sql`wake_at is not null`),
    // Not by status: a claim changes that, and would have to look at this index each time.
    index('events_failed').on(table.id).where(sql`failure_reason is not null`),
  ],
)

/** What an event says, byte for byte, from its first attempt on. Kept out of the row that every step rewrites. */
export const payloads = sqliteTable('payloads', {
  eventId: text('event_id').primaryKey(),
  body: text().notNull(),
})

/** The attempts that did not settle their event. The one that did is told by the event itself. */
export const attempts = sqliteTable(
  'attempts',
  {
    eventId: text('event_id').notNull(),
    number: integer().notNull(),
    claimedBy: text('claimed_by').notNull(),
    startedAt: integer('started_at').notNull(),
    finishedAt: integer('finished_at').notNull(),
    statusCode: integer('status_code'),
    error: text().notNull(),
    outcome: text({ enum: ['RETRY', 'PARKED', 'UNKNOWN'] })
      .notNull()
      .default('RETRY'),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.number] })],
)

/** First answers to requests with an idempotency key. The body goes when a person in it does. */
export const answers = sqliteTable(
  'answers',
  {
    key: text().primaryKey(),
    fingerprint: text().notNull(),
    status: integer().notNull(),
    body: text(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('answers_by_age').on(table.createdAt)],
)

export const answerUsers = sqliteTable(
  'answer_users',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    answerKey: text('answer_key')
      .notNull()
      .references(() => answers.key, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.answerKey] }),
    index('answer_users_by_key').on(table.answerKey),
  ],
)

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
