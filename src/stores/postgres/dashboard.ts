// Counts for the dashboard over a day or a year. No statement reads all rows of events.
import { LATENESS_SAMPLE } from '../shared/dashboard/dashboard.ts'
import type { DashboardStatements } from '../shared/dashboard/operations.ts'
import { briefReason, failureState } from '../shared/events/failures.ts'
import { IN_LANES, LANES } from './events/lanes.ts'
import { REPLAY_SQL } from './events/replay.ts'
import { atMs, inMs } from './instant.ts'

/**
 * SQL: the events that are due in a span, of the ids $1 to $2 and the instants $3 to $4. An id carries the instant at which its event was
 * first due; displaced events are found by their own index.
 */
const dueIn = (table: string, isDisplaced: string) => {
  const isDue = `target_at >= ${atMs('$3')} AND target_at < ${atMs('$4')}`
  return `(SELECT * FROM ${table} WHERE id >= $1 AND id < $2 AND ${isDue}
    UNION ALL SELECT * FROM ${table} WHERE (${isDisplaced}) AND ${isDue} AND (id < $1 OR id >= $2))`
}
const DUE_SETTLED = dueIn('terce.settled_events', 'plan_revision IS NOT NULL OR replay_of IS NOT NULL')
const DUE_OPEN = dueIn('terce.events', 'plan_revision > 0 OR replay_of IS NOT NULL')

const STATE = failureState(REPLAY_SQL, 's')

export const DASHBOARD: DashboardStatements = {
  // An event in flight was due: its wake_at bounds the range of the index.
  countInFlight: `SELECT count(*)::int FROM terce.events
    WHERE lane ${IN_LANES} AND wake_at <= ${atMs('$1')} AND claimed_at IS NOT NULL AND lease_until IS NOT NULL`,

  // A failure that was retried since is counted as its replay.
  countBegun: `SELECT ${inMs('target_at')}, offset_seconds, status, count(*)::int
    FROM (
      SELECT s.target_at, s.offset_seconds, s.status FROM ${DUE_SETTLED} AS s
        WHERE s.status <> 'FAILED' OR ${STATE} = 'unresolved'
      UNION ALL
      SELECT target_at, offset_seconds, 'PROCESSING' FROM ${DUE_OPEN} AS e WHERE claimed_at IS NOT NULL) AS begun
    GROUP BY target_at, offset_seconds, status`,

  countWaiting: `SELECT count(*)::int FROM terce.events
    WHERE lane ${IN_LANES} AND wake_at <= ${atMs('$1')} AND claimed_at IS NOT NULL AND lease_until IS NULL`,

  // No bound from above: an event with a later id was moved, and an event that was not claimed has no attempts.
  countUnknown: `SELECT count(*)::int FROM terce.attempts
    WHERE event_id >= $1 AND outcome = 'UNKNOWN' AND finished_at >= ${atMs('$2')}`,

  // By the index of settlements, as the next one and the deliveries of a channel.
  countSent: `SELECT count(*)::int FROM terce.settled_events WHERE executed_at >= ${atMs('$1')} AND status = 'COMPLETED'`,

  readLateness: `SELECT ${inMs('executed_at')} - ${inMs('target_at')} FROM terce.settled_events
    WHERE executed_at >= ${atMs('$1')} AND status = 'COMPLETED' ORDER BY executed_at DESC LIMIT ${LATENESS_SAMPLE}`,

  // Counted, and not kept by triggers as on SQLite: every insert into a timezone would wait for the lock on its one counter.
  countByTimezone: 'SELECT timezone, count(*)::int FROM terce.users GROUP BY timezone ORDER BY timezone',

  // The lane of a channel; if it is the default one ($2), also the negative lanes, of events that name none.
  countDue: `SELECT count(*)::int FROM terce.events WHERE lane = ANY (ARRAY (
      SELECT lane FROM unnest(${LANES}) AS l (lane) WHERE lane = $1::bigint OR ($2::int = 1 AND lane < 0)))
    AND wake_at <= ${atMs('$3')}`,

  countDeliveries: `SELECT status, ${inMs('executed_at')} - ${inMs('claimed_at')}, count(*)::int
    FROM terce.settled_events WHERE executed_at >= ${atMs('$1')} AND channel_id = $2::uuid GROUP BY 1, 2`,

  countUpcoming: `SELECT ${inMs('target_at')}, offset_seconds, count(*)::int FROM terce.events
    WHERE lane ${IN_LANES} AND wake_at >= ${atMs('$1')} AND wake_at < ${atMs('$2')} AND claimed_at IS NULL
    GROUP BY target_at, offset_seconds`,

  // Reads the partial indexes of failures and of replays only.
  countUnresolved: `SELECT count(*)::int FROM terce.settled_events AS s
    WHERE s.failure_code IS NOT NULL AND s.id >= $1 AND s.executed_at >= ${atMs('$2')} AND ${STATE} = 'unresolved'`,

  countFailures: `SELECT coalesce(s.channel_id, o.channel_id), ${briefReason('s')}, ${STATE},
      least(floor(($1::float8 - ${inMs('s.executed_at')}) / 3600000), 24)::int, count(*)::int,
      ${inMs('min(s.executed_at)')}, ${inMs('max(s.executed_at)')}
    FROM terce.settled_events AS s JOIN terce.occasions AS o ON o.id = s.occasion_id
    WHERE s.failure_code IS NOT NULL AND s.id >= $2 AND s.executed_at >= ${atMs('$3')}
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
}
