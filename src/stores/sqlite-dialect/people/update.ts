// Changes a user together with their open events: one batch, whose statements state the precondition.
import type { NewOpenEvent, UserUpdate } from '../../../ports/store.ts'
import { type Columns, nameList, rowOf, rowsOf } from '../../shared/columns/columns.ts'
import { USER } from '../../shared/columns/people.ts'
import { isOtherSlot, MOVE_COLUMNS, NO_SLOT, slotOf, userCause } from '../../shared/events/moves.ts'
import { EXTERNAL_ID, violates } from '../../shared/unique.ts'
import { EVENT, type GuardedEvent, RESCHEDULES, SEEN_EVENT } from '../events/reschedules.ts'
import type { Executor, Statement } from '../executor.ts'
import { jsonTable } from '../json-rows.ts'

export async function updateUser(
  executor: Executor,
  { user, reschedules, inserts = [] }: UserUpdate,
): Promise<'updated' | 'conflict' | 'taken'> {
  const rows = (some: readonly GuardedEvent[]) => JSON.stringify(rowsOf(SEEN_EVENT, some))
  const added = inserts.map(
    ({ event }): GuardedEvent => ({ eventId: event.id, version: 1, to: null, isNew: true }),
  )
  const all = reschedules && [...reschedules, ...added]
  const kept = all?.filter(({ removed }) => !removed)
  const seen = kept === undefined ? null : rows(kept)
  const guard = [seen, user.id, user.version - 1]
  const statements: Statement[] = [{ sql: WRITE_USER, params: [...guard, ...rowOf(USER, user)] }]
  // Events first, while the user's version still proves that there was no conflict; the user last.
  if (seen !== null) {
    const params = [...guard, user.updatedAt]
    statements.unshift({ sql: RECORD_MOVES, params }, { sql: RESCHEDULE, params })
  }
  // Deleted before the others: if the delete finds a conflict, an event is left that the other statements do not list.
  if (all !== null && all.length > kept!.length) {
    const params = [rows(all), user.id, user.version - 1]
    statements.unshift(
      { sql: RECORD_REMOVED, params: [...params, user.updatedAt] },
      { sql: DELETE_REMOVED, params },
    )
  }
  // Inserted before everything else: if the insert finds a conflict, an event is missing that the other statements list.
  if (all !== null && inserts.length > 0) {
    const params = [user.id, user.version - 1]
    const events = rowsOf(
      NEW_OPEN,
      inserts.map((one) => ({ ...one, at: user.updatedAt })),
    )
    statements.unshift(
      { sql: INSERT_EVENTS, params: [rows(reschedules!), ...params, JSON.stringify(events)] },
      { sql: RECORD_INSERTED, params: [rows(all), ...params, user.updatedAt] },
    )
  }
  try {
    const results = await executor.batch(statements)
    return results.at(-1)!.changes > 0 ? 'updated' : 'conflict'
  } catch (error) {
    if (violates(error, EXTERNAL_ID)) return 'taken'
    throw error
  }
}

// In these statements: ?1 the open events seen (JSON, null if they do not matter), ?2 the user, ?3 the version seen.
/** True if the user's open events are the ones seen, no more and no fewer, each at the version given. */
function openEventsAt(version: string): string {
  return `json_array_length(?1) = (SELECT count(*) FROM events WHERE wake_at IS NOT NULL AND replay_of IS NULL
      AND occasion_id IN (SELECT id FROM occasions WHERE user_id = ?2))
    AND json_array_length(?1) = (SELECT count(*) FROM ${RESCHEDULES} AS s CROSS JOIN events AS e
      ON e.id = s.id AND e.version = ${version}
      AND e.status = CASE WHEN s.target_at IS NULL AND s.removed = 0 AND s.is_new = 0 THEN 'PROCESSING' ELSE 'PENDING' END)`
}

const NEW_OPEN: Columns<NewOpenEvent & { at: number }> = {
  ...EVENT,
  occasion_version: ['int', ({ occasionVersion }) => occasionVersion],
}

