// The ledger: a row for each day, and a row for each problem with the plan of an occasion.
import { type Column, sql } from 'drizzle-orm'
import type { PlanReason } from '../../domain/ledger/problem.ts'
import type { Builders, DialectName } from './builders.ts'

export function ledgerTables<D extends DialectName>(
  { table, uuid, text, int, instant, primaryKey, check }: Builders<D>,
  occasions: { id: Column },
) {
  const count = (name: string) => int(name).notNull().default(0)

  const ledgerDays = table(
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
  const ledgerProblems = table(
    'ledger_problems',
    {
      occasionId: uuid('occasion_id')
        .notNull()
        .references(() => occasions.id, { onDelete: 'cascade' }),
      reason: text().$type<PlanReason>().notNull(),
      eventId: uuid('event_id'),
      dueAt: instant('due_at'),
      expectedAt: instant('expected_at'),
      foundAt: instant('found_at').notNull(),
      seenAt: instant('seen_at').notNull(),
      goneAt: instant('gone_at'),
    },
    (columns) => [primaryKey({ columns: [columns.occasionId, columns.reason] })],
  )

  /** Where the report of a closed day goes: one row, or none. */
  const ledgerReport = table('ledger_report', {
    id: int().primaryKey(),
    target: text(),
    /** Another process sends the report of a day until then. */
    sendingUntil: instant('sending_until'),
  })

  return { ledgerDays, ledgerProblems, ledgerReport }
}
