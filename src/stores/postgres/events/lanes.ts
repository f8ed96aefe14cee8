// The lanes of open events, by the index on (lane, wake_at): which have events, which a claim takes, and reads in order of time.
import type { LaneLimits } from '../../../domain/events/lane.ts'
import type { Overdue } from '../../../ports/store.ts'
import type { Columns } from '../../shared/columns/columns.ts'
import { arrays, type Parameter } from '../arrays.ts'
import type { Connection } from '../connection.ts'
import { atMs, inMs } from '../instant.ts'

const LISTED: Columns<readonly [lane: number, limit: number]> = {
  lane: ['bigint', ([lane]) => lane],
  most: ['int', ([, limit]) => limit],
}

/** The values for `openLanes`. */
export function laneValues({ ofChannels, ofDefault, listed }: LaneLimits): Parameter[] {
  return [ofChannels, ofDefault, ...arrays(LISTED, listed)]
}

/**
 * Common table expressions. `front`: each lane that has events, with its first instant, found by a jump from lane to lane. `open`:
 * those of which a claim takes some, by the values that begin at parameter `first`, in the order of the list after the others.
 */
export function openLanes(first: number, condition = 'true'): string {
  const [ofChannels, ofDefault, lanes, limits] = [0, 1, 2, 3].map((i) => `$${first + i}`)
  const rank = `array_position(${lanes}::bigint[], front.lane)`
  return `RECURSIVE front (lane, wake_at) AS (
    (SELECT lane, wake_at FROM terce.events ORDER BY lane, wake_at LIMIT 1)
    UNION ALL SELECT next.lane, next.wake_at FROM front CROSS JOIN LATERAL (
      SELECT lane, wake_at FROM terce.events WHERE lane > front.lane ORDER BY lane, wake_at LIMIT 1) AS next
  ), open AS MATERIALIZED (
    SELECT * FROM (SELECT front.lane, ${rank} AS rank, coalesce((${limits}::int[])[${rank}],
        CASE WHEN front.lane < 0 THEN ${ofDefault}::int ELSE ${ofChannels}::int END) AS most
      FROM front WHERE ${condition}) AS lanes
    WHERE most > 0 ORDER BY coalesce(rank, 0)
  )`
}

/** SQL: the lanes that have open events, as an array. */
export const LANES = `(ARRAY (WITH RECURSIVE lanes (lane) AS (
    (SELECT lane FROM terce.events ORDER BY lane LIMIT 1)
    UNION ALL SELECT (SELECT e.lane FROM terce.events AS e WHERE e.lane > lanes.lane ORDER BY e.lane LIMIT 1) FROM lanes
      WHERE lanes.lane IS NOT NULL)
  SELECT lane FROM lanes WHERE lane IS NOT NULL))`

/** SQL: `lane ${IN_LANES}` holds for every open event: with it, a condition on wake_at reads the index. */
export const IN_LANES = `= ANY (${LANES})`

/** SQL: the events that meet a condition, the first of each lane in order of time. Names its table `events`. */
export const firstOfLanes = (
  condition: string,
  limit: string,
) => `(SELECT e.* FROM unnest(${LANES}) AS l (lane) CROSS JOIN LATERAL (
    SELECT * FROM terce.events AS events WHERE events.lane = l.lane AND ${condition}
    ORDER BY events.wake_at, events.id LIMIT ${limit}) AS e)`

// Of each lane. The first event without a lease bounds the search: events that wake before it all have leases, and are few.
const NEXT_WAKE = `WITH ${openLanes(1)}
  SELECT ${inMs('min(at)')} FROM open CROSS JOIN LATERAL (
    WITH free AS (SELECT wake_at AS at FROM terce.events WHERE lane = open.lane AND lease_until IS NULL ORDER BY wake_at LIMIT 1)
    SELECT at FROM free UNION ALL
    SELECT min(greatest(wake_at, lease_until)) FROM terce.events
      WHERE lane = open.lane AND wake_at <= coalesce((SELECT at FROM free), 'infinity') AND lease_until IS NOT NULL) AS waking`

export async function nextWakeAt(connection: Connection, lanes: LaneLimits): Promise<number | null> {
  const query = { text: NEXT_WAKE, values: laneValues(lanes) }
  const [row] = await connection.prepared((_, last) => last(query))
  return (row?.[0] as number | null | undefined) ?? null
}

const COUNT_OVERDUE = `SELECT count(*)::int, ${inMs('min(target_at)')}, ${inMs('max(target_at)')} FROM terce.events
  WHERE lane ${IN_LANES} AND wake_at < ${atMs('$1')} AND (lease_until IS NULL OR lease_until <= ${atMs('$1')})`

export async function countOverdue(connection: Connection, now: number): Promise<Overdue> {
  const [row] = await connection.query({ text: COUNT_OVERDUE, values: [now] })
  const [count, oldestAt, newestAt] = row as [number, number | null, number | null]
  return { count, oldestAt, newestAt }
}
