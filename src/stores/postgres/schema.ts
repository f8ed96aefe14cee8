// The tables of PostgreSQL. Open events and settled ones lie apart: an open row is narrow, updated in place and then
// deleted; a settled row is written once. docs/decisions/0009 has the figures.
import { sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  pgView,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** Both names in lower case, as every store compares them. */
    searchName: text('search_name').notNull(),
    dateOfBirth: text('date_of_birth').notNull(),
    timezone: text().notNull(),
    email: text(),
    language: text(),
    version: integer().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('users_by_timezone').on(table.timezone, table.id)],
)

export const occasions = pgTable(
  'occasions',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text().notNull(),
    /** Null for the user's own date of birth. */
    date: text(),
    localTime: text('local_time').notNull(),
    leapDay: text('leap_day').notNull(),
    template: text(),
    channelId: uuid('channel_id'),
    notAfter: text('not_after'),
  },
  (table) => [index('occasions_by_user').on(table.userId)],
)

const planned = {
  occasionId: uuid('occasion_id').notNull(),
  occurrence: text().notNull(),
  targetAt: instant('target_at').notNull(),
  offsetSeconds: integer('offset_seconds').notNull(),
  timezone: text().notNull(),
  tzVersion: text('tz_version').notNull(),
  retryCount: integer('retry_count').notNull(),
  version: integer().notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  replayOf: uuid('replay_of'),
  ownKey: boolean('own_key').notNull().default(false),
}

/** Open events. PENDING until first claimed, PROCESSING from then on. */
export const events = pgTable(
  'events',
  {
    id: uuid().primaryKey(),
    ...planned,
    wakeAt: instant('wake_at').notNull(),
    /** These are in no index, so that a claim is an update in place (HOT). */
    leaseUntil: instant('lease_until'),
    claimedBy: text('claimed_by'),
    claimedAt: instant('claimed_at'),
    planRevision: integer('plan_revision').notNull(),
  },
  (table) => [
    uniqueIndex('events_one_per_occurrence').on(table.occasionId, table.occurrence),
    index('events_by_wake').on(table.wakeAt),
  ],
)

/** Terminal events: written once, never changed. */
export const settledEvents = pgTable(
  'settled_events',
  {
    id: uuid().notNull(),
    ...planned,
    status: text({ enum: ['COMPLETED', 'FAILED'] }).notNull(),
    claimedBy: text('claimed_by').notNull(),
    claimedAt: instant('claimed_at').notNull(),
    executedAt: instant('executed_at').notNull(),
    statusCode: integer('status_code'),
    failureReason: text('failure_reason'),
  },
  (table) => [
    primaryKey({ columns: [table.occasionId, table.occurrence] }),
    uniqueIndex('settled_events_by_id').on(table.id),
    index('settled_events_failed').on(table.id).where(sql`failure_reason is not null`),
  ],
)

/**
 * What an event says, byte for byte, from its first attempt on. In the event's own row it would fill the page, and the
 * update that brings it would no longer be in place: three index entries instead of one.
 */
export const payloads = pgTable('payloads', {
  eventId: uuid('event_id').primaryKey(),
  body: text().notNull(),
})

/** The attempts that did not settle their event. The one that did is told by the event itself. */
export const attempts = pgTable(
  'attempts',
  {
    eventId: uuid('event_id').notNull(),
    number: integer().notNull(),
    claimedBy: text('claimed_by').notNull(),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at').notNull(),
    statusCode: integer('status_code'),
    error: text().notNull(),
    outcome: text({ enum: ['RETRY', 'PARKED', 'UNKNOWN'] })
      .notNull()
      .default('RETRY'),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.number] })],
)

/** First answers to requests with an idempotency key. The body goes when a person in it does. */
export const answers = pgTable(
  'answers',
  {
    key: text().primaryKey(),
    fingerprint: text().notNull(),
    status: integer().notNull(),
    body: text(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('answers_by_age').on(table.createdAt)],
)

export const answerUsers = pgTable(
  'answer_users',
  {
    userId: uuid('user_id')
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
export const channels = pgTable(
  'channels',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    kind: text({ enum: ['webhook', 'smtp', 'resend'] }).notNull(),
    /** JSON. */
    settings: text().notNull(),
    secrets: text().notNull(),
    /** The latest to be named so is the default. */
    defaultSince: instant('default_since'),
    status: text({ enum: ['ACTIVE', 'PAUSED', 'DISABLED'] }).notNull(),
    statusReason: text('status_reason'),
    version: integer().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [uniqueIndex('channels_by_name').on(table.name)],
)

/** What events say, by kind of occasion and language; the empty language is for everybody else. */
export const templates = pgTable(
  'templates',
  {
    type: text().notNull(),
    language: text().notNull(),
    subject: text(),
    body: text().notNull(),
    version: integer().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.type, table.language] })],
)

/** Who may call. Of a key only its hash is kept. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    hash: text().notNull(),
    scope: text({ enum: ['read', 'write', 'admin'] }).notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [uniqueIndex('api_keys_by_hash').on(table.hash)],
)

/** Open and settled events as one, instants in epoch milliseconds. */
export const allEvents = pgView('all_events', {
  id: uuid().notNull(),
  occasionId: uuid('occasion_id').notNull(),
  userId: uuid('user_id').notNull(),
  eventType: text('event_type').notNull(),
  occurrence: text().notNull(),
  status: text({ enum: ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] }).notNull(),
  targetAt: doublePrecision('target_at').notNull(),
  offsetSeconds: integer('offset_seconds').notNull(),
  timezone: text().notNull(),
  tzVersion: text('tz_version').notNull(),
  wakeAt: doublePrecision('wake_at'),
  retryCount: integer('retry_count').notNull(),
  version: integer().notNull(),
  claimedBy: text('claimed_by'),
  claimedAt: doublePrecision('claimed_at'),
  executedAt: doublePrecision('executed_at'),
  statusCode: integer('status_code'),
  failureReason: text('failure_reason'),
  deliveryPayload: text('delivery_payload'),
  replayOf: uuid('replay_of'),
  ownKey: boolean('own_key').notNull(),
  createdAt: doublePrecision('created_at').notNull(),
  updatedAt: doublePrecision('updated_at').notNull(),
}).existing()
