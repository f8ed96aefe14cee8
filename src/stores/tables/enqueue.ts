// Changes that applications enqueue by SQL on PostgreSQL: see docs/enqueue.md. The functions that insert them are in the migration.
import { sql } from 'drizzle-orm'
import { jsonb } from 'drizzle-orm/pg-core'
import type { EnqueuedOperation } from '../../ports/enqueue.ts'
import type { Builders } from './builders.ts'

/** A row is deleted when its change is applied, and stays if the change is rejected. */
export function enqueueTable({ table, numberedKey, text, int, instant, index }: Builders<'pg'>) {
  return table(
    'enqueued_changes',
    {
      id: numberedKey(),
      operation: text().$type<EnqueuedOperation>().notNull(),
      externalId: text('external_id').notNull(),
      /** Null for a deletion. */
      body: jsonb(),
      enqueuedAt: instant('enqueued_at').notNull().default(sql`clock_timestamp()`),
      /** How often applying it failed with an unexpected error. */
      failures: int().notNull().default(0),
      retryAt: instant('retry_at'),
      /** The problem document (RFC 9457) of the last attempt. */
      problem: jsonb(),
      /** Not null for a change that is not tried again. */
      rejectedAt: instant('rejected_at'),
    },
    (columns) => [
      index('enqueued_changes_by_external_id').on(columns.externalId, columns.id),
      index('enqueued_changes_pending').on(columns.id).where(sql`rejected_at is null`),
    ],
  )
}
