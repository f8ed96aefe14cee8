// Counts for the dashboard over a day or a year. No statement reads all rows of events, except the pending ones of a year ahead.
import type { DashboardStore, FailureCount, UpcomingPoint } from '../../ports/store.ts'
import {
  failureCount,
  firstFailureId,
  LATENESS_SAMPLE,
  overviewSpan,
  RECENT,
  readOverview,
  upcomingBounds,
  upcomingPage,
  upcomingPoint,
} from '../shared/dashboard/dashboard.ts'
import { type EventSource, latestEvents } from '../shared/events/events.ts'
import { briefReason, failureState } from '../shared/failures.ts'
import { REPLAY_SQL } from './events/replay.ts'
import type { Executor, Value } from './executor.ts'

// An event in flight was due: its wake_at bounds the range of the index.
const COUNT_IN_FLIGHT = `SELECT count(*) FROM events WHERE wake_at <= ? AND status = 'PROCESSING' AND lease_until IS NOT NULL`

// One pass over the days' events for everything that is counted: four passes took three times as long (330 ms against
// 110 ms for 100,000 events).
const COUNT_BEGUN = `SELECT target_at, offset_seconds, status, coalesce(executed_at >= ?3, 0), count(*)
  FROM events WHERE id >= ?1 AND id < ?2 AND status <> 'PENDING' GROUP BY 1, 2, 3, 4`

const COUNT_WAITING = `SELECT count(*) FROM events WHERE wake_at <= ? AND status = 'PROCESSING' AND lease_until IS NULL`

const COUNT_PENDING = `SELECT target_at, offset_seconds, 'PENDING', count(*) FROM events
  WHERE wake_at >= ? AND wake_at < ? AND status = 'PENDING' GROUP BY 1, 2`

const COUNT_UNKNOWN = `SELECT count(*) FROM attempts
  WHERE event_id >= ? AND event_id < ? AND outcome = 'UNKNOWN' AND finished_at >= ?`

const READ_LATENESS = `SELECT executed_at - target_at FROM events
  WHERE id >= ? AND id < ? AND +executed_at >= ? AND status = 'COMPLETED' ORDER BY id DESC LIMIT ${LATENESS_SAMPLE}`

// Kept by triggers: on D1 a count of a million people is a million rows read, at each look at the dashboard.
const COUNT_BY_TIMEZONE = 'SELECT timezone, people FROM zone_counts ORDER BY timezone'

// Reads the partial index of parked events only.
const COUNT_PARKED = `SELECT count(*) FROM events WHERE channel_id = ? AND park_count > 0 AND wake_at IS NOT NULL`

const COUNT_UPCOMING = `SELECT target_at, offset_seconds, count(*) FROM events
  WHERE wake_at >= ? AND wake_at < ? AND status = 'PENDING' GROUP BY 1, 2`

// Reads the index on wake_at in its order. The due time of a pending event is its wake_at.
const LIST_UPCOMING = `SELECT id, wake_at FROM events
  WHERE wake_at >= ?1 AND wake_at < ?2 AND status = 'PENDING' AND (wake_at, id) > (?3, ?4)
    AND target_at + offset_seconds * 1000 >= ?5 AND target_at + offset_seconds * 1000 < ?6
  ORDER BY wake_at, id LIMIT ?7`

const STATE = failureState(REPLAY_SQL, 'e')

// Reads the partial indexes of failures and of replays only. A sign keeps SQLite from the index of all settled events.
const COUNT_UNRESOLVED = `SELECT count(*) FROM events AS e
  WHERE e.failure_code IS NOT NULL AND e.id >= ? AND +e.executed_at >= ? AND ${STATE} = 'unresolved'`

const COUNT_FAILURES = `SELECT coalesce(e.channel_id, o.channel_id), ${briefReason('e')}, ${STATE}, min(CAST((?1 - e.executed_at) / 3600000 AS INTEGER), 24),
    count(*), min(e.executed_at), max(e.executed_at)
  FROM events AS e CROSS JOIN occasions AS o ON o.id = e.occasion_id
  WHERE e.failure_code IS NOT NULL AND e.id >= ?2 AND +e.executed_at >= ?3
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`

export function dashboardOperations(executor: Executor, source: EventSource): DashboardStore {
  const read = (sql: string, params: Value[]) => executor.read({ sql, params })
  return {
    async pulse(now) {
      const { ids } = overviewSpan(now)
      const [[inFlight], recent] = await Promise.all([
        read(COUNT_IN_FLIGHT, [now]),
        latestEvents(source, { before: ids.before, limit: RECENT }),
      ])
      return { inFlight: inFlight?.[0] as number, recent }
    },

    async overview(now) {
      const { dayAgo, wave, ids, waitsUntil } = overviewSpan(now)
      const day = [ids.from, ids.before, dayAgo]
      const [begun, [waiting], pending, [unknown], lateness, [unresolved]] = await Promise.all([
        read(COUNT_BEGUN, day),
        read(COUNT_WAITING, [waitsUntil]),
        read(COUNT_PENDING, [wave.from, wave.before]),
        read(COUNT_UNKNOWN, day),
        read(READ_LATENESS, day),
        read(COUNT_UNRESOLVED, [firstFailureId(dayAgo), dayAgo]),
      ])
      return readOverview({ begun, pending, waiting, unknown, lateness, unresolved }, now)
    },

    async countFailures({ from, now }): Promise<FailureCount[]> {
      return (await read(COUNT_FAILURES, [now, firstFailureId(from), from])).flatMap(failureCount)
    },

    async countByTimezone() {
      const rows = await read(COUNT_BY_TIMEZONE, [])
      return rows.map(([timezone, people]) => ({ timezone: timezone as string, people: people as number }))
    },

    async countParked(channelId) {
      return (await read(COUNT_PARKED, [channelId]))[0]?.[0] as number
    },

    async countUpcoming({ from, before }): Promise<UpcomingPoint[]> {
      return (await read(COUNT_UPCOMING, [from, before])).map(upcomingPoint)
    },

    async listUpcoming(query) {
      const { from, before, local, after } = upcomingBounds(query)
      const place = [after.dueAt, after.id, local.from, local.before]
      const rows = await read(LIST_UPCOMING, [from, before, ...place, query.limit + 1])
      return upcomingPage(source, rows, query)
    },
  }
}
