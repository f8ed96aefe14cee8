// Removes old settled events a few at a time, and old enqueued changes that were rejected. Touches no open event, so it never stands
// in the way of a claim. Whole months are dropped by prune-months.ts.
import { firstIdAt } from '../../../domain/events/uuid.ts'
import type { HistoryStore } from '../../../ports/store.ts'
import { queryLong } from '../clients/long-query.ts'
import type { Connection } from '../connection.ts'
import { atMs } from '../instant.ts'
import { MONTH_MARGIN_MS, type Month, readMonths } from './months.ts'

/** Rows of settled events `later` and `old`. */
export const IS_LATER = `later.occasion_id = old.occasion_id
          AND (later.target_at, later.occurrence COLLATE "C") > (old.target_at, old.occurrence COLLATE "C")`

// Ids begin with the instant an event was first due. $1 that bound, $2 the instant.
const OLD = `old.id < $1::uuid AND old.executed_at < ${atMs('$2')}`
const HAS_LATER = `EXISTS (SELECT 1 FROM terce.settled_events AS later WHERE ${IS_LATER})`

// The oldest first. $3 how many are looked at, $4 the last id that was looked at before.
const PRUNE = `WITH page AS MATERIALIZED (
    SELECT old.id, old.occasion_id, old.target_at, old.occurrence FROM terce.settled_events AS old
    WHERE ${OLD} AND old.id > $4::uuid ORDER BY old.id LIMIT $3
  ), gone AS (
    DELETE FROM terce.settled_events WHERE id = ANY (ARRAY (SELECT old.id FROM page AS old WHERE ${HAS_LATER}))
    RETURNING id, occasion_id
  ), tries AS (DELETE FROM terce.attempts WHERE event_id IN (SELECT id FROM gone)
  ), moved AS (DELETE FROM terce.moves AS m USING gone WHERE m.occasion_id = gone.occasion_id
      AND (m.event_id = gone.id OR (m.to_target_at IS NULL AND m.moved_at < ${atMs('$2')}))
  ), rejected AS (DELETE FROM terce.enqueued_changes WHERE rejected_at < ${atMs('$2')}
  ), bodies AS (DELETE FROM terce.payloads WHERE event_id IN (SELECT id FROM gone))
  SELECT (SELECT count(*)::int FROM gone), (SELECT id FROM page ORDER BY id DESC LIMIT 1)`

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** A call with the instant of the call before goes on where that one ended: events that stay are looked at once. */
export function createPrune(connection: Connection): HistoryStore['prune'] {
  let last = { before: Number.NaN, after: FIRST_ID }
  return async ({ before, limit }) => {
    const bound = prunedBelow(await readMonths(connection, 'settled_events'), before)
    let after = last.before === before ? last.after : FIRST_ID
    let removed = 0
    while (removed < limit) {
      const [row] = await connection.batch({ text: PRUNE, values: [bound, before, limit - removed, after] })
      const [gone, lastId] = row as [number, string | null]
      removed += gone
      if (lastId === null) {
        last = { before: Number.NaN, after: FIRST_ID }
        return removed
      }
      after = lastId
    }
    last = { before, after }
    return removed
  }
}

const COUNT = `SELECT count(*)::int FROM terce.settled_events AS old WHERE ${OLD} AND ${HAS_LATER}`

export async function countPrunable(connection: Connection, before: number): Promise<number> {
  const bound = prunedBelow(await readMonths(connection, 'settled_events'), before)
  const [row] = await queryLong(connection, { text: COUNT, values: [bound, before] })
  return row![0] as number
}

/**
 * Events of smaller ids are pruned. Those of a month that is only in part older than the instant stay until it is as a whole, and are
 * dropped with it: to delete them one by one costs more.
 */
function prunedBelow(months: readonly Month[], before: number): string {
  const last = firstIdAt(before - MONTH_MARGIN_MS)
  const begun = months.find(({ fromId, beforeId }) => fromId <= last && last < beforeId)
  return begun?.fromId ?? firstIdAt(before)
}
