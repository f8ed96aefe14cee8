// Writes occasions with their tasks and their open events: one transaction for each operation. Every writer locks rows in
// this order, to avoid deadlocks: users, occasions, events, tasks; the rows of a table by id.
import { laneOf } from '../../../domain/events/lane.ts'
import type { OccasionSave, OccasionStore, OpenChange } from '../../../ports/store.ts'
import { type Columns, nameList, omit, setList } from '../../shared/columns/columns.ts'
import { OCCASION, TASK } from '../../shared/columns/people.ts'
import { saveCause } from '../../shared/events/moves.ts'
import { recordKeyed } from '../../shared/people/keyed-ids.ts'
import { arrays, unnest, uuids } from '../arrays.ts'
import type { Connection, Run } from '../connection.ts'
import { ids } from '../events/claim.ts'
import { insertPlanned, moveLanes, moveSeen, removePending, requestReplan } from '../events/reschedules.ts'
import { atMs } from '../instant.ts'
import { eraseEvents } from './erase.ts'
import { isAnyDeleted } from './people.ts'

export function occasionOperations(connection: Connection) {
  return {
    saveOccasion: (save) => saveOccasion(connection, save),
    saveOccasions: (saves) => connection.byKeys(async (run) => write(run, await lockUsers(run, saves))),
    removeOccasion: (occasionId, at) => removeOccasion(connection, occasionId, at),
  } satisfies Partial<OccasionStore>
}

async function saveOccasion(connection: Connection, save: OccasionSave): Promise<'saved' | 'conflict'> {
  const { id, version } = save.occasion
  const work = async (run: Run) => {
    const saved = await write(run, await lockUsers(run, [save]))
    if (saved.length === 0) return 'conflict'
    if (version === 1 && (await isAnyDeleted(run, [id]))) throw new DeletedKey()
    return 'saved'
  }
  try {
    return await connection.transaction(work)
  } catch (error) {
    if (error instanceof DeletedKey) return 'conflict'
    throw error
  }
}

/** Rolls back the transaction that creates an occasion. */
class DeletedKey extends Error {}

const LOCK_USERS = 'SELECT id, version FROM terce.users WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE'

/** The saves whose user is at the version seen. */
async function lockUsers(run: Run, saves: readonly OccasionSave[]): Promise<OccasionSave[]> {
  const users = [uuids(saves.map(({ occasion }) => occasion.userId))]
  const seen = new Set((await run({ text: LOCK_USERS, values: users })).map(String))
  return saves.filter(({ occasion, userVersion }) => seen.has(`${occasion.userId},${userVersion}`))
}

/** Writes the saves whose occasion and event are as seen, and returns the ids of the occasions. */
async function write(run: Run, saves: readonly OccasionSave[]): Promise<string[]> {
  if (saves.length === 0) return []
  const occasionIds = [uuids(saves.map(({ occasion }) => occasion.id))]
  const before = new Map(
    (await run({ text: LOCK_OCCASIONS, values: occasionIds })).map(([id, ...seen]) => [id, seen]),
  )
  const events = Map.groupBy(await run({ text: LOCK_OPEN_EVENTS, values: occasionIds }), ([id]) => id)
  const asSeen = saves.filter(({ occasion, open }) => {
    const { id, userId, version } = occasion
    const was = before.get(id)
    const isSeen = version === 1 ? was === undefined : String(was) === `${userId},${version - 1}`
    return isSeen && (events.get(id) ?? []).map(([, ...event]) => event).join() === openAsSeen(open)
  })
  const isNew = ({ occasion }: OccasionSave) => occasion.version === 1
  const inserted = await writeRows(run, INSERT_OCCASIONS, asSeen.filter(isNew))
  const updated = await writeRows(
    run,
    UPDATE_OCCASIONS,
    asSeen.filter((save) => !isNew(save)),
  )
  const written = [...inserted, ...updated]
  await changeOpen(run, written)
  const tasks = written.flatMap(({ task }) => task ?? [])
  if (tasks.length > 0) await run({ text: WRITE_TASKS, values: arrays(TASK, tasks) })
  return written.map(({ occasion }) => occasion.id)
}

