// Counts for the dashboard over a day or a year. No statement reads all rows of events.
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
import type { Connection } from './connection.ts'
import { REPLAY_SQL } from './events/replay.ts'
import { atMs, inMs } from './instant.ts'

// An event in flight was due: its wake_at bounds the range of the index.
const COUNT_IN_FLIGHT = `SELECT count(*)::int FROM terce.events
  WHERE wake_at <= ${atMs('$1')} AND claimed_at IS NOT NULL AND lease_until IS NOT NULL`

// One pass over the days' events for everything that is counted.
const COUNT_BEGUN = `SELECT ${inMs('target_at')}, offset_seconds, status, within_day, count(*)::int
  FROM (
    SELECT target_at, offset_seconds, status, executed_at >= ${atMs('$3')} AS within_day
      FROM terce.settled_events WHERE id >= $1 AND id < $2
    UNION ALL
    SELECT target_at, offset_seconds, 'PROCESSING', false
      FROM terce.events WHERE id >= $1 AND id < $2 AND claimed_at IS NOT NULL) AS begun
  GROUP BY target_at, offset_seconds, status, within_day`

const COUNT_WAITING = `SELECT count(*)::int FROM terce.events
  WHERE wake_at <= ${atMs('$1')} AND claimed_at IS NOT NULL AND lease_until IS NULL`

const COUNT_PENDING = `SELECT ${inMs('target_at')}, offset_seconds, 'PENDING', count(*)::int FROM terce.events
  WHERE wake_at >= ${atMs('$1')} AND wake_at < ${atMs('$2')} AND claimed_at IS NULL
  GROUP BY target_at, offset_seconds`

const COUNT_UNKNOWN = `SELECT count(*)::int FROM terce.attempts
  WHERE event_id >= $1 AND event_id < $2 AND outcome = 'UNKNOWN' AND finished_at >= ${atMs('$3')}`

const READ_LATENESS = `SELECT ${inMs('executed_at')} - ${inMs('target_at')} FROM terce.settled_events
  WHERE id >= $1 AND id < $2 AND executed_at >= ${atMs('$3')} AND status = 'COMPLETED'
  ORDER BY id DESC LIMIT ${LATENESS_SAMPLE}`

// Counted, and not kept by triggers as on SQLite: every insert into a timezone would wait for the lock on its one counter.
const COUNT_BY_TIMEZONE =
  'SELECT timezone, count(*)::int FROM terce.users GROUP BY timezone ORDER BY timezone'

// Reads the partial index of parked events only.
const COUNT_PARKED = `SELECT count(*)::int FROM terce.events WHERE channel_id = $1 AND park_count > 0 AND wake_at IS NOT NULL`

const COUNT_UPCOMING = `SELECT ${inMs('target_at')}, offset_seconds, count(*)::int FROM terce.events
  WHERE wake_at >= ${atMs('$1')} AND wake_at < ${atMs('$2')} AND claimed_at IS NULL
  GROUP BY target_at, offset_seconds`

// Reads the index on wake_at in its order. The due time of a pending event is its wake_at.
const LOCAL = `target_at + offset_seconds * interval '1 second'`
const LIST_UPCOMING = `SELECT id, ${inMs('wake_at')} FROM terce.events
  WHERE wake_at >= ${atMs('$1')} AND wake_at < ${atMs('$2')} AND claimed_at IS NULL
    AND (wake_at, id) > (${atMs('$3')}, $4::uuid) AND ${LOCAL} >= ${atMs('$5')} AND ${LOCAL} < ${atMs('$6')}
  ORDER BY wake_at, id LIMIT $7`

const STATE = failureState(REPLAY_SQL, 's')

// Reads the partial indexes of failures and of replays only.
const COUNT_UNRESOLVED = `SELECT count(*)::int FROM terce.settled_events AS s
  WHERE s.failure_code IS NOT NULL AND s.id >= $1 AND s.executed_at >= ${atMs('$2')} AND ${STATE} = 'unresolved'`

const COUNT_FAILURES = `SELECT coalesce(s.channel_id, o.channel_id), ${briefReason('s')}, ${STATE},
    least(floor(($1::float8 - ${inMs('s.executed_at')}) / 3600000), 24)::int, count(*)::int,
    ${inMs('min(s.executed_at)')}, ${inMs('max(s.executed_at)')}
  FROM terce.settled_events AS s JOIN terce.occasions AS o ON o.id = s.occasion_id
  WHERE s.failure_code IS NOT NULL AND s.id >= $2 AND s.executed_at >= ${atMs('$3')}
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`

export function dashboardOperations(connection: Connection, source: EventSource): DashboardStore {
  const read = (text: string, values: (string | number)[]) => connection.query({ text, values })
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
