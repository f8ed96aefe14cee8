// Writes each occasion with its task and its open event: one transaction for each operation. Every writer locks rows in
// this order, to avoid deadlocks: user, responses, occasion, events, task.
import type {
  NewStoredResponse,
  OccasionSave,
  OccasionStore,
  OpenChange,
  ResponseExists,
} from '../../../ports/store.ts'
import { type Columns, nameList, omit, setList } from '../../shared/columns/columns.ts'
import { NEW_EVENT } from '../../shared/columns/events.ts'
import { OCCASION, TASK } from '../../shared/columns/people.ts'
import { occasionJson } from '../../shared/ledger/journal.ts'
import { MOVE_COLUMNS, saveCause, slotOf } from '../../shared/moves.ts'
import { arrays, unnest } from '../arrays.ts'
import type { Connection, Run } from '../connection.ts'
import { moveSeen, removePending, requestReplan, settledBefore } from '../events/reschedules.ts'
import { atMs } from '../instant.ts'
import { append, eraseFromLedger, LOCK_ERASURE, OCCASION_STATE } from '../ledger/journal.ts'
import { eraseEvents } from './erase.ts'
import { deleteResponse, storeResponse } from './responses.ts'

type OccasionOperations = Pick<OccasionStore, 'saveOccasion' | 'removeOccasion'>

export function occasionOperations(connection: Connection): OccasionOperations {
  return {
    saveOccasion: (save, response) => saveOccasion(connection, save, response),
    removeOccasion: (occasionId, at) => removeOccasion(connection, occasionId, at),
  }
}

async function saveOccasion(
  connection: Connection,
  save: OccasionSave,
  response?: NewStoredResponse,
): Promise<'saved' | 'conflict' | ResponseExists> {
  return connection.transaction(async (run) => {
    const [user] = await run({ text: LOCK_USER, values: [save.occasion.userId, save.userVersion] })
    if (user === undefined) return 'conflict'
    const first = response && (await storeResponse(run, response))
    if (first) return first
    if (!(await write(run, save))) {
      if (response !== undefined) await deleteResponse(run, response)
      return 'conflict'
    }
    if (response !== undefined)
      await run({ text: LINK_RESPONSE, values: [save.occasion.userId, response.key] })
    return 'saved'
  })
}

const LOCK_USER = 'SELECT id FROM terce.users WHERE id = $1 AND version = $2 FOR UPDATE'

/** False, and nothing is written, if the occasion or its event was changed meanwhile. */
async function write(run: Run, save: OccasionSave): Promise<boolean> {
  const { occasion, task } = save
  const before = await lockAsSeen(run, save)
  if (before === null) return false
  const written = await run({
    text: occasion.version === 1 ? INSERT_OCCASION : UPDATE_OCCASION,
    values: arrays(OCCASION, [occasion]),
  })
  if (written.length === 0) return false
  if (before !== 'none' && before !== occasionJson(occasion, task))
    await append(run, { kind: 'occasion-changed', at: save.at, occasionId: occasion.id }, before)
  await changeOpen(run, save)
  if (task !== null) await run({ text: WRITE_TASK, values: arrays(TASK, [task]) })
  return true
}

/** The state before, as JSON, or `none` for a new occasion. Null if the occasion or its event was changed meanwhile. */
async function lockAsSeen(run: Run, { occasion, open }: OccasionSave): Promise<string | null> {
  let state = 'none'
  if (occasion.version > 1) {
    const before = await run({
      text: LOCK_OCCASION,
      values: [occasion.id, occasion.userId, occasion.version - 1],
    })
    if (before.length === 0) return null
    state = JSON.stringify(before[0]![0])
  }
  const events = await run({ text: LOCK_OPEN_EVENTS, values: [occasion.id] })
  return events.map(String).join() === openAsSeen(open) ? state : null
}

const LOCK_OCCASION = `SELECT ${OCCASION_STATE} FROM terce.occasions AS o LEFT JOIN terce.tasks AS t ON t.id = o.id
  WHERE o.id = $1 AND o.user_id = $2 AND o.version = $3 FOR UPDATE OF o`

