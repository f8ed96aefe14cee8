// Removes old settled events, a few at a time, and old enqueued changes that were rejected. Touches no open event, so it never stands in the way of a claim.
import { firstIdAt } from '../../../domain/events/uuid.ts'
import type { Connection } from '../connection.ts'

// Ids begin with the instant an event was first due. $1 that bound, $2 the instant.
const PRUNABLE = `FROM terce.settled_events AS old
      WHERE old.id < $1::uuid AND old.executed_at < to_timestamp($2::float8 / 1000)
        AND EXISTS (SELECT 1 FROM terce.settled_events AS later
          WHERE later.occasion_id = old.occasion_id
            AND (later.target_at, later.occurrence COLLATE "C") > (old.target_at, old.occurrence COLLATE "C"))`

// The oldest first. $3 how many.
const PRUNE = `WITH gone AS (
    DELETE FROM terce.settled_events WHERE id = ANY (ARRAY (SELECT old.id ${PRUNABLE} ORDER BY old.id LIMIT $3))
    RETURNING id, occasion_id
  ), tries AS (DELETE FROM terce.attempts WHERE event_id IN (SELECT id FROM gone)
  ), moved AS (DELETE FROM terce.moves AS m USING gone WHERE m.occasion_id = gone.occasion_id
      AND (m.event_id = gone.id OR (m.to_target_at IS NULL AND m.moved_at < to_timestamp($2::float8 / 1000)))
  ), rejected AS (DELETE FROM terce.enqueued_changes WHERE rejected_at < to_timestamp($2::float8 / 1000)
  ), bodies AS (DELETE FROM terce.payloads WHERE event_id IN (SELECT id FROM gone))
  SELECT count(*)::int FROM gone`

export async function prune(
  connection: Connection,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const [row] = await connection.batch({ text: PRUNE, values: [firstIdAt(before), before, limit] })
  return row![0] as number
}

export async function countPrunable(connection: Connection, before: number): Promise<number> {
  const text = `SELECT count(*)::int ${PRUNABLE}`
  const [row] = await connection.query({ text, values: [firstIdAt(before), before] })
  return row![0] as number
}
