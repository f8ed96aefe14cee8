// Open events and settled ones lie in two tables: an open row is narrow, updated in place and then deleted; a settled row is
// written once. docs/decisions/0009 has the figures.
import { sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from '../instant.ts'
import { terce } from './terce.ts'

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
  /** The channel of the latest attempt, or that the event was parked for. Null: it was never tried, or not recorded then. */
  channelId: uuid('channel_id'),
}

/** Open events. PENDING until first claimed, PROCESSING from then on. */
export const events = terce.table(
  'events',
  {
    id: uuid().primaryKey(),
    ...planned,
    wakeAt: instant('wake_at').notNull(),
    /** These are in no index, so that a claim is an update in place (HOT). */
    leaseUntil: instant('lease_until'),
    /** The batch of a provisional lease; null for a final one. */
    leaseBatch: integer('lease_batch'),
    claimedBy: text('claimed_by'),
    claimedAt: instant('claimed_at'),
    planRevision: integer('plan_revision').notNull(),
    /** How often it was parked since it was planned or last retried. */
    parkCount: integer('park_count').notNull().default(0),
  },
  (table) => [
    // Each index that has every event costs a settlement 2 of its 28 µs. The key finds claimed events, and orders lists.
    // An occurrence once; finds the open event of an occasion for edits and deletions.
    uniqueIndex('events_one_per_occurrence').on(table.occasionId, table.occurrence),
    // Claims, the next wake-up, overdue events.
    index('events_by_wake').on(table.wakeAt),
    // The others have few events, and a claim changes none of their columns. Events to wake when a channel recovers.
    index('events_parked').on(table.channelId, table.wakeAt).where(sql`park_count > 0`),
    index('events_parked_by_due').on(table.channelId, table.targetAt).where(sql`park_count > 0`),
    // Lists of failures: whether a replay is open.
    index('events_replays').on(table.occasionId).where(sql`replay_of is not null`),
    // Lists by due date: events whose ids carry another instant.
    index('events_displaced').on(table.targetAt).where(sql`plan_revision > 0 or replay_of is not null`),
  ],
)

/**
 * Terminal events: written once, never changed. Partitioned by the month of the id, by hand (docs/decisions/0023): `id` is unique
 * in all months, the occurrence within a month.
 */
export const settledEvents = terce.table(
  'settled_events',
  {
    id: uuid().notNull(),
    ...planned,
    status: text({ enum: ['COMPLETED', 'FAILED'] }).notNull(),
    claimedBy: text('claimed_by').notNull(),
    claimedAt: instant('claimed_at').notNull(),
    executedAt: instant('executed_at').notNull(),
    statusCode: integer('status_code'),
    failureCode: text('failure_code'),
    lastError: text('last_error'),
    /** Null if the event went out as it was first planned, so that it takes no room in most rows. */
    planRevision: integer('plan_revision'),
    /** JSON: the destination and the response of the attempt that settled it. */
    exchange: text(),
  },
  (table) => [
    // An occurrence once; the last settled event and the history of an occasion.
    primaryKey({ columns: [table.occasionId, table.occurrence] }),
    // A single event, and lists in the order of ids.
    uniqueIndex('settled_events_by_id').on(table.id),
    // Lists and counts of failures; the next two as for open events.
    index('settled_events_failed').on(table.id).where(sql`failure_code is not null`),
    index('settled_events_replays').on(table.occasionId).where(sql`replay_of is not null`),
    index('settled_events_displaced')
      .on(table.targetAt)
      .where(sql`plan_revision is not null or replay_of is not null`),
    // What was settled since an instant. Rows are in that order, so that blocks of them are as good as an entry for each.
    index('settled_events_by_settlement').using('brin', table.executedAt),
  ],
)

/**
 * What an event says, byte for byte, from its first attempt on. Partitioned by the month of the id, by hand. In the event's own row it would fill the page, and the
 * update that brings it would no longer be in place: three index entries instead of one.
 */
export const payloads = terce.table('payloads', {
  eventId: uuid('event_id').primaryKey(),
  body: text().notNull(),
})

/** The attempts that did not settle their event. The one that did is told by the event itself. */
export const attempts = terce.table(
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
    channelId: uuid('channel_id'),
    /** JSON: the destination and the response. */
    exchange: text(),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.number] })],
)

/**
 * The moves of open events. `version` is the event's version after the move. `from` is null for an event that a change
 * inserted, `to` for an event that a change removed.
 */
export const moves = terce.table(
  'moves',
  {
    occasionId: uuid('occasion_id').notNull(),
    eventId: uuid('event_id').notNull(),
    version: integer().notNull(),
    cause: text().notNull(),
    movedAt: instant('moved_at').notNull(),
    fromOccurrence: text('from_occurrence'),
    fromTargetAt: instant('from_target_at'),
    fromOffsetSeconds: integer('from_offset_seconds'),
    fromTimezone: text('from_timezone'),
    toOccurrence: text('to_occurrence'),
    toTargetAt: instant('to_target_at'),
    toOffsetSeconds: integer('to_offset_seconds'),
    toTimezone: text('to_timezone'),
  },
  (table) => [primaryKey({ columns: [table.occasionId, table.eventId, table.version] })],
)

/** Open and settled events as one, instants in epoch milliseconds. */
export const allEvents = terce
  .view('all_events', {
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
    failureCode: text('failure_code'),
    lastError: text('last_error'),
    deliveryPayload: text('delivery_payload'),
    replayOf: uuid('replay_of'),
    ownKey: boolean('own_key').notNull(),
    /** Of the latest attempt; before the first one, the channel of its occasion. */
    channelId: uuid('channel_id'),
    /** `target_at` as it is stored and indexed. */
    dueAt: instant('due_at').notNull(),
    /** It may be due at another instant than the one its id carries: it was planned again, or is a replay. */
    displaced: boolean().notNull(),
    createdAt: doublePrecision('created_at').notNull(),
    updatedAt: doublePrecision('updated_at').notNull(),
  })
  .existing()
