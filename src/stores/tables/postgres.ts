// The tables of PostgreSQL. Open events and settled ones lie in two tables: an open row is narrow, updated in place and then deleted; a
// settled row is written once. docs/decisions/0009 has the figures.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  pgSchema,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { EventStatus, TerminalStatus } from '../../domain/events/event-status.ts'
import type { Builders } from './builders.ts'
import { enqueueTable } from './enqueue.ts'
import { deliveryTables, openColumns, plannedColumns, settledColumns } from './events.ts'
import { ledgerTables } from './ledger.ts'
import { occasionTables, userTable } from './people.ts'
import { accessTables, channelTables, feedTable, messageTables, processTables } from './settings.ts'

/**
 * The schema that all objects of Terce lie in. SQL names it `terce`; a connection to an installation in another schema
 * replaces the name.
 */
export const SCHEMA = 'terce'

const terce = pgSchema(SCHEMA)

/** A timestamp to the millisecond. */
const instant = customType<{ data: number; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: (text) => Date.parse(text),
  toDriver: (instant) => new Date(instant).toISOString(),
})

const long = (name?: string) => bigint(name ?? '', { mode: 'number' })

// Typed as what both dialects have: Drizzle's own builders have more.
const postgres = {
  table: terce.table,
  uuid,
  text,
  bytewiseText: customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' }),
  int: integer,
  bigint: long,
  bool: boolean,
  instant,
  numberedKey: () => long().primaryKey().generatedAlwaysAsIdentity(),
  index,
  uniqueIndex,
  primaryKey,
  check,
} as unknown as Builders<'pg'>

/** The words of a user, for queries by the beginning of a word. A query must repeat this text, or the index is not used. */
export const SEARCH_WORDS = `array_to_tsvector(array_remove(string_to_array(search_text, ' '), ''))`

export const users = userTable(postgres, [index('users_by_words').using('gin', sql.raw(SEARCH_WORDS))])
export const { occasions, tasks } = occasionTables(postgres, users)
/** `payloads` is partitioned as `settled_events` is. */
export const { payloads, attempts, moves } = deliveryTables(postgres)
export const { channels, destinations, limitLeases } = channelTables(postgres)
export const { templates, dismissals } = messageTables(postgres)
export const { apiKeys, sessions, auditEntries } = accessTables(postgres)
export const feeds = feedTable(postgres, users)
export const { timezones, workers } = processTables(postgres)
export const { ledgerDays, ledgerProblems, ledgerReport } = ledgerTables(postgres, occasions)
export const enqueuedChanges = enqueueTable(postgres)

/** Open events. PENDING until first claimed, PROCESSING from then on. */
export const events = terce.table(
  'events',
  {
    id: uuid().primaryKey(),
    ...plannedColumns(postgres),
    ...openColumns(postgres),
    /** Where it goes (domain/events/lane.ts). */
    lane: long().notNull(),
    wakeAt: instant('wake_at').notNull(),
  },
  (table) => [
    // Each index that has every event costs a settlement 2 of its 28 µs. The key finds claimed events, and orders lists.
    // An occurrence once; finds the open event of an occasion for edits and deletions.
    uniqueIndex('events_one_per_occurrence').on(table.occasionId, table.occurrence),
    // Claims, the next wake-up, overdue events.
    index('events_by_lane').on(table.lane, table.wakeAt),
    // The others have few events, and a claim changes none of their columns. Lists of failures: whether a replay is open.
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
    ...plannedColumns(postgres),
    ...settledColumns(postgres),
    status: text().$type<TerminalStatus>().notNull(),
    claimedBy: text('claimed_by').notNull(),
    claimedAt: instant('claimed_at').notNull(),
    executedAt: instant('executed_at').notNull(),
    /** Null if the event went out as it was first planned, so that it takes no room in most rows. */
    planRevision: integer('plan_revision'),
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

/** Open and settled events as one, instants in epoch milliseconds. */
export const allEvents = terce
  .view('all_events', {
    id: uuid().notNull(),
    /** `channelId`, before the first attempt, is the channel of the occasion. */
    ...plannedColumns({ ...postgres, instant: doublePrecision as unknown as typeof postgres.instant }),
    userId: uuid('user_id').notNull(),
    eventType: text('event_type').notNull(),
    status: text().$type<EventStatus>().notNull(),
    wakeAt: doublePrecision('wake_at'),
    claimedBy: text('claimed_by'),
    claimedAt: doublePrecision('claimed_at'),
    executedAt: doublePrecision('executed_at'),
    statusCode: integer('status_code'),
    failureCode: text('failure_code'),
    lastError: text('last_error'),
    deliveryPayload: text('delivery_payload'),
    /** `target_at` as it is stored and indexed. */
    dueAt: instant('due_at').notNull(),
    /** It may be due at another instant than the one its id carries: it was planned again, or is a replay. */
    displaced: boolean().notNull(),
  })
  .existing()
