// Writes occasions with their tasks and their open events: one batch for each operation.
import type { PlannedEvent } from '../../../domain/events/event.ts'
import { laneOf } from '../../../domain/events/lane.ts'
import type { OccasionSave, OccasionStore } from '../../../ports/store.ts'
import { type Columns, nameList, omit, setList } from '../../shared/columns/columns.ts'
import { LANE, type NewEvent } from '../../shared/columns/events.ts'
import { OCCASION, TASK } from '../../shared/columns/people.ts'
import { isOtherSlot, MOVE_COLUMNS, NO_SLOT, saveCause, slotOf } from '../../shared/events/moves.ts'
import { isFree, recordKeyed } from '../../shared/people/keyed-ids.ts'
import { EVENT } from '../events/reschedules.ts'
import { type Executor, overRows, type Statement } from '../executor.ts'
import { jsonTable } from '../json-rows.ts'
import { MARK } from './people.ts'

export function occasionOperations(executor: Executor) {
  return {
    saveOccasion: async (save) => ((await writeBatch(executor, [save])).length === 1 ? 'saved' : 'conflict'),
    saveOccasions: (saves) => writeBatch(executor, saves),
    removeOccasion: (occasionId, at) => removeOccasion(executor, occasionId, at),
  } satisfies Partial<OccasionStore>
}

// The first statements check every precondition and mark the occasion; the others require the mark, which no other writer can
// have set, and the last one removes it. Each statement is for all of the saves: D1 limits the statements of a call.
async function writeBatch(executor: Executor, saves: readonly OccasionSave[]): Promise<string[]> {
  if (saves.length === 0) return []
  const isNew = ({ occasion }: OccasionSave) => occasion.version === 1
  const changed = saves.filter((save) => !isNew(save))
  const tasks = saves.flatMap(({ task }) => task ?? [])
  const versions = saves.map(({ occasion: { id, version } }) => [id, version])
  const results = await executor.batch([
    overRows(INSERT_OCCASIONS, SAVE, saves.filter(isNew)),
    overRows(UPDATE_OCCASIONS, SAVE, changed),
    ...changeOpen(saves),
    overRows(WRITE_TASKS, TASK, tasks),
    { sql: UNMARK_OCCASIONS, params: [JSON.stringify(versions)], returns: true },
  ])
  return results.at(-1)!.rows.map((row) => row[0] as string)
}

const UNMARK_OCCASIONS = `UPDATE occasions SET version = ref.version FROM ${jsonTable(['id', 'version'])} AS ref
  WHERE occasions.id = ref.id AND occasions.version = ${MARK} RETURNING id`

/** An occasion to write, and what its user and event must be. */
const SAVE: Columns<OccasionSave> = {
  ...(Object.fromEntries(
    Object.entries(OCCASION).map(([name, [type, value]]) => [name, [type, (save) => value(save.occasion)]]),
  ) satisfies Columns<OccasionSave>),
  user_version: ['int', ({ userVersion }) => userVersion],
  open_id: ['uuid', ({ open }) => (open.kind === 'insert' ? null : open.eventId)],
  open_version: ['int', ({ open }) => (open.kind === 'insert' ? null : open.version)],
  open_status: ['text', ({ open }) => (open.kind === 'reschedule' ? 'PENDING' : 'PROCESSING')],
}

const ORIGINAL = 'SELECT 1 FROM events WHERE occasion_id = ref.id AND replay_of IS NULL'

const AS_SEEN = `EXISTS (SELECT 1 FROM users WHERE id = ref.user_id AND version = ref.user_version)
  AND CASE WHEN ref.open_id IS NULL THEN NOT EXISTS (${ORIGINAL} AND wake_at IS NOT NULL)
    ELSE EXISTS (${ORIGINAL} AND id = ref.open_id AND version = ref.open_version AND status = ref.open_status) END`

const INSERT_OCCASIONS = `INSERT INTO occasions (${nameList(OCCASION)}) SELECT ${nameList(omit(OCCASION, 'version'), 'ref.')}, ${MARK}
  FROM {rows} AS ref WHERE ${AS_SEEN} AND ${isFree('ref.id')} ON CONFLICT DO NOTHING`

const UPDATE_OCCASIONS = `UPDATE occasions SET ${setList(omit(OCCASION, 'id user_id version'), 'ref')}, version = ${MARK} FROM {rows} AS ref
  WHERE occasions.id = ref.id AND occasions.user_id = ref.user_id AND occasions.version = ref.version - 1 AND ${AS_SEEN}`

/** True if the batch marked the occasion with this id. */
const isMarked = (id: string) => `(SELECT version FROM occasions WHERE id = ${id}) = ${MARK}`

/** The change of an open event, and why. */
type Opened = { save: OccasionSave; eventId: string; to: PlannedEvent | null }

const OPENED: Columns<Opened> = {
  id: ['uuid', ({ eventId }) => eventId],
  occasion: ['uuid', ({ save }) => save.occasion.id],
  occurrence: ['text', ({ to }) => to?.occurrence ?? null],
  target_at: ['instant', ({ to }) => to?.targetAt ?? null],
  offset_seconds: ['int', ({ to }) => to?.offsetSeconds ?? null],
  timezone: ['text', ({ to }) => to?.timezone ?? null],
  tz_version: ['text', ({ to }) => to?.tzVersion ?? null],
  cause: ['text', ({ save }) => saveCause(save)],
  at: ['instant', ({ save }) => save.at],
}

