// The ledger: a row for each day, and a row for each problem with the plan of an occasion.
import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { PLAN_REASONS } from '../../../domain/ledger/problem.ts'
import { instant } from '../instant.ts'
import { occasions } from '../schema/people.ts'
import { terce } from '../schema/terce.ts'

const count = (name: string) => integer(name).notNull().default(0)

export const ledgerDays = terce.table(
  'ledger_days',
  {
    day: text().primaryKey(),
    /** The latest pass over all plans that began on the day by UTC; null if none did. */
    startedAt: instant('started_at'),
    cursor: text(),
    checkedAt: instant('checked_at'),
    closedAt: instant('closed_at'),
    reportedAt: instant('reported_at'),
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
export const ledgerProblems = terce.table(
  'ledger_problems',
  {
    occasionId: uuid('occasion_id')
      .notNull()
      .references(() => occasions.id, { onDelete: 'cascade' }),
    reason: text({ enum: PLAN_REASONS }).notNull(),
    eventId: uuid('event_id'),
    dueAt: instant('due_at'),
    expectedAt: instant('expected_at'),
    foundAt: instant('found_at').notNull(),
    seenAt: instant('seen_at').notNull(),
    goneAt: instant('gone_at'),
  },
  (table) => [primaryKey({ columns: [table.occasionId, table.reason] })],
)
