// The ledger: a row for each day, and a row for each problem with the plan of an occasion.
import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { PLAN_REASONS } from '../../domain/ledger/problem.ts'
import { occasions } from './people.ts'

const count = (name: string) => integer(name).notNull().default(0)

export const ledgerDays = sqliteTable(
  'ledger_days',
  {
    day: text().primaryKey(),
    /** The latest pass over all plans that began on the day by UTC; null if none did. */
    startedAt: integer('started_at'),
    cursor: text(),
    checkedAt: integer('checked_at'),
    closedAt: integer('closed_at'),
    reportedAt: integer('reported_at'),
    due: count('due'),
    onTime: count('on_time'),
    late: count('late'),
    failed: count('failed'),
    notSent: count('not_sent'),
    waiting: count('waiting'),
    missed: count('missed'),
    /** JSON: counts by code. */
    codes: text(),
  },
  () => [check('ledger_days_dates', sql`day like '____-__-__'`)],
)

/** Erased with the occasion. */
export const ledgerProblems = sqliteTable(
  'ledger_problems',
  {
    occasionId: text('occasion_id')
      .notNull()
      .references(() => occasions.id, { onDelete: 'cascade' }),
    reason: text({ enum: PLAN_REASONS }).notNull(),
    eventId: text('event_id'),
    dueAt: integer('due_at'),
    expectedAt: integer('expected_at'),
    foundAt: integer('found_at').notNull(),
    seenAt: integer('seen_at').notNull(),
    goneAt: integer('gone_at'),
  },
  (table) => [primaryKey({ columns: [table.occasionId, table.reason] })],
)