function changeOpen(saves: readonly OccasionSave[]): Statement[] {
  const inserted: (NewEvent & { save: OccasionSave })[] = []
  const [moved, removed, kept]: [Opened[], Opened[], Opened[]] = [[], [], []]
  for (const save of saves) {
    const { open, at } = save
    if (open.kind === 'insert')
      open.event !== null && inserted.push({ save, event: open.event, lane: laneOf(save.occasion), at })
    else if (open.kind === 'keepInFlight') kept.push({ save, eventId: open.eventId, to: null })
    else (open.to === null ? removed : moved).push({ save, eventId: open.eventId, to: open.to })
  }
  const appeared = inserted
    .filter(({ save }) => save.occasion.version > 1)
    .map(({ save, event }) => ({ save, eventId: event.id, to: event }))
  // Moves and removals are recorded first: afterwards the event no longer says where it was.
  return [
    overRows(INSERT_EVENTS, EVENT, inserted),
    overRows(RECORD_INSERTED, OPENED, appeared),
    overRows(RECORD_MOVED, OPENED, moved),
    overRows(RESCHEDULE, OPENED, moved),
    overRows(RECORD_REMOVED, OPENED, removed),
    overRows(DELETE_PENDING, OPENED, removed),
    overRows(REQUEST_REPLAN, OPENED, kept),
    overRows(
      MOVE_LANES,
      LANE,
      saves.map(({ occasion }) => occasion),
    ),
  ]
}

const INSERT_EVENTS = `INSERT INTO events (${nameList(EVENT)}) SELECT ${nameList(EVENT, 'ref.')} FROM {rows} AS ref
  WHERE ${isMarked('ref.occasion_id')}`

const FROM_MARKED = `FROM {rows} AS ref CROSS JOIN events AS e ON e.id = ref.id WHERE ${isMarked('ref.occasion')}`

const RECORD_INSERTED = `INSERT INTO moves (${MOVE_COLUMNS})
  SELECT e.occasion_id, e.id, e.version, ref.cause, ref.at, ${NO_SLOT}, ${slotOf('e.')} ${FROM_MARKED}`

const RECORD_MOVED = `INSERT INTO moves (${MOVE_COLUMNS})
  SELECT e.occasion_id, e.id, e.version + 1, ref.cause, ref.at, ${slotOf('e.')}, ${slotOf('ref.')} ${FROM_MARKED} AND ${isOtherSlot('e.', 'ref.')}`

const RECORD_REMOVED = `INSERT INTO moves (${MOVE_COLUMNS})
  SELECT e.occasion_id, e.id, e.version + 1, ref.cause, ref.at, ${slotOf('e.')}, ${NO_SLOT} ${FROM_MARKED}`

const RESCHEDULE = `UPDATE events SET occurrence = ref.occurrence, target_at = ref.target_at, wake_at = ref.target_at,
    offset_seconds = ref.offset_seconds, timezone = ref.timezone, tz_version = ref.tz_version,
    version = events.version + 1, plan_revision = events.plan_revision + 1, updated_at = ref.at
  FROM {rows} AS ref WHERE events.id = ref.id AND ${isMarked('ref.occasion')}`

// A pending event has no attempts and no body.
const DELETE_PENDING = `DELETE FROM events WHERE id IN (SELECT ref.id FROM {rows} AS ref WHERE ${isMarked('ref.occasion')})`

const REQUEST_REPLAN = `UPDATE events SET plan_revision = plan_revision + 1
  WHERE id IN (SELECT ref.id FROM {rows} AS ref WHERE ${isMarked('ref.occasion')})`

// Also of an event in flight and of a replay.
const MOVE_LANES = `UPDATE events SET lane = ref.lane FROM {rows} AS ref
  WHERE events.occasion_id = ref.id AND events.wake_at IS NOT NULL AND events.lane <> ref.lane AND ${isMarked('ref.id')}`

// A reminder that was sent since the task was read stays recorded.
const WRITE_TASKS = `INSERT INTO tasks (${nameList(TASK)}) SELECT ${nameList(TASK, 'ref.')} FROM {rows} AS ref WHERE ${isMarked('ref.id')}
  ON CONFLICT (id) DO UPDATE SET ${setList(omit(TASK, 'id reminder_sent_at'), 'excluded')}, reminder_sent_at = coalesce(max(reminder_sent_at, excluded.reminder_sent_at),
      reminder_sent_at, excluded.reminder_sent_at)`

async function removeOccasion(executor: Executor, occasionId: string, at: number): Promise<boolean> {
  const events = '(SELECT id FROM events WHERE occasion_id = ?)'
  const results = await executor.batch(
    [
      { sql: RECORD_KEYED, params: [at, occasionId] },
      ...[
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

const RECORD_KEYED = recordKeyed('', { at: '?', which: 'id = ?' })
