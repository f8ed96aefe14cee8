// The tables of SQLite and D1. Instants are epoch milliseconds; ids are UUIDs as text. The code that both dialects share is typed with
// them: the tables of PostgreSQL have the same columns and row types.
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { EventStatus } from '../../domain/events/event-status.ts'
import type { Builders } from './builders.ts'
import { deliveryTables, openColumns, plannedColumns, settledColumns } from './events.ts'
import { ledgerTables } from './ledger.ts'
import { occasionTables, userTable } from './people.ts'
import { accessTables, channelTables, feedTable, messageTables, processTables } from './settings.ts'

// Typed as what both dialects have: Drizzle's own builders have more.
const sqlite = {
  table: sqliteTable,
  uuid: text,
  text,
  bytewiseText: text,
  int: integer,
  bigint: integer,
  bool: (name: string) => integer(name, { mode: 'boolean' }),
  instant: integer,
  numberedKey: () => integer().primaryKey({ autoIncrement: true }),
  index,
  uniqueIndex,
  primaryKey,
  check,
} as unknown as Builders<'sqlite'>

export const users = userTable(sqlite)
export const { occasions, tasks } = occasionTables(sqlite, users)
export const { payloads, attempts, moves } = deliveryTables(sqlite)
export const { channels, destinations, limitLeases } = channelTables(sqlite)
export const { templates, dismissals } = messageTables(sqlite)
export const { apiKeys, sessions, auditEntries } = accessTables(sqlite)
export const feeds = feedTable(sqlite, users)
export const { timezones, workers } = processTables(sqlite)
export const { ledgerDays, ledgerProblems, ledgerReport } = ledgerTables(sqlite, occasions)

/**
 * True for an event that may be due at another instant than the one its id carries: it was planned again, or is a replay. A
 * query must repeat this text, or the partial index is not used.
 */
export const isDisplaced = (prefix = '') => `(${prefix}plan_revision > 0 or ${prefix}replay_of is not null)`

/** Open events and settled ones. */
export const events = sqliteTable(
  'events',
  {
    /** Carries the instant it was first due: the events of one spike lie side by side in every table. */
    id: text().primaryKey(),
    ...plannedColumns(sqlite),
    ...openColumns(sqlite),
    ...settledColumns(sqlite),
    status: text().$type<EventStatus>().notNull(),
    /** Where it goes (domain/events/lane.ts). Null for settled events that were copied from PostgreSQL. */
    lane: integer(),
    /** When it may be claimed, unless a lease is live; null once terminal. */
    wakeAt: integer('wake_at'),
    executedAt: integer('executed_at'),
  },
  (table) => [
    uniqueIndex('events_one_per_occurrence').on(table.occasionId, table.occurrence),
    index('events_by_lane').on(table.lane, table.wakeAt).where(sql`wake_at is not null`),
    // Not by status: a claim changes that, and would have to look at this index each time.
    index('events_failed').on(table.id).where(sql`failure_code is not null`),
    // Few events are in these two, and a claim changes none of their columns.
    index('events_replays').on(table.occasionId).where(sql`replay_of is not null`),
    index('events_displaced').on(table.targetAt).where(sql.raw(isDisplaced())),
    // What was settled since an instant.
    index('events_by_settlement').on(table.executedAt).where(sql`executed_at is not null`),
  ],
)

/** The words of `search_text` after the first one, which `users_by_name` finds. Written by triggers. */
export const userWords = sqliteTable(
  'user_words',
  { word: text().notNull(), userId: text('user_id').notNull() },
  (table) => [primaryKey({ columns: [table.word, table.userId] })],
)

/** How many users each timezone has: the dashboard must not read every user. Written by triggers. */
export const zoneCounts = sqliteTable('zone_counts', {
  timezone: text().primaryKey(),
  people: integer().notNull(),
})
