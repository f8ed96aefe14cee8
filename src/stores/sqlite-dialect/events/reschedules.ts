// Moves pending events: the row forms of a new event and of a move, and the replan after a change of timezone rules.
import type { Reschedule } from '../../../ports/store.ts'
import { type Columns, rowsOf } from '../../shared/columns/columns.ts'
import { MOVE, NEW_EVENT, type NewEvent } from '../../shared/columns/events.ts'
import { isOtherSlot, MOVE_COLUMNS, slotOf } from '../../shared/events/moves.ts'
import type { Executor } from '../executor.ts'
import { jsonTable } from '../json-rows.ts'

/** A settled event lies in the same table: its status tells them apart. */
export const EVENT: Columns<NewEvent> = { ...NEW_EVENT, status: ['text', () => 'PENDING'] }

/** An open event as a caller has seen it, and where it moves; or an event that the batch itself inserts. */
export type GuardedEvent = Reschedule & { isNew?: boolean }

export const SEEN_EVENT: Columns<GuardedEvent> = {
  ...MOVE,
  removed: ['int', ({ removed }) => (removed ? 1 : 0)],
  is_new: ['int', ({ isNew }) => (isNew ? 1 : 0)],
}

/** The rows as a table, from ?1: one JSON parameter. */
export const RESCHEDULES = jsonTable(Object.keys(SEEN_EVENT), '?1')

// Also skipped: an event whose new occurrence was settled before.
const REPLAN = `UPDATE OR IGNORE events SET occurrence = ref.occurrence, target_at = ref.target_at,
    wake_at = ref.target_at, offset_seconds = ref.offset_seconds, timezone = ref.timezone, tz_version = ref.tz_version,
    version = events.version + 1, plan_revision = events.plan_revision + 1, updated_at = ?2
  FROM ${RESCHEDULES} AS ref
  WHERE events.id = ref.id AND events.version = ref.version AND events.status = 'PENDING'
  RETURNING id`

const RECORD_REPLAN = `INSERT INTO moves (${MOVE_COLUMNS})
  SELECT e.occasion_id, e.id, e.version + 1, 'TIMEZONE_RULES_CHANGED', ?2, ${slotOf('e.')}, ${slotOf('ref.')}
  FROM ${RESCHEDULES} AS ref CROSS JOIN events AS e ON e.id = ref.id AND e.version = ref.version AND e.status = 'PENDING'
  WHERE ${isOtherSlot('e.', 'ref.')} AND NOT EXISTS (SELECT 1 FROM events AS other
    WHERE other.occasion_id = e.occasion_id AND other.occurrence = ref.occurrence AND other.id <> e.id)`

export async function replan(
  executor: Executor,
  reschedules: readonly Reschedule[],
  at: number,
): Promise<string[]> {
  const moves = reschedules.filter(({ to }) => to !== null)
  if (moves.length === 0) return []
  const params = [JSON.stringify(rowsOf(SEEN_EVENT, moves)), at]
  // Recorded first: afterwards the events no longer say where they were.
  const results = await executor.batch([
    { sql: RECORD_REPLAN, params },
    { sql: REPLAN, params, returns: true },
  ])
  return results.at(-1)!.rows.map((row) => row[0] as string)
}