const NEW_EVENTS = jsonTable(Object.keys(NEW_OPEN), '?4')

const INSERT_EVENTS = `INSERT INTO events (${nameList(EVENT)}) SELECT ${nameList(EVENT, 'ref.')} FROM ${NEW_EVENTS} AS ref
  WHERE (SELECT version FROM users WHERE id = ?2) = ?3 AND ${openEventsAt('s.version')}
    AND json_array_length(?4) = (SELECT count(*) FROM ${NEW_EVENTS} AS n CROSS JOIN occasions AS o
      ON o.id = n.occasion_id AND o.user_id = ?2 AND o.version = n.occasion_version)`

const RECORD_INSERTED = `INSERT INTO moves (${MOVE_COLUMNS})
  SELECT e.occasion_id, e.id, e.version, ${userCause('s.cause', 'u.timezone', 'e.timezone')}, ?4, ${NO_SLOT}, ${slotOf('e.')}
  FROM ${RESCHEDULES} AS s CROSS JOIN events AS e ON e.id = s.id AND s.is_new = 1
  CROSS JOIN users AS u ON u.id = ?2 AND u.version = ?3`

const IS_REMOVED = `id IN (SELECT id FROM ${RESCHEDULES} WHERE removed = 1)
    AND (SELECT version FROM users WHERE id = ?2) = ?3
    AND ${openEventsAt('s.version')}`

const RECORD_REMOVED = `INSERT INTO moves (${MOVE_COLUMNS})
  SELECT occasion_id, id, version + 1, 'BIRTH_DATE_CHANGED', ?4, ${slotOf('')}, ${NO_SLOT}
  FROM events WHERE ${IS_REMOVED}`

const DELETE_REMOVED = `DELETE FROM events WHERE ${IS_REMOVED}`

const RESCHEDULE = `UPDATE events SET
    occurrence = coalesce(seen.occurrence, events.occurrence),
    target_at = coalesce(seen.target_at, events.target_at),
    wake_at = coalesce(seen.target_at, events.wake_at),
    offset_seconds = coalesce(seen.offset_seconds, events.offset_seconds),
    timezone = coalesce(seen.timezone, events.timezone),
    tz_version = coalesce(seen.tz_version, events.tz_version),
    version = events.version + (seen.target_at IS NOT NULL),
    plan_revision = events.plan_revision + 1,
    updated_at = ?4
  FROM ${RESCHEDULES} AS seen
  WHERE events.id = seen.id
    AND (SELECT version FROM users WHERE id = ?2) = ?3
    AND ${openEventsAt('s.version')}`

const RECORD_MOVES = `INSERT INTO moves (${MOVE_COLUMNS})
  SELECT e.occasion_id, e.id, e.version + 1, ${userCause('seen.cause', 'e.timezone', 'seen.timezone')}, ?4, ${slotOf('e.')}, ${slotOf('seen.')}
  FROM ${RESCHEDULES} AS seen CROSS JOIN events AS e ON e.id = seen.id AND seen.target_at IS NOT NULL
  WHERE ${isOtherSlot('e.', 'seen.')}
    AND (SELECT version FROM users WHERE id = ?2) = ?3
    AND ${openEventsAt('s.version')}`

/** Compares more than the version: a concurrent change of the occasion or of the timezone's rules raises it too. */
const MOVED = `s.version + (s.target_at IS NOT NULL) AND e.target_at = coalesce(s.target_at, e.target_at)
  AND e.occurrence = coalesce(s.occurrence, e.occurrence) AND e.timezone = coalesce(s.timezone, e.timezone)`

const AS_SEEN = `id = ?2 AND version = ?3 AND (?1 IS NULL OR (${openEventsAt(MOVED)}))`

const WRITE_USER = `UPDATE users SET ${Object.keys(USER)
  .map((column, i) => `${column} = ?${i + 4}`)
  .join(', ')}
  WHERE ${AS_SEEN}`
