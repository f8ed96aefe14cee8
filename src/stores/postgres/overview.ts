// What a dashboard asks of PostgreSQL: counts over a day or a year, never all rows.
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Overview, Store, Upcoming } from '../../ports/store.ts'
import { LATENESS_SAMPLE, overviewSpan, RECENT } from '../overview-span.ts'
import type { Connection, Row } from './connection.ts'
import { latestEvents } from './reads.ts'

type OverviewOperations = Pick<Store, 'overview' | 'countByTimezone' | 'countUpcoming'>

export function overviewOperations(connection: Connection, db: NodePgDatabase): OverviewOperations {
  return {
    overview: (now) => overview(connection, db, now),
    countByTimezone: () => countByTimezone(connection),
    countUpcoming: (span) => countUpcoming(connection, span),
  }
}

const inMs = (column: string) => `round(date_part('epoch', ${column}) * 1000)`
const at = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`

async function overview(connection: Connection, db: NodePgDatabase, now: number): Promise<Overview> {
  const { dayAgo, wave, ids, waitsUntil } = overviewSpan(now)
  const read = (text: string, values: (string | number)[]) => connection.query({ text, values })
  const day = [ids.from, ids.before, dayAgo]
  const [[open], settled, [unknown], lateness, workers, points, recent] = await Promise.all([
    read(
      `SELECT count(*) FILTER (WHERE lease_until IS NOT NULL)::int, count(*) FILTER (WHERE lease_until IS NULL)::int
        FROM events WHERE wake_at <= ${at('$1')} AND claimed_at IS NOT NULL`,
      [waitsUntil],
    ),
    read(
      `SELECT status, count(*)::int FROM settled_events
        WHERE id >= $1 AND id < $2 AND executed_at >= ${at('$3')} GROUP BY status`,
      day,
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
    read(
      `SELECT claimed_by, ${inMs('max(executed_at)')} FROM settled_events
        WHERE id >= $1 AND id < $2 AND executed_at >= ${at('$3')} GROUP BY claimed_by ORDER BY 2 DESC LIMIT 20`,
      day,
    ),
    read(
      `SELECT ${inMs('target_at')}, offset_seconds, status, count(*)::int FROM (
          SELECT target_at, offset_seconds, 'PENDING' AS status FROM events
            WHERE wake_at >= ${at('$1')} AND wake_at < ${at('$2')} AND claimed_at IS NULL
          UNION ALL
          SELECT target_at, offset_seconds, 'PROCESSING' FROM events
            WHERE id >= $3 AND id < $4 AND claimed_at IS NOT NULL
              AND target_at >= ${at('$1')} AND target_at < ${at('$2')}
          UNION ALL
          SELECT target_at, offset_seconds, status FROM settled_events
            WHERE id >= $3 AND id < $4 AND target_at >= ${at('$1')} AND target_at < ${at('$2')}) AS due
        GROUP BY target_at, offset_seconds, status ORDER BY target_at`,
      [wave.from, wave.before, ids.from, ids.before],
    ),
    latestEvents(db, { before: ids.before, limit: RECENT }),
  ])
  const settledIn = (status: string) => (settled.find((row) => row[0] === status)?.[1] as number) ?? 0
  return {
    inFlight: open?.[0] as number,
    waiting: open?.[1] as number,
    sent: settledIn('COMPLETED'),
    failed: settledIn('FAILED'),
    ambiguous: unknown?.[0] as number,
    latenessMs: lateness.map(([late]) => Math.max(0, late as number)),
    workers: workers.map(([id, seenAt]) => ({ id: id as string, seenAt: seenAt as number })),
    wave: points.map(wavePoint),
    recent,
  }
}

function wavePoint([targetAt, offsetSeconds, status, count]: Row): Overview['wave'][number] {
  return { targetAt, offsetSeconds, status, count } as Overview['wave'][number]
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
): Promise<Upcoming> {
  const open = `FROM events WHERE wake_at >= ${at('$1')} AND wake_at < ${at('$2')} AND claimed_at IS NULL`
  const local = `(target_at AT TIME ZONE 'UTC' + offset_seconds * interval '1 second')::date`
  const values = [from, before]
  const [days, [busiest]] = await Promise.all([
    connection.query({ text: `SELECT ${local}::text, count(*)::int ${open} GROUP BY 1 ORDER BY 1`, values }),
    connection.query({
      text: `SELECT ${inMs('target_at')}, count(*)::int ${open} GROUP BY target_at ORDER BY 2 DESC, 1 LIMIT 1`,
      values,
    }),
  ])
  return {
    days: days.map(([date, count]) => ({ date: date as string, count: count as number })),
    busiest: busiest === undefined ? null : { targetAt: busiest[0] as number, count: busiest[1] as number },
  }
}
