// Counts for the dashboard over a day or a year. No statement reads all rows of events, except the pending ones of a year ahead.
import { LATENESS_SAMPLE } from '../shared/dashboard/dashboard.ts'
import type { DashboardStatements } from '../shared/dashboard/operations.ts'
import { briefReason, failureState } from '../shared/events/failures.ts'
import { isDisplaced } from '../tables/sqlite.ts'
import { IN_LANES, LANES } from './events/lanes.ts'
import { REPLAY_SQL } from './events/replay.ts'

const STATE = failureState(REPLAY_SQL, 'e')

/**
 * SQL: the events that are due in a span, of the ids ?1 to ?2 and the instants ?3 to ?4. An id carries the instant at which its event was
 * first due; displaced events are found by their own index.
 */
const DUE = `(
    SELECT id, occasion_id, occurrence, target_at, offset_seconds, status FROM events
      WHERE id >= ?1 AND id < ?2 AND target_at >= ?3 AND target_at < ?4
    UNION ALL
    SELECT id, occasion_id, occurrence, target_at, offset_seconds, status FROM events
      WHERE ${isDisplaced()} AND target_at >= ?3 AND target_at < ?4 AND (+id < ?1 OR +id >= ?2))`

export const DASHBOARD: DashboardStatements = {
  // An event in flight was due: its wake_at bounds the range of the index.
  countInFlight: `SELECT count(*) FROM events
    WHERE lane ${IN_LANES} AND wake_at <= ? AND status = 'PROCESSING' AND lease_until IS NOT NULL`,

  // A failure that was retried since is counted as its replay.
  countBegun: `SELECT e.target_at, e.offset_seconds, e.status, count(*) FROM ${DUE} AS e
    WHERE e.status <> 'PENDING' AND (e.status <> 'FAILED' OR ${STATE} = 'unresolved') GROUP BY 1, 2, 3`,

  countWaiting: `SELECT count(*) FROM events
    WHERE lane ${IN_LANES} AND wake_at <= ? AND status = 'PROCESSING' AND lease_until IS NULL`,

  // No bound from above: an event with a later id was moved, and an event that was not claimed has no attempts.
  countUnknown: `SELECT count(*) FROM attempts WHERE event_id >= ? AND outcome = 'UNKNOWN' AND finished_at >= ?`,

  // By the index of settlements, as the next one and the deliveries of a channel.
  countSent: `SELECT count(*) FROM events WHERE executed_at >= ? AND status = 'COMPLETED'`,

  readLateness: `SELECT executed_at - target_at FROM events
    WHERE executed_at >= ? AND status = 'COMPLETED' ORDER BY executed_at DESC LIMIT ${LATENESS_SAMPLE}`,

  // Kept by triggers: on D1 a count of a million people is a million rows read, at each look at the dashboard.
  countByTimezone: 'SELECT timezone, people FROM zone_counts ORDER BY timezone',

  // The lane of a channel; if it is the default one (?2), also the negative lanes, of events that name none.
  countDue: `SELECT count(*) FROM events
    WHERE lane IN (SELECT lane FROM ${LANES} WHERE lane = ?1 OR (?2 = 1 AND lane < 0)) AND wake_at <= ?3`,

  countDeliveries: `SELECT status, executed_at - claimed_at, count(*) FROM events
    WHERE executed_at >= ? AND +channel_id = ? GROUP BY 1, 2`,

  countUpcoming: `SELECT target_at, offset_seconds, count(*) FROM events
    WHERE lane ${IN_LANES} AND wake_at >= ? AND wake_at < ? AND status = 'PENDING' GROUP BY 1, 2`,

  // Reads the partial indexes of failures and of replays only. A sign keeps SQLite from the index of all settled events.
  countUnresolved: `SELECT count(*) FROM events AS e
    WHERE e.failure_code IS NOT NULL AND e.id >= ? AND +e.executed_at >= ? AND ${STATE} = 'unresolved'`,

  countFailures: `SELECT coalesce(e.channel_id, o.channel_id), ${briefReason('e')}, ${STATE}, min(CAST((?1 - e.executed_at) / 3600000 AS INTEGER), 24),
      count(*), min(e.executed_at), max(e.executed_at)
    FROM events AS e CROSS JOIN occasions AS o ON o.id = e.occasion_id
    WHERE e.failure_code IS NOT NULL AND e.id >= ?2 AND +e.executed_at >= ?3
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
}
