// Events, payloads and attempts. They have no foreign keys: each is only ever written by joining the row it belongs to, and
// the checks cost 15 % of a drain.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * True for an event that may be due at another instant than the one its id carries: it was planned again, or is a replay. A
 * query must repeat this text, or the partial index is not used.
 */
export const isDisplaced = (prefix = '') => `(${prefix}plan_revision > 0 or ${prefix}replay_of is not null)`

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
    /** When it may be claimed, unless a lease is live; null once terminal. */
    wakeAt: integer('wake_at'),
    /** In no index, so that claiming an event touches none. */
    leaseUntil: integer('lease_until'),
    /** The batch of a provisional lease; null for a final one. */
    leaseBatch: integer('lease_batch'),
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
    /** The channel of the latest attempt, or that the event was parked for. Null: it was never tried, or not recorded then. */
    channelId: text('channel_id'),
    /** JSON: the destination and the response of the attempt that settled it. */
    exchange: text(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('events_one_per_occurrence').on(table.occasionId, table.occurrence),
    index('events_by_wake').on(table.wakeAt).where(sql`wake_at is not null`),
    // Not by status: a claim changes that, and would have to look at this index each time.
    index('events_failed').on(table.id).where(sql`failure_code is not null`),
    // An event that is never parked is in none of these three, and a claim changes none of their columns.
    index('events_parked')
      .on(table.channelId, table.wakeAt)
      .where(sql`park_count > 0 and wake_at is not null`),
    index('events_parked_by_due')
      .on(table.channelId, table.targetAt)
      .where(sql`park_count > 0 and wake_at is not null`),
    index('events_replays').on(table.occasionId).where(sql`replay_of is not null`),
    index('events_displaced').on(table.targetAt).where(sql.raw(isDisplaced())),
    // What was settled since an instant.
    index('events_by_settlement').on(table.executedAt).where(sql`executed_at is not null`),
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
    channelId: text('channel_id'),
    /** JSON: the destination and the response. */
    exchange: text(),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.number] })],
)

/**
 * The moves of open events. `version` is the event's version after the move. `from` is null for an event that a change
 * inserted, `to` for an event that a change removed.
 */
export const moves = sqliteTable(
  'moves',
  {
    occasionId: text('occasion_id').notNull(),
    eventId: text('event_id').notNull(),
    version: integer().notNull(),
    cause: text().notNull(),
    movedAt: integer('moved_at').notNull(),
    fromOccurrence: text('from_occurrence'),
    fromTargetAt: integer('from_target_at'),
    fromOffsetSeconds: integer('from_offset_seconds'),
    fromTimezone: text('from_timezone'),
    toOccurrence: text('to_occurrence'),
    toTargetAt: integer('to_target_at'),
    toOffsetSeconds: integer('to_offset_seconds'),
    toTimezone: text('to_timezone'),
  },
  (table) => [primaryKey({ columns: [table.occasionId, table.eventId, table.version] })],
)
