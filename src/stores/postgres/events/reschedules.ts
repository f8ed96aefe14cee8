// Moves pending events: when a user or an occasion changes, and when the rules of a timezone do.
import type { Reschedule } from '../../../ports/store.ts'
import { arrays, type Columns, unnest, uuids } from '../arrays.ts'
import type { Connection, Query, Run } from '../connection.ts'
import { ids } from './claim.ts'

const MOVE: Columns = {
  id: 'uuid',
  version: 'int',
  occurrence: 'text',
  target_at: 'instant',
  offset_seconds: 'int',
  timezone: 'text',
  tz_version: 'text',
  at: 'instant',
}

// A settled occurrence must not become open again: it could never be settled a second time.
const MOVE_PENDING = `UPDATE events AS e SET occurrence = ref.occurrence, target_at = ref.target_at,
    wake_at = ref.target_at, offset_seconds = ref.offset_seconds, timezone = ref.timezone, tz_version = ref.tz_version,
    version = e.version + 1, plan_revision = e.plan_revision + 1, updated_at = ref.at
  FROM ${unnest(MOVE)}
  WHERE e.id = ref.id AND e.version = ref.version AND e.claimed_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM settled_events AS s
      WHERE s.occasion_id = e.occasion_id AND s.occurrence = ref.occurrence)
  RETURNING e.id`

function movePending(reschedules: readonly Reschedule[], at: number): Query {
  const rows = reschedules.flatMap(({ eventId, version, to }) =>
    to === null
      ? []
      : [[eventId, version, to.occurrence, to.targetAt, to.offsetSeconds, to.timezone, to.tzVersion, at]],
  )
  return { text: MOVE_PENDING, values: arrays(MOVE, rows) }
}

export async function replan(
  connection: Connection,
  reschedules: readonly Reschedule[],
  at: number,
): Promise<string[]> {
  const eventIds = reschedules.map(({ eventId }) => eventId)
  return connection.byKeys(async (run) => {
    // Lock in order of id to avoid deadlocks; the UPDATE alone would lock in an order that the planner chooses.
    await run({
      text: 'SELECT id FROM events WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE',
      values: [uuids(eventIds)],
    })
    return ids(await run(movePending(reschedules, at)))
  })
}

/** Moves events that are locked and verified. An event that does not move was planned wrongly. */
export async function moveSeen(run: Run, reschedules: readonly Reschedule[], at: number): Promise<void> {
  const moves = reschedules.filter(({ to }) => to !== null)
  const moved = new Set(ids(await run(movePending(moves, at))))
  const left = moves.find(({ eventId }) => !moved.has(eventId))
  if (left !== undefined) throw settledBefore(left.to!)
}

export function settledBefore({ occasionId, occurrence }: { occasionId: string; occurrence: string }): Error {
  return new Error(
    `Occurrence ${occurrence} of occasion ${occasionId} was settled before: it cannot be planned again.`,
  )
}

/** Raises the plan revision of events in flight, so that their successors are planned again. */
export async function planAnew(run: Run, eventIds: readonly string[]): Promise<void> {
  await run({
    text: 'UPDATE events SET plan_revision = plan_revision + 1 WHERE id = ANY ($1::uuid[])',
    values: [uuids(eventIds)],
  })
}
