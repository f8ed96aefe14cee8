// What a dashboard asks of SQLite and D1: counts over a day or a year, never all rows.
import type { Overview, Store, Upcoming } from '../../ports/store.ts'
import { LATENESS_SAMPLE, overviewSpan, RECENT } from '../overview-span.ts'
import type { Executor, Row, Value } from './executor.ts'
import type { Database } from './reads.ts'
import { latestEvents } from './reads.ts'

type OverviewOperations = Pick<Store, 'overview' | 'countByTimezone' | 'countUpcoming'>

export function overviewOperations(executor: Executor, db: Database): OverviewOperations {
  return {
    overview: (now) => overview(executor, db, now),
    countByTimezone: () => countByTimezone(executor),
    countUpcoming: (span) => countUpcoming(executor, span),
  }
}

async function overview(executor: Executor, db: Database, now: number): Promise<Overview> {
  const { dayAgo, wave, ids, waitsUntil } = overviewSpan(now)
  const read = (sql: string, params: Value[]) => executor.read({ sql, params })
  const [[open], settled, [unknown], lateness, workers, points, recent] = await Promise.all([
    read(
      `SELECT count(*) FILTER (WHERE lease_until IS NOT NULL), count(*) FILTER (WHERE lease_until IS NULL)
        FROM events WHERE wake_at <= ? AND status = 'PROCESSING'`,
      [waitsUntil],
    ),
    read(
      `SELECT status, count(*) FROM events WHERE id >= ? AND id < ? AND executed_at >= ? GROUP BY status`,
      [ids.from, ids.before, dayAgo],
    ),
    read(
      `SELECT count(*) FROM attempts WHERE event_id >= ? AND event_id < ? AND outcome = 'UNKNOWN' AND finished_at >= ?`,
      [ids.from, ids.before, dayAgo],
    ),
    read(
      `SELECT executed_at - target_at FROM events
        WHERE id >= ? AND id < ? AND executed_at >= ? AND status = 'COMPLETED' ORDER BY id DESC LIMIT ?`,
      [ids.from, ids.before, dayAgo, LATENESS_SAMPLE],
    ),
    read(
      `SELECT claimed_by, max(coalesce(executed_at, claimed_at)) FROM events
        WHERE id >= ? AND id < ? AND claimed_at >= ? GROUP BY claimed_by ORDER BY 2 DESC LIMIT 20`,
      [ids.from, ids.before, dayAgo],
    ),
    read(
      `SELECT target_at, offset_seconds, status, count(*) FROM (
          SELECT target_at, offset_seconds, status FROM events WHERE wake_at >= ?1 AND wake_at < ?2 AND status = 'PENDING'
          UNION ALL
          SELECT target_at, offset_seconds, status FROM events
            WHERE id >= ?3 AND id < ?4 AND status <> 'PENDING' AND target_at >= ?1 AND target_at < ?2)
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

async function countByTimezone(executor: Executor) {
  const rows = await executor.read({
    sql: 'SELECT timezone, count(*) FROM users GROUP BY timezone ORDER BY timezone',
    params: [],
  })
  return rows.map(([timezone, people]) => ({ timezone: timezone as string, people: people as number }))
}

async function countUpcoming(
  executor: Executor,
  { from, before }: { from: number; before: number },
): Promise<Upcoming> {
  const open = `FROM events WHERE wake_at >= ?1 AND wake_at < ?2 AND status = 'PENDING'`
  const [days, [busiest]] = await Promise.all([
    executor.read({
      sql: `SELECT date(target_at / 1000 + offset_seconds, 'unixepoch'), count(*) ${open} GROUP BY 1 ORDER BY 1`,
      params: [from, before],
    }),
    executor.read({
      sql: `SELECT target_at, count(*) ${open} GROUP BY target_at ORDER BY 2 DESC, 1 LIMIT 1`,
      params: [from, before],
    }),
  ])
  return {
    days: days.map(([date, count]) => ({ date: date as string, count: count as number })),
    busiest: busiest === undefined ? null : { targetAt: busiest[0] as number, count: busiest[1] as number },
  }
}
