// The tables of SQLite and D1. Instants are epoch milliseconds; ids are UUIDs as text. Events, payloads and attempts
// have no foreign keys: each is only ever written by joining the row it belongs to, and the checks cost 15 % of a drain.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export { apiKeys, channels, templates, timezones } from './registry-schema.ts'

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
    /** What they are called where they come from. */
    externalId: text('external_id'),
    version: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('users_by_timezone').on(table.timezone, table.id),
    uniqueIndex('users_by_external_id').on(table.externalId).where(sql`external_id is not null`),
  ],
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
    /** YEARLY, ONCE, or a rule of RFC 5545. */
    repeats: text().notNull().default('YEARLY'),
    calendar: text().notNull().default('gregorian'),
    ruleRevision: integer('rule_revision').notNull().default(1),
    until: text(),
    pausedAt: integer('paused_at'),
    template: text(),
    channelId: text('channel_id'),
    notAfter: text('not_after'),
    version: integer().notNull().default(1),
  },
  (table) => [index('occasions_by_user').on(table.userId)],
)

/** What the occasions of the kind TASK_REMINDER remind of: one each, under the same id. */
export const tasks = sqliteTable(
  'tasks',
  {
    id: text()
      .primaryKey()
      .references(() => occasions.id, { onDelete: 'cascade' }),
    userId: text('user_id').notNull(),
    title: text().notNull(),
    dueAt: integer('due_at').notNull(),
    dueRevision: integer('due_revision').notNull(),
    remindBeforeMs: integer('remind_before_ms').notNull(),
    quietHours: text('quiet_hours'),
    completedAt: integer('completed_at'),
    reminderSentAt: integer('reminder_sent_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    version: integer().notNull(),
  },
  (table) => [
    index('tasks_by_due').on(table.dueAt, table.id),
    index('tasks_by_user').on(table.userId, table.id),
  ],
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
    /** How often it was parked since it was planned or last retried. */
    parkCount: integer('park_count').notNull().default(0),
    replayOf: text('replay_of'),
    ownKey: integer('own_key', { mode: 'boolean' }).notNull().default(false),
    executedAt: integer('executed_at'),
    statusCode: integer('status_code'),
    failureCode: text('failure_code'),
    lastError: text('last_error'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('events_one_per_occurrence').on(table.occasionId, table.occurrence),
    index('events_by_wake').on(table.wakeAt).where(sql`wake_at is not null`),
    // Not by status: a claim changes that, and would have to look at this index each time.
    index('events_failed').on(table.id).where(sql`failure_code is not null`),
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

/** First responses to requests with an idempotency key. The body goes when a person in it does. */
export const responses = sqliteTable(
  'responses',
  {
    key: text().primaryKey(),
    fingerprint: text().notNull(),
    status: integer().notNull(),
    body: text(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('responses_by_age').on(table.createdAt)],
)

export const responseUsers = sqliteTable(
  'response_users',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    responseKey: text('response_key')
      .notNull()
      .references(() => responses.key, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.responseKey] }),
    index('response_users_by_key').on(table.responseKey),
  ],
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
