// Reads the plans of users: each occasion with its task, its open event and its last settled one.
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Occasion } from '../../../domain/occasions/occasion.ts'
import type { OccasionPlan, OpenEvent, SettledEvent } from '../../../ports/store.ts'
import type { DrizzleDatabase } from '../../shared/database.ts'
import { events, occasions, tasks } from '../../tables/sqlite.ts'
import { dialect } from '../dialect.ts'

export async function readPlans(db: DrizzleDatabase, userIds: readonly string[]): Promise<OccasionPlan[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .select({ occasion: occasions, task: tasks, open: OPEN_FIELDS, lastSettled: LAST_SETTLED })
    .from(occasions)
    .leftJoin(tasks, eq(tasks.id, occasions.id))
    .leftJoin(
      events,
      and(eq(events.occasionId, occasions.id), isNotNull(events.wakeAt), isNull(events.replayOf)),
    )
    .where(dialect.isOneOf(occasions.userId, userIds))
    .orderBy(asc(occasions.id))
  return rows.map(({ occasion, task, open, lastSettled }) => ({
    occasion: occasion as Occasion,
    task,
    open: open as OpenEvent | null,
    lastSettled: lastSettled === null ? null : toSettled(lastSettled),
  }))
}

const OPEN_FIELDS = {
  id: events.id,
  occurrence: events.occurrence,
  status: events.status,
  version: events.version,
  targetAt: events.targetAt,
  offsetSeconds: events.offsetSeconds,
  timezone: events.timezone,
  tzVersion: events.tzVersion,
}

// Ordered by instant: the names of occurrences differ between rules and do not compare.
const LAST_SETTLED = sql<
  string | null
>`(SELECT json_array(last.occurrence, last.target_at, last.id, last.status, last.executed_at) FROM events AS last
  WHERE last.occasion_id = ${occasions.id} AND last.wake_at IS NULL
  ORDER BY last.target_at DESC, last.occurrence DESC LIMIT 1)`

function toSettled(json: string): SettledEvent {
  const [occurrence, targetAt, id, status, executedAt] = JSON.parse(json)
  return { occurrence, targetAt, id, status, executedAt }
}
