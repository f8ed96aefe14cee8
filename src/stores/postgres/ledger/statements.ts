// The three questions of the ledger.
import { ON_TIME_MS } from '../../../domain/ledger/account.ts'
import { isSameOccurrence } from '../../shared/events/failures.ts'
import { DAY_MS, type LedgerStatements, LONG_MS } from '../../shared/ledger.ts'
import { LANES } from '../events/lanes.ts'
import { REPLAY_SQL } from '../events/replay.ts'
import { atMs, inMs } from '../instant.ts'

const dueIn = (table: string, isDisplaced: string) => {
  const isDue = `target_at >= ${atMs('$3')} AND target_at < ${atMs('$4')} AND replay_of IS NULL`
  return `(SELECT * FROM ${table} WHERE id >= $1 AND id < $2 AND ${isDue}
      UNION ALL SELECT * FROM ${table} WHERE (${isDisplaced}) AND ${isDue} AND (id < $1 OR id >= $2))`
}
const LOCAL = `e.target_at + e.offset_seconds * interval '1 second'`
const ON_DAY = `${LOCAL} >= ${atMs('$5')} AND ${LOCAL} < ${atMs('$6')}`

const WAS_REPLAYED = `EXISTS (SELECT 1 FROM terce.settled_events AS replay
        WHERE replay.replay_of IS NOT NULL AND ${isSameOccurrence(REPLAY_SQL, 'replay', 'e')} AND replay.status = 'COMPLETED')`

const before = (ms: number) => atMs(`($1::float8 - ${ms})`)

/** SQL: whether the channel that an occasion names, or the default one, may not send. */
const isClosed = (channelId: string, now: string) => `EXISTS (
        SELECT 1 FROM terce.channels AS c LEFT JOIN terce.destinations AS d ON d.channel_id = c.id
        WHERE c.id = coalesce(${channelId},
            (SELECT id FROM terce.channels WHERE default_since IS NOT NULL ORDER BY default_since DESC LIMIT 1))
          AND (c.status <> 'ACTIVE' OR d.down_since IS NOT NULL OR d.held_at IS NOT NULL AND (d.held_until IS NULL OR d.held_until > ${now})))`

export const LEDGER: LedgerStatements = {
  // The limit holds the planner to the index: an occasion has at most a few open events.
  listOddEvents: `SELECT occasion_id, id, version, ${inMs('target_at')}, open::int FROM (
      SELECT e.*, count(*) OVER (PARTITION BY e.occasion_id) AS open FROM unnest($1::uuid[]) AS ref (id)
      CROSS JOIN LATERAL (SELECT * FROM terce.events WHERE occasion_id = ref.id AND replay_of IS NULL LIMIT 10) AS e) AS open_events
    WHERE open > 1 OR (claimed_at IS NULL
      AND wake_at > greatest(target_at, ${atMs('$2')}) + interval '${LONG_MS} milliseconds')`,

  // Of the lanes that may send. A lease leaves wake_at as it is. OFFSET 0 keeps the events of the other lanes unread.
  listStuck: `SELECT e.id FROM (
      SELECT l.lane FROM unnest(${LANES}) AS l (lane) WHERE NOT ${isClosed(
        `(SELECT o.channel_id FROM terce.events AS f JOIN terce.occasions AS o ON o.id = f.occasion_id WHERE f.lane = l.lane LIMIT 1)`,
        before(0),
      )} OFFSET 0) AS l
    CROSS JOIN LATERAL (SELECT id, wake_at FROM terce.events AS e WHERE e.lane = l.lane AND e.wake_at <= ${before(LONG_MS)}
      AND (e.lease_until IS NULL OR e.lease_until <= ${before(LONG_MS)} OR e.lease_until > ${before(-DAY_MS)})
      ORDER BY e.wake_at LIMIT $2) AS e
    ORDER BY e.wake_at LIMIT $2`,

  countDay: `SELECT fate, code, count(*)::int FROM (
      SELECT CASE WHEN e.status = 'COMPLETED' AND e.executed_at - e.target_at <= interval '${ON_TIME_MS} milliseconds' THEN 'onTime'
          WHEN e.status = 'COMPLETED' OR e.failure_code IS NOT NULL AND ${WAS_REPLAYED} THEN 'late'
          WHEN e.failure_code IS NOT NULL THEN 'failed' ELSE 'unknown' END AS fate, e.failure_code AS code
        FROM ${dueIn('terce.settled_events', 'plan_revision IS NOT NULL OR replay_of IS NOT NULL')} AS e WHERE ${ON_DAY}
      UNION ALL
      SELECT 'waiting', CASE WHEN e.lease_until > ${atMs('$7')} THEN 'IN_FLIGHT' WHEN e.wake_at > ${atMs('$7')} THEN 'RETRY'
          WHEN ${isClosed('(SELECT o.channel_id FROM terce.occasions AS o WHERE o.id = e.occasion_id)', atMs('$7'))} THEN 'CHANNEL' ELSE 'QUEUED' END
        FROM ${dueIn('terce.events', 'plan_revision > 0 OR replay_of IS NOT NULL')} AS e WHERE ${ON_DAY}) AS due
    GROUP BY 1, 2`,
}
