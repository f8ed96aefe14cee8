// Writes each occasion with its task and its open event: one batch for each operation.
import type { Occasion } from '../../../domain/occasions/occasion.ts'
import type { NewStoredResponse, OccasionSave, OccasionStore, ResponseExists } from '../../../ports/store.ts'
import { type Columns, omit, rowOf, setList } from '../../shared/columns/columns.ts'
import { OCCASION, TASK } from '../../shared/columns/people.ts'
import { isOtherSlot, MOVE_COLUMNS, NO_SLOT, saveCause, slotOf } from '../../shared/moves.ts'
import type { Executor, Plain, Value } from '../executor.ts'
import { eraseFromLedger, recordOccasion } from '../ledger/journal.ts'
import { EVENT, MARK } from './people.ts'
import { storeResponse, unlessResponseExists } from './responses.ts'

type OccasionOperations = Pick<OccasionStore, 'saveOccasion' | 'removeOccasion'>

export function occasionOperations(executor: Executor): OccasionOperations {
  return {
    saveOccasion: (save, response) => saveOccasion(executor, save, response),
    removeOccasion: (occasionId, at) => removeOccasion(executor, occasionId, at),
  }
}

// The first statements check every precondition: one records the state before, one marks the occasion; the others require the mark, which no other writer can
// have set, and the last one removes it.
function saveOccasion(
  executor: Executor,
  save: OccasionSave,
  response?: NewStoredResponse,
): Promise<'saved' | 'conflict' | ResponseExists> {
  const { occasion, task } = save
  const statements = [...markOccasion(save), ...changeOpen(save)]
  if (task !== null) statements.push({ sql: WRITE_TASK, params: [...rowOf(TASK, task), task.id] })
  if (response !== undefined) statements.push(...storeResponseFor(occasion, response))
  statements.push({ sql: UNMARK_OCCASION, params: [occasion.version, occasion.id] })
  return unlessResponseExists(executor, response, async () => {
    const results = await executor.batch(statements)
    return results.at(-1)!.changes === 1 ? 'saved' : 'conflict'
  })
}

const UNMARK_OCCASION = `UPDATE occasions SET version = ? WHERE id = ? AND version = ${MARK}`

const IS_MARKED = `(SELECT version FROM occasions WHERE id = ?) = ${MARK}`

type Condition = { sql: string; params: Value[] }

function markOccasion(save: OccasionSave): Plain[] {
  const { occasion, userVersion } = save
  const row = rowOf(OCCASION, { ...occasion, version: MARK })
  const open = openAsSeen(save)
  const asSeen = `EXISTS (SELECT 1 FROM users WHERE id = ? AND version = ?) AND ${open.sql}`
  const params = [occasion.userId, userVersion, ...open.params]
  if (occasion.version === 1)
    return [{ sql: `${INSERT_OCCASION} WHERE ${asSeen} ON CONFLICT DO NOTHING`, params: [...row, ...params] }]
  const where = [occasion.id, occasion.userId, occasion.version - 1, ...params]
  return [
    recordOccasion(save, `o.id = ? AND o.user_id = ? AND o.version = ? AND ${asSeen}`, where),
    { sql: `${UPDATE_OCCASION} AND ${asSeen}`, params: [...row, ...where] },
  ]
}

const INSERT_OCCASION = insertInto('occasions', OCCASION)

const UPDATE_OCCASION = `UPDATE occasions SET ${Object.keys(OCCASION)
  .map((column) => `${column} = ?`)
  .join(', ')}
  WHERE id = ? AND user_id = ? AND version = ?`

