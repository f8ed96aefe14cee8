// Looks at a whole database after a drain: is every promise about events kept?
import pg from 'pg'
import { expect } from 'vitest'
import type { Arrival } from '../../../runtimes/support/sink.ts'

export type Audit = {
  settled: number
  failed: number
  /** Settled events without exactly one open successor of the next year, or with more than one event a year. */
  badSuccessors: number
  /** Open events that were ever claimed: nothing may be stuck. */
  stuck: number
  /** Events whose version, retries and attempts do not add up. */
  inconsistent: number
  /** Claims whose worker never settled them. */
  lostClaims: number
}

// An event begins at version 1; each claim and each settlement adds one. Claims that were lost add one without the other.
const AUDIT = `SELECT
  (SELECT count(*)::int FROM terce.settled_events) AS settled,
  (SELECT count(*)::int FROM terce.settled_events WHERE status = 'FAILED') AS failed,
  (SELECT count(*)::int FROM terce.settled_events s WHERE (SELECT array_agg(e.occurrence) FROM terce.events e
      WHERE e.occasion_id = s.occasion_id) IS DISTINCT FROM ARRAY[(s.occurrence::int + 1)::text]) AS "badSuccessors",
  (SELECT count(*)::int FROM terce.events WHERE claimed_at IS NOT NULL OR version <> 1 OR retry_count <> 0
      OR wake_at <> target_at OR wake_at <= now()) AS stuck,
  (SELECT count(*)::int FROM terce.settled_events s WHERE version < 3 + 2 * retry_count
      OR NOT EXISTS (SELECT 1 FROM terce.payloads WHERE event_id = s.id)
      OR (SELECT coalesce(array_agg(number ORDER BY number), '{}') FROM terce.attempts WHERE event_id = s.id)
        <> ARRAY(SELECT generate_series(1, (SELECT count(*) FROM terce.attempts WHERE event_id = s.id))::int)
      OR retry_count <> (SELECT count(*) FROM terce.attempts WHERE event_id = s.id AND outcome = 'RETRY')) AS inconsistent,
  (SELECT coalesce(sum(version - 3 - 2 * retry_count), 0)::int FROM terce.settled_events) AS "lostClaims"`

export async function audit(url: string): Promise<Audit> {
  return (await query<Audit>(url, AUDIT))[0]!
}

export async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

/** How many events are not at their end yet. */
export async function countDue(url: string): Promise<number> {
  const rows = await query<{ due: number }>(
    url,
    'SELECT count(*)::int AS due FROM terce.events WHERE claimed_at IS NOT NULL OR wake_at <= now()',
  )
  return rows[0]!.due
}

/** Every event settled once with one successor, none stuck, all adding up. */
export async function expectAllSettled(url: string, count: number): Promise<Audit> {
  const found = await audit(url)
  expect(found).toMatchObject({ settled: count, badSuccessors: 0, stuck: 0, inconsistent: 0 })
  return found
}

/** Every key came, none of them with two different bodies. */
export function expectOneBodyPerKey(arrivals: readonly Arrival[], keys: number): void {
  const bodies = new Map<string, string>()
  const different = arrivals.filter(({ key, body }) => {
    if (!bodies.has(key)) bodies.set(key, body)
    return bodies.get(key) !== body
  })
  expect(different).toEqual([])
  expect(bodies.size).toBe(keys)
}