const LOCK_OPEN_EVENTS = `SELECT id, version, claimed_at IS NOT NULL FROM terce.events
  WHERE occasion_id = $1 AND replay_of IS NULL ORDER BY id FOR UPDATE`

const LINK_RESPONSE = 'INSERT INTO terce.response_users (user_id, response_key) VALUES ($1, $2)'

function openAsSeen(open: OpenChange): string {
  return open.kind === 'insert' ? '' : [open.eventId, open.version, open.kind === 'keepInFlight'].join()
}

const insertInto = (table: string, columns: Columns<never>) =>
  `INSERT INTO ${table} (${nameList(columns)}) SELECT ${nameList(columns)} FROM ${unnest(columns)}`

const INSERT_OCCASION = `${insertInto('terce.occasions', OCCASION)} ON CONFLICT DO NOTHING RETURNING id`

const UPDATE_OCCASION = `UPDATE terce.occasions AS o SET ${setList(OCCASION, 'ref')} FROM ${unnest(OCCASION)}
  WHERE o.id = ref.id RETURNING o.id`

// A reminder that was sent since the task was read stays recorded.
const WRITE_TASK = `${insertInto('terce.tasks', TASK)} ON CONFLICT (id) DO UPDATE SET
  ${setList(omit(TASK, 'id reminder_sent_at'), 'excluded')}, reminder_sent_at = greatest(tasks.reminder_sent_at, excluded.reminder_sent_at)`

async function changeOpen(run: Run, save: OccasionSave): Promise<void> {
  const { open, at, occasion } = save
  const cause = saveCause(save)
  switch (open.kind) {
    case 'insert': {
      if (open.event === null) return
      const inserted = await run({
        text: INSERT_EVENT,
        values: arrays(NEW_EVENT, [{ event: open.event, at }]),
      })
      if (inserted.length === 0) throw settledBefore(open.event)
      if (occasion.version > 1) await run({ text: RECORD_INSERTED, values: [open.event.id, cause, at] })
      return
    }
    case 'reschedule':
      if (open.to !== null) return moveSeen(run, [open], { at, cause })
      return removePending(run, [open.eventId], { at, cause })
    case 'keepInFlight':
      return requestReplan(run, [open.eventId])
  }
}

const RECORD_INSERTED = `INSERT INTO terce.moves (${MOVE_COLUMNS})
  SELECT e.occasion_id, e.id, e.version, $2, ${atMs('$3')}, NULL, NULL::timestamptz, NULL::int, NULL, ${slotOf('e.')}
  FROM terce.events AS e WHERE e.id = $1`

const INSERT_EVENT = `${insertInto('terce.events', NEW_EVENT)} WHERE NOT EXISTS (SELECT 1 FROM terce.settled_events AS s
  WHERE s.occasion_id = ref.occasion_id AND s.occurrence = ref.occurrence) RETURNING id`

async function removeOccasion(connection: Connection, occasionId: string, at: number): Promise<boolean> {
  return connection.transaction(async (run) => {
    await run(LOCK_ERASURE)
    await run({ text: ERASE_RESPONSE, values: [occasionId] })
    const erased = await eraseEvents(run, 'id', occasionId, at)
    // Its task cascades.
    const gone = await run({
      text: 'DELETE FROM terce.occasions WHERE id = $1 RETURNING id',
      values: [occasionId],
    })
    if (gone.length === 0) return false
    await eraseFromLedger(run, { of: 'occasion', id: occasionId, at }, erased)
    return true
  })
}

// The stored response of its creation contains its id.
const ERASE_RESPONSE = `UPDATE terce.responses SET body = NULL WHERE key IN (SELECT response_key FROM terce.response_users
    WHERE user_id = (SELECT user_id FROM terce.occasions WHERE id = $1::uuid)) AND position($1::uuid::text IN body) > 0`