function insertInto(table: string, columns: Columns<never>): string {
  const names = Object.keys(columns)
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map(() => '?').join(', ')}`
}

function openAsSeen({ occasion, open }: OccasionSave): Condition {
  const original = 'SELECT 1 FROM events WHERE occasion_id = ? AND replay_of IS NULL'
  if (open.kind === 'insert') {
    return { sql: `NOT EXISTS (${original} AND wake_at IS NOT NULL)`, params: [occasion.id] }
  }
  const status = open.kind === 'reschedule' ? 'PENDING' : 'PROCESSING'
  return {
    sql: `EXISTS (${original} AND id = ? AND version = ? AND status = '${status}')`,
    params: [occasion.id, open.eventId, open.version],
  }
}

function changeOpen(save: OccasionSave): Plain[] {
  const { occasion, open, at } = save
  const cause = saveCause(save)
  switch (open.kind) {
    case 'insert':
      if (open.event === null) return []
      return [
        {
          sql: `${INSERT_EVENT} WHERE ${IS_MARKED}`,
          params: [...rowOf(EVENT, { event: open.event, at }), occasion.id],
        },
        ...(occasion.version === 1
          ? []
          : [{ sql: RECORD_INSERTED, params: [cause, at, open.event.id, occasion.id] }]),
      ]
    case 'reschedule': {
      if (open.to === null)
        return [
          { sql: RECORD_REMOVED, params: [cause, at, open.eventId, occasion.id] },
          { sql: DELETE_PENDING, params: [open.eventId, occasion.id] },
        ]
      const { occurrence, targetAt, offsetSeconds, timezone, tzVersion } = open.to
      const to = [occurrence, targetAt, targetAt, offsetSeconds, timezone, tzVersion]
      const slot = JSON.stringify([occurrence, targetAt, offsetSeconds, timezone])
      return [
        { sql: RECORD_MOVED, params: [cause, at, slot, open.eventId, occasion.id] },
        { sql: RESCHEDULE, params: [...to, at, open.eventId, occasion.id] },
      ]
    }
    case 'keepInFlight':
      return [{ sql: REQUEST_REPLAN, params: [open.eventId, occasion.id] }]
  }
}

const INSERT_EVENT = insertInto('events', EVENT)

// A pending event has no attempts and no body.
const DELETE_PENDING = `DELETE FROM events WHERE id = ? AND ${IS_MARKED}`

const RESCHEDULE = `UPDATE events SET occurrence = ?, target_at = ?, wake_at = ?, offset_seconds = ?, timezone = ?, tz_version = ?,
    version = version + 1, plan_revision = plan_revision + 1, updated_at = ?
  WHERE id = ? AND ${IS_MARKED}`

// Moves and removals are recorded first: afterwards the event no longer says where it was.
const RECORD_MOVED = `INSERT INTO moves (${MOVE_COLUMNS}) SELECT e.occasion_id, e.id, e.version + 1, ?, ?, ${slotOf('e.')}, ${slotOf('slot.')}
  FROM (SELECT j.value->>0 AS occurrence, j.value->>1 AS target_at, j.value->>2 AS offset_seconds, j.value->>3 AS timezone
    FROM (SELECT ? AS value) AS j) AS slot CROSS JOIN events AS e
  WHERE e.id = ? AND ${isOtherSlot('e.', 'slot.')} AND ${IS_MARKED}`

const RECORD_REMOVED = `INSERT INTO moves (${MOVE_COLUMNS}) SELECT e.occasion_id, e.id, e.version + 1, ?, ?, ${slotOf('e.')}, ${NO_SLOT}
  FROM events AS e WHERE e.id = ? AND ${IS_MARKED}`

const RECORD_INSERTED = `INSERT INTO moves (${MOVE_COLUMNS}) SELECT e.occasion_id, e.id, e.version, ?, ?, ${NO_SLOT}, ${slotOf('e.')}
  FROM events AS e WHERE e.id = ? AND ${IS_MARKED}`

const REQUEST_REPLAN = `UPDATE events SET plan_revision = plan_revision + 1 WHERE id = ? AND ${IS_MARKED}`

// A reminder that was sent since the task was read stays recorded.
const WRITE_TASK = `${insertInto('tasks', TASK)} WHERE ${IS_MARKED}
  ON CONFLICT (id) DO UPDATE SET ${setList(omit(TASK, 'id reminder_sent_at'), 'excluded')}, reminder_sent_at = coalesce(max(reminder_sent_at, excluded.reminder_sent_at),
      reminder_sent_at, excluded.reminder_sent_at)`

const LINK_RESPONSE = `INSERT INTO response_users (user_id, response_key) SELECT ?, ? WHERE ${IS_MARKED}`

function storeResponseFor({ id, userId }: Occasion, response: NewStoredResponse): Plain[] {
  return [
    ...storeResponse(response, { sql: IS_MARKED, params: [id] }),
    { sql: LINK_RESPONSE, params: [userId, response.key, id] },
  ]
}

async function removeOccasion(executor: Executor, occasionId: string, at: number): Promise<boolean> {
  const events = '(SELECT id FROM events WHERE occasion_id = ?)'
  const results = await executor.batch(
    [
      ...eraseFromLedger('occasion', occasionId, at),
      ...[
        ERASE_RESPONSE,
        `DELETE FROM attempts WHERE event_id IN ${events}`,
        'DELETE FROM moves WHERE occasion_id = ?',
        `DELETE FROM payloads WHERE event_id IN ${events}`,
        'DELETE FROM events WHERE occasion_id = ?',
        // Its task cascades.
        'DELETE FROM occasions WHERE id = ?',
      ].map((sql) => ({ sql, params: [occasionId] })),
    ],
    { erases: true },
  )
  return results.at(-1)!.changes > 0
}

// The stored response of its creation contains its id.
const ERASE_RESPONSE = `UPDATE responses SET body = NULL WHERE key IN (SELECT response_key FROM response_users
    WHERE user_id = (SELECT user_id FROM occasions WHERE id = ?1)) AND instr(body, ?1) > 0`
