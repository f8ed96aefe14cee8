// Moves, inserts and removes pending events: when a user or an occasion changes, and when the rules of a timezone do.
import type { MoveCause } from '../../../domain/events/move.ts'
import type { Occasion } from '../../../domain/occasions/occasion.ts'
import type { Reschedule } from '../../../ports/store.ts'
import { nameList } from '../../shared/columns/columns.ts'
import { LANE, MOVE, NEW_EVENT, type NewEvent } from '../../shared/columns/events.ts'
import { isOtherSlot, MOVE_COLUMNS, slotOf, userCause } from '../../shared/events/moves.ts'
import { arrays, unnest, uuids } from '../arrays.ts'
import type { Connection, Query, Run } from '../connection.ts'
import { atMs } from '../instant.ts'
import { ids } from './claim.ts'

/** The instant of the move: the parameter after the columns. */
const AT = atMs(`$${Object.keys(MOVE).length + 1}`)

// A settled occurrence must not become open again: it is settled once. An event that keeps its occurrence, as most do when the rules of
// a timezone change, needs no look into every month. The rows are locked before, so `seen` is the event as the update finds it.
const movePending = (cause: string) => `WITH moved AS (
  UPDATE terce.events AS e SET occurrence = ref.occurrence, target_at = ref.target_at,
    wake_at = ref.target_at, offset_seconds = ref.offset_seconds, timezone = ref.timezone, tz_version = ref.tz_version,
    version = e.version + 1, plan_revision = e.plan_revision + 1, updated_at = ${AT}
  FROM ${unnest(MOVE)} JOIN terce.events AS seen ON seen.id = ref.id
  WHERE e.id = ref.id AND e.version = ref.version AND e.claimed_at IS NULL
    AND (ref.occurrence = e.occurrence OR (SELECT true FROM terce.settled_events AS s
      WHERE s.occasion_id = e.occasion_id AND s.occurrence = ref.occurrence LIMIT 1) IS NULL)
  RETURNING e.occasion_id, e.id, e.version, ref.cause, ${slotOf('seen.', 'from_')}, ${slotOf('e.')}
  ), recorded AS (
    INSERT INTO terce.moves (${MOVE_COLUMNS}) SELECT m.occasion_id, m.id, m.version, ${cause}, ${AT}, ${slotOf('m.from_')}, ${slotOf('m.')}
    FROM moved AS m WHERE ${isOtherSlot('m.from_', 'm.')}
  ) SELECT id FROM moved`

const BY_RULES = movePending("'TIMEZONE_RULES_CHANGED'")
const BY_USER = movePending(userCause('m.cause', 'm.from_timezone', 'm.timezone'))

function moveQuery(text: string, reschedules: readonly Reschedule[], at: number): Query {
  const moves = reschedules.filter(({ to }) => to !== null)
  return { text, values: [...arrays(MOVE, moves), at] }
}

// In order of id, to avoid deadlocks; the UPDATE alone would lock in an order that the planner chooses.
const LOCK_EVENTS = 'SELECT id FROM terce.events WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE'

export async function replan(
  connection: Connection,
  reschedules: readonly Reschedule[],
  at: number,
): Promise<string[]> {
  const eventIds = reschedules.map(({ eventId }) => eventId)
  return connection.byKeys(async (run) => {
    await run({ text: LOCK_EVENTS, values: [uuids(eventIds)] })
    return ids(await run(moveQuery(BY_RULES, reschedules, at)))
  })
}

/** Moves events that are locked and verified. An event that does not move was planned wrongly. */
export async function moveSeen(
  run: Run,
  reschedules: readonly Reschedule[],
  { at, cause }: { at: number; cause: MoveCause | 'user' },
): Promise<void> {
  const moves = reschedules.filter(({ to }) => to !== null)
  const text = cause === 'user' ? BY_USER : movePending(`'${cause}'`)
  const moved = new Set(ids(await run(moveQuery(text, moves, at))))
  const left = moves.find(({ eventId }) => !moved.has(eventId))
  if (left !== undefined) throw settledBefore(left.to!)
}

const REMOVE_PENDING = `WITH gone AS (DELETE FROM terce.events AS e WHERE e.id = ANY ($1::uuid[]) RETURNING e.*)
  INSERT INTO terce.moves (${MOVE_COLUMNS}) SELECT e.occasion_id, e.id, e.version + 1, $2, ${atMs('$3')}, ${slotOf('e.')},
    NULL, NULL::timestamptz, NULL::int, NULL FROM gone AS e`

/** Deletes pending events that are locked and verified. A pending event has no attempts and no body. */
export async function removePending(
  run: Run,
  eventIds: readonly string[],
  { at, cause }: { at: number; cause: MoveCause },
): Promise<void> {
  await run({ text: REMOVE_PENDING, values: [uuids(eventIds), cause, at] })
}

const INSERT_EVENTS = `INSERT INTO terce.events (${nameList(NEW_EVENT)}) SELECT ${nameList(NEW_EVENT)} FROM ${unnest(NEW_EVENT)}
  WHERE NOT EXISTS (SELECT 1 FROM terce.settled_events AS s
    WHERE s.occasion_id = ref.occasion_id AND s.occurrence = ref.occurrence) RETURNING id`

const RECORD_INSERTED = `INSERT INTO terce.moves (${MOVE_COLUMNS})
  SELECT e.occasion_id, e.id, e.version, $2, ${atMs('$3')}, NULL, NULL::timestamptz, NULL::int, NULL, ${slotOf('e.')}
  FROM terce.events AS e WHERE e.id = ANY ($1::uuid[])`

/** Inserts the events of occasions that are locked and have none. With a cause, each is recorded as a move. */
export async function insertPlanned(
  run: Run,
  planned: readonly Omit<NewEvent, 'at'>[],
  { at, cause }: { at: number; cause: MoveCause | null },
): Promise<void> {
  const rows = planned.map((one) => ({ ...one, at }))
  const inserted = ids(await run({ text: INSERT_EVENTS, values: arrays(NEW_EVENT, rows) }))
  const left = planned.find(({ event }) => !inserted.includes(event.id))
  if (left !== undefined) throw settledBefore(left.event)
  if (cause !== null) await run({ text: RECORD_INSERTED, values: [uuids(inserted), cause, at] })
}

function settledBefore({ occasionId, occurrence }: { occasionId: string; occurrence: string }): Error {
  return new Error(
    `Occurrence ${occurrence} of occasion ${occasionId} was settled before: it cannot be planned again.`,
  )
}

const MOVE_LANES = `UPDATE terce.events AS e SET lane = ref.lane FROM ${unnest(LANE)}
  WHERE e.occasion_id = ref.id AND e.lane <> ref.lane`

/** Moves the open events of occasions that were changed, also those in flight and replays, to the lane of their channel. */
export async function moveLanes(run: Run, occasions: readonly Occasion[]): Promise<void> {
  await run({ text: MOVE_LANES, values: arrays(LANE, occasions) })
}

const REQUEST_REPLAN = 'UPDATE terce.events SET plan_revision = plan_revision + 1 WHERE id = ANY ($1::uuid[])'

/** Raises the plan revision of events in flight, so that their successors are planned again. */
export async function requestReplan(run: Run, eventIds: readonly string[]): Promise<void> {
  await run({ text: REQUEST_REPLAN, values: [uuids(eventIds)] })
}
