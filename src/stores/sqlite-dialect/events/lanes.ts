// The lanes of open events, by the index on (lane, wake_at): which have events, which a claim takes, and reads in order of time.
import type { LaneLimits } from '../../../domain/events/lane.ts'
import type { Overdue } from '../../../ports/store.ts'
import type { Executor, Value } from '../executor.ts'

/** SQL: the lanes that have open events, found by a jump from one to the next. */
const FRONT = `front (lane) AS (SELECT min(lane) FROM events WHERE wake_at IS NOT NULL
    UNION ALL SELECT (SELECT min(e.lane) FROM events AS e WHERE e.wake_at IS NOT NULL AND e.lane > front.lane) FROM front
      WHERE front.lane IS NOT NULL)`

/** SQL: a table of one column, `lane`. */
export const LANES = `(WITH RECURSIVE ${FRONT} SELECT lane FROM front WHERE lane IS NOT NULL)`

/** SQL: `lane ${IN_LANES}` holds for every open event: with it, a condition on wake_at reads the index. */
export const IN_LANES = `IN ${LANES}`

/** SQL: the events that meet a condition, the first of each lane in order of time. Names its table `events`. */
export const firstOfLanes = (
  condition: string,
  limit: string,
  lanes = LANES,
) => `(SELECT e.* FROM ${lanes} AS l
    CROSS JOIN events AS e ON e.id IN (SELECT events.id FROM events
      WHERE events.lane = l.lane AND ${condition} ORDER BY events.wake_at, events.id LIMIT ${limit}))`

/** The values for `openLanes`. */
export function laneValues({ ofChannels, ofDefault, listed }: LaneLimits): Value[] {
  return [ofChannels, ofDefault, JSON.stringify(listed)]
}

/** A common table expression: the lanes of which a claim takes some, by the values that begin at parameter `first`. */
export function openLanes(first: number): string {
  return `RECURSIVE ${FRONT}, listed AS (SELECT value->>0 AS lane, value->>1 AS most, key AS rank FROM json_each(?${first + 2})),
  open AS (
    SELECT front.lane, listed.rank, coalesce(listed.most, iif(front.lane < 0, ?${first + 1}, ?${first})) AS most
    FROM front LEFT JOIN listed ON listed.lane = front.lane WHERE front.lane IS NOT NULL)`
}

// Of each lane. The first event without a lease bounds the search: every event that wakes before it is leased, and those are few.
const NEXT_WAKE = `WITH ${openLanes(1)}, free AS (
    SELECT lane, (SELECT wake_at FROM events AS e WHERE e.lane = open.lane AND wake_at IS NOT NULL AND lease_until IS NULL
      ORDER BY wake_at LIMIT 1) AS at FROM open WHERE most > 0)
  SELECT min(at) FROM (SELECT at FROM free UNION ALL
    SELECT (SELECT min(max(wake_at, lease_until)) FROM events AS e
      WHERE e.lane = free.lane AND wake_at <= coalesce(free.at, 9e15) AND lease_until IS NOT NULL) FROM free)`

export async function nextWakeAt(executor: Executor, lanes: LaneLimits): Promise<number | null> {
  const [row] = await executor.read({ sql: NEXT_WAKE, params: laneValues(lanes) })
  return (row?.[0] as number | null | undefined) ?? null
}

const COUNT_OVERDUE = `SELECT count(*), min(target_at), max(target_at) FROM events
  WHERE lane ${IN_LANES} AND wake_at < ?1 AND (lease_until IS NULL OR lease_until <= ?1)`

export async function countOverdue(executor: Executor, now: number): Promise<Overdue> {
  const [row] = await executor.read({ sql: COUNT_OVERDUE, params: [now] })
  const [count, oldestAt, newestAt] = row as [number, number | null, number | null]
  return { count, oldestAt, newestAt }
}
