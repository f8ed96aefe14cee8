// The ledger: the journal, and the closed days with their lines.
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { JournalKind } from '../../domain/ledger/journal.ts'
import { LEDGER_COLUMNS } from '../../domain/ledger/line.ts'

/** Rows are appended, erased with their person, and pruned; never changed. */
export const journal = sqliteTable(
  'journal',
  {
    /** Never used again: a line may name an entry that was erased. */
    number: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    kind: text().$type<JournalKind>().notNull(),
    /** Of `person-changed`. */
    userId: text('user_id'),
    /** Of `occasion-changed`. */
    occasionId: text('occasion_id'),
    /** Of the other kinds: the hash of the deleted id, or the zone. */
    subject: text(),
    /** JSON. */
    details: text().notNull(),
  },
  (table) => [
    index('journal_by_user').on(table.userId).where(sql`user_id is not null`),
    index('journal_by_occasion').on(table.occasionId).where(sql`occasion_id is not null`),
    index('journal_by_kind').on(table.kind, table.at).where(sql`user_id is null and occasion_id is null`),
  ],
)

const count = (name: string) => integer(name).notNull().default(0)

/** A row for each day whose account was begun. */
export const ledgerDays = sqliteTable(
  'ledger_days',
  {
    day: text().primaryKey(),
    startedAt: integer('started_at').notNull(),
    closedAt: integer('closed_at'),
    cursor: text(),
    people: count('people'),
    owed: count('owed'),
    delivered: count('delivered'),
    late: count('late'),
    early: count('early'),
    failed: count('failed'),
    excused: count('excused'),
    open: count('open'),
    unexplained: count('unexplained'),
    surplus: count('surplus'),
    carried: count('carried'),
    tzVersion: text('tz_version'),
    hash: text(),
    reportedAt: integer('reported_at'),
    prunedAt: integer('pruned_at'),
  },
  () => [check('ledger_days_dates', sql`day like '____-__-__'`)],
)

/** The lines of each day. Erasing a person keeps what the hash of the day is computed from. */
export const ledgerLines = sqliteTable(
  'ledger_lines',
  {
    day: text().notNull(),
    number: integer().notNull(),
    /** Named `place`, because `column` is a word of SQL. */
    column: text('place', { enum: LEDGER_COLUMNS }).notNull(),
    reason: text(),
    occasionId: text('occasion_id'),
    eventId: text('event_id'),
    occurrence: text(),
    dueAt: integer('due_at'),
    expectedAt: integer('expected_at'),
    settledAt: integer('settled_at'),
    attempt: integer(),
    entry: integer(),
    because: text(),
    carriedFrom: text('carried_from'),
    rank: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.number] }),
    index('ledger_lines_by_occasion').on(table.occasionId, table.day).where(sql`occasion_id is not null`),
    index('ledger_lines_by_event').on(table.eventId).where(sql`event_id is not null`),
    // Lists that begin with problems. Deliveries on time, which are nearly all lines, are read by the key.
    index('ledger_lines_by_rank').on(table.day, table.rank, table.number).where(sql`rank < 7`),
  ],
)

/** The occasions that an account has seen: one that is gone without a deletion in the journal was removed by other means. */
export const ledgerOccasions = sqliteTable('ledger_occasions', {
  occasionId: text('occasion_id').primaryKey(),
})
