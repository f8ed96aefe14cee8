// Drops whole months of the history. The rows that must stay are searched before, and move to another partition in the transaction
// of the drop.
import { firstIdAt, timeOfId } from '../../../domain/events/uuid.ts'
import { queryLong } from '../clients/long-query.ts'
import type { Connection } from '../connection.ts'
import { atMs, readClock } from '../instant.ts'
import { dropMonth, isKept, MAX_KEPT, MONTH_MARGIN_MS, type Month, readMonths } from './months.ts'
import { IS_LATER } from './prune.ts'

/** Drops the months that are older than the instant, oldest first. `onMonth` gets the number of events removed; true stops. */
export async function pruneMonths(
  connection: Connection,
  before: number,
  onMonth: (removed: number) => boolean,
): Promise<void> {
  const bound = firstIdAt(before - MONTH_MARGIN_MS)
  const isOld = (month: Month) => month.beforeId <= bound && !isKept(month)
  for (const month of (await readMonths(connection, 'settled_events')).filter(isOld))
    if (onMonth(await pruneMonth(connection, month, before))) return
  for (const { name } of (await readMonths(connection, 'payloads')).filter(isOld))
    await dropMonth(connection, { name, kept: [], searchedAt: 0 })
}

/** Returns the number of events removed: 0 if too many rows must stay, which are then pruned one by one. */
async function pruneMonth(connection: Connection, month: Month, before: number): Promise<number> {
  const { name, fromId, beforeId } = month
  const range = [fromId, beforeId]
  const searchedAt = await readClock(connection)
  const kept = await queryLong(connection, {
    text: KEPT,
    values: [...range, before, ...yearLater(month), MAX_KEPT + 1],
  })
  if (kept.length > MAX_KEPT) return 0
  const ids = kept.map(([id]) => String(id))
  const [count] = await queryLong(connection, { text: COUNT, values: range })
  for (const text of [DELETE_ATTEMPTS, DELETE_MOVES])
    await queryLong(connection, { text, values: [...range, `{${ids.join()}}`, before] })
  const isDropped = await dropMonth(connection, {
    name,
    kept: ids,
    searchedAt: searchedAt - WORKER_CLOCK_MARGIN_MS,
  })
  return isDropped ? (count![0] as number) - kept.length : 0
}

/** An event that is settled after the search has a later instant, even if the clock of its worker is behind by this much. */
const WORKER_CLOCK_MARGIN_MS = 3_600_000

function yearLater({ fromId, beforeId }: Month): string[] {
  return [fromId, beforeId].map((id) => {
    const at = new Date(timeOfId(id))
    return firstIdAt(at.setUTCFullYear(at.getUTCFullYear() + 1))
  })
}

const OF_MONTH = (id: string) => `${id} >= $1::uuid AND ${id} < $2::uuid`

// Most events have a later one in the month itself or a year later: a join with these two months finds them. The others are
// looked up one by one in all months. A join with all months took six times as long. $3 the instant, $4 and $5 the bounds of the
// month a year later.
const KEPT = `WITH unsure AS MATERIALIZED (
    SELECT id, occasion_id, target_at, occurrence FROM terce.settled_events AS old
    WHERE ${OF_MONTH('old.id')} AND old.executed_at < ${atMs('$3')}
      AND NOT EXISTS (SELECT 1 FROM terce.settled_events AS later WHERE ${IS_LATER}
        AND ((${OF_MONTH('later.id')}) OR (later.id >= $4::uuid AND later.id < $5::uuid)))
  )
  SELECT id FROM terce.settled_events WHERE ${OF_MONTH('id')} AND executed_at >= ${atMs('$3')}
  UNION ALL
  SELECT old.id FROM unsure AS old
    LEFT JOIN LATERAL (SELECT true AS found FROM terce.settled_events AS later WHERE ${IS_LATER} LIMIT 1) AS later ON true
    WHERE later.found IS NULL
  LIMIT $6`

const COUNT = `SELECT count(*)::int FROM terce.settled_events WHERE ${OF_MONTH('id')}`

// $3 the events that stay, $4 the instant.
const DELETE_ATTEMPTS = `DELETE FROM terce.attempts AS a WHERE ${OF_MONTH('a.event_id')} AND a.event_id <> ALL ($3::uuid[])
  AND a.finished_at < ${atMs('$4')}
  AND NOT EXISTS (SELECT 1 FROM terce.events AS e WHERE e.id = a.event_id)`

const DELETE_MOVES = `DELETE FROM terce.moves AS m USING terce.settled_events AS gone
  WHERE ${OF_MONTH('gone.id')} AND gone.id <> ALL ($3::uuid[]) AND m.occasion_id = gone.occasion_id
    AND (m.event_id = gone.id OR (m.to_target_at IS NULL AND m.moved_at < ${atMs('$4')}))`