/** The saves whose row was written. */
async function writeRows(run: Run, text: string, saves: readonly OccasionSave[]): Promise<OccasionSave[]> {
  if (saves.length === 0) return []
  const occasions = saves.map(({ occasion }) => occasion)
  const written = new Set(ids(await run({ text, values: arrays(OCCASION, occasions) })))
  return saves.filter(({ occasion }) => written.has(occasion.id))
}

const LOCK_OCCASIONS =
  'SELECT id, user_id, version FROM terce.occasions WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE'

const LOCK_OPEN_EVENTS = `SELECT occasion_id, id, version, claimed_at IS NOT NULL FROM terce.events
  WHERE occasion_id = ANY ($1::uuid[]) AND replay_of IS NULL ORDER BY id FOR UPDATE`

function openAsSeen(open: OpenChange): string {
  return open.kind === 'insert' ? '' : [open.eventId, open.version, open.kind === 'keepInFlight'].join()
}

const insertInto = (table: string, columns: Columns<never>) =>
  `INSERT INTO ${table} (${nameList(columns)}) SELECT ${nameList(columns)} FROM ${unnest(columns)}`

const INSERT_OCCASIONS = `${insertInto('terce.occasions', OCCASION)} ON CONFLICT DO NOTHING RETURNING id`

const UPDATE_OCCASIONS = `UPDATE terce.occasions AS o SET ${setList(OCCASION, 'ref')} FROM ${unnest(OCCASION)}
  WHERE o.id = ref.id RETURNING o.id`

// A reminder that was sent since the task was read stays recorded.
const WRITE_TASKS = `${insertInto('terce.tasks', TASK)} ON CONFLICT (id) DO UPDATE SET
  ${setList(omit(TASK, 'id reminder_sent_at'), 'excluded')}, reminder_sent_at = greatest(tasks.reminder_sent_at, excluded.reminder_sent_at)`

/** The saves have one cause and one instant, or are one save. */
async function changeOpen(run: Run, saves: readonly OccasionSave[]): Promise<void> {
  const [first] = saves
  if (first === undefined) return
  const how = { at: first.at, cause: saveCause(first) }
  const opens = saves.map(({ open }) => open)
  const eventsOf = (some: readonly OccasionSave[]) =>
    some.flatMap(({ open, occasion }) =>
      open.kind === 'insert' && open.event !== null ? [{ event: open.event, lane: laneOf(occasion) }] : [],
    )
  const isNew = ({ occasion }: OccasionSave) => occasion.version === 1
  const created = eventsOf(saves.filter(isNew))
  const appeared = eventsOf(saves.filter((save) => !isNew(save)))
  if (created.length > 0) await insertPlanned(run, created, { ...how, cause: null })
  if (appeared.length > 0) await insertPlanned(run, appeared, how)
  const pending = opens.filter((open) => open.kind === 'reschedule')
  const moved = pending.filter(({ to }) => to !== null)
  if (moved.length > 0) await moveSeen(run, moved, how)
  const removed = pending.filter(({ to }) => to === null).map(({ eventId }) => eventId)
  if (removed.length > 0) await removePending(run, removed, how)
  const kept = opens.filter((open) => open.kind === 'keepInFlight').map(({ eventId }) => eventId)
  if (kept.length > 0) await requestReplan(run, kept)
  const changed = saves.filter((save) => !isNew(save)).map(({ occasion }) => occasion)
  if (changed.length > 0) await moveLanes(run, changed)
}

async function removeOccasion(connection: Connection, occasionId: string, at: number): Promise<boolean> {
  return connection.transaction(async (run) => {
    await eraseEvents(run, 'id', [occasionId])
    await run({ text: RECORD_KEYED, values: [occasionId, at] })
    // Its task and its problems in the ledger cascade.
    const gone = await run({
      text: 'DELETE FROM terce.occasions WHERE id = $1 RETURNING id',
      values: [occasionId],
    })
    return gone.length > 0
  })
}

const RECORD_KEYED = recordKeyed('terce.', { at: atMs('$2'), which: 'id = $1::uuid' })
