// What a dashboard asks of PostgreSQL: counts over a day or a year, never all rows.
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Overview, Pulse, Store, UpcomingPoint } from '../../ports/store.ts'
import { LATENESS_SAMPLE, overviewSpan, RECENT, readOverview } from '../shared/overview-span.ts'
import type { Connection } from './connection.ts'
import { inMs } from './instant.ts'
import { latestEvents } from './reads.ts'

type OverviewOperations = Pick<Store, 'pulse' | 'overview' | 'countByTimezone' | 'countUpcoming'>

export function overviewOperations(connection: Connection, db: NodePgDatabase): OverviewOperations {
  return {
    pulse: (now) => pulse(connection, db, now),
    overview: (now) => overview(connection, now),
    countByTimezone: () => countByTimezone(connection),
    countUpcoming: (span) => countUpcoming(connection, span),
  }
}

const at = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`

async function pulse(connection: Connection, db: NodePgDatabase, now: number): Promise<Pulse> {
  const { ids } = overviewSpan(now)
  const [[open], recent] = await Promise.all([
    connection.query({
      // Whatever is being delivered was due: what comes later need not be looked at.
      text: `SELECT count(*)::int FROM events
        WHERE wake_at <= ${at('$1')} AND claimed_at IS NOT NULL AND lease_until IS NOT NULL`,
      values: [now],
    }),
    latestEvents(db, { before: ids.before, limit: RECENT }),
  ])
  return { inFlight: open?.[0] as number, recent }
}

// One pass over the days' events for all that is counted.
const DAYS = `SELECT ${inMs('target_at')}, offset_seconds, status, claimed_by, within_day, count(*)::int, ${inMs('max(seen_at)')}
  FROM (
    SELECT target_at, offset_seconds, status, claimed_by, executed_at >= ${at('$3')} AS within_day, executed_at AS seen_at
      FROM settled_events WHERE id >= $1 AND id < $2
    UNION ALL
    SELECT target_at, offset_seconds, 'PROCESSING', claimed_by, false, claimed_at
      FROM events WHERE id >= $1 AND id < $2 AND claimed_at IS NOT NULL) AS begun
  GROUP BY target_at, offset_seconds, status, claimed_by, within_day`

async function overview(connection: Connection, now: number): Promise<Overview> {
  const { dayAgo, wave, ids, waitsUntil } = overviewSpan(now)
  const read = (text: string, values: (string | number)[]) => connection.query({ text, values })
  const day = [ids.from, ids.before, dayAgo]
  const [begun, [waiting], pending, [unknown], lateness] = await Promise.all([
    read(DAYS, day),
    read(
      `SELECT count(*)::int FROM events
        WHERE wake_at <= ${at('$1')} AND claimed_at IS NOT NULL AND lease_until IS NULL`,
      [waitsUntil],
    ),
    read(
      `SELECT ${inMs('target_at')}, offset_seconds, 'PENDING', count(*)::int FROM events
        WHERE wake_at >= ${at('$1')} AND wake_at < ${at('$2')} AND claimed_at IS NULL
        GROUP BY target_at, offset_seconds`,
      [wave.from, wave.before],
    ),
    read(
      `SELECT count(*)::int FROM attempts
        WHERE event_id >= $1 AND event_id < $2 AND outcome = 'UNKNOWN' AND finished_at >= ${at('$3')}`,
      day,
    ),
    read(
      `SELECT ${inMs('executed_at')} - ${inMs('target_at')} FROM settled_events
        WHERE id >= $1 AND id < $2 AND executed_at >= ${at('$3')} AND status = 'COMPLETED'
        ORDER BY id DESC LIMIT ${LATENESS_SAMPLE}`,
      day,
    ),
  ])
  return readOverview({ begun, pending, waiting, unknown, lateness }, now)
}

async function countByTimezone(connection: Connection) {
  const rows = await connection.query({
    text: 'SELECT timezone, count(*)::int FROM users GROUP BY timezone ORDER BY timezone',
    values: [],
  })
  return rows.map(([timezone, people]) => ({ timezone: timezone as string, people: people as number }))
}

async function countUpcoming(
  connection: Connection,
  { from, before }: { from: number; before: number },
): Promise<UpcomingPoint[]> {
  const rows = await connection.query({
    text: `SELECT ${inMs('target_at')}, offset_seconds, count(*)::int FROM events
      WHERE wake_at >= ${at('$1')} AND wake_at < ${at('$2')} AND claimed_at IS NULL GROUP BY target_at, offset_seconds`,
    values: [from, before],
  })
  return rows.map(([targetAt, offsetSeconds, count]) => ({ targetAt, offsetSeconds, count }) as UpcomingPoint)
}
