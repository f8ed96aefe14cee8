// The three questions of the ledger.
import { ON_TIME_MS } from '../../domain/ledger/account.ts'
import { isSameOccurrence } from '../shared/events/failures.ts'
import { DAY_MS, type LedgerStatements, LONG_MS } from '../shared/ledger.ts'
import { isDisplaced } from '../tables/sqlite.ts'
import { firstOfLanes, LANES } from './events/lanes.ts'
import { REPLAY_SQL } from './events/replay.ts'

const LEDGER_DUE = `(SELECT * FROM events WHERE id >= ?1 AND id < ?2 AND target_at >= ?3 AND target_at < ?4
    UNION ALL SELECT * FROM events
      WHERE ${isDisplaced()} AND target_at >= ?3 AND target_at < ?4 AND (+id < ?1 OR +id >= ?2))`

const WAS_REPLAYED = `EXISTS (SELECT 1 FROM events AS replay
      WHERE replay.replay_of IS NOT NULL AND ${isSameOccurrence(REPLAY_SQL, 'replay', 'e')} AND replay.status = 'COMPLETED')`

/** SQL: whether the channel that an occasion names, or the default one, may not send. */
const isClosed = (channelId: string, now: string) => `EXISTS (
        SELECT 1 FROM channels AS c LEFT JOIN destinations AS d ON d.channel_id = c.id
        WHERE c.id = coalesce(${channelId},
            (SELECT id FROM channels WHERE default_since IS NOT NULL ORDER BY default_since DESC LIMIT 1))
          AND (c.status <> 'ACTIVE' OR d.down_since IS NOT NULL OR d.held_at IS NOT NULL AND (d.held_until IS NULL OR d.held_until > ${now})))`

export const LEDGER: LedgerStatements = {
  listOddEvents: `SELECT occasion_id, id, version, target_at, open FROM (
      SELECT e.*, count(*) OVER (PARTITION BY e.occasion_id) AS open
      FROM json_each(?1) AS ref CROSS JOIN events AS e ON e.occasion_id = ref.value
      WHERE e.wake_at IS NOT NULL AND e.replay_of IS NULL)
    WHERE open > 1 OR (claimed_at IS NULL AND wake_at > max(target_at, ?2) + ${LONG_MS})`,

  // Of the lanes that may send. A lease leaves wake_at as it is.
  listStuck: `SELECT id FROM ${firstOfLanes(
    `events.wake_at <= ?1 - ${LONG_MS}
        AND (events.lease_until IS NULL OR events.lease_until <= ?1 - ${LONG_MS} OR events.lease_until > ?1 + ${DAY_MS})`,
    '+?2',
    `(SELECT lane FROM ${LANES} AS l WHERE NOT ${isClosed(
      `(SELECT o.channel_id FROM events AS f JOIN occasions AS o ON o.id = f.occasion_id
          WHERE f.lane = l.lane AND f.wake_at IS NOT NULL LIMIT 1)`,
      '?1',
    )})`,
  )} ORDER BY wake_at LIMIT ?2`,

  countDay: `SELECT fate, code, count(*) FROM (
      SELECT CASE WHEN e.status = 'COMPLETED' AND e.executed_at - e.target_at <= ${ON_TIME_MS} THEN 'onTime'
          WHEN e.status = 'COMPLETED' AND e.executed_at IS NOT NULL OR e.failure_code IS NOT NULL AND ${WAS_REPLAYED} THEN 'late'
          WHEN e.failure_code IS NOT NULL THEN 'failed'
          WHEN e.wake_at IS NOT NULL THEN 'waiting' ELSE 'unknown' END AS fate,
        CASE WHEN e.wake_at IS NULL THEN e.failure_code WHEN e.lease_until > ?7 THEN 'IN_FLIGHT'
          WHEN e.wake_at > ?7 THEN 'RETRY'
          WHEN ${isClosed('(SELECT o.channel_id FROM occasions AS o WHERE o.id = e.occasion_id)', '?7')} THEN 'CHANNEL' ELSE 'QUEUED' END AS code
      FROM ${LEDGER_DUE} AS e
      WHERE e.replay_of IS NULL AND e.target_at + e.offset_seconds * 1000 >= ?5 AND e.target_at + e.offset_seconds * 1000 < ?6)
    GROUP BY 1, 2`,
}
