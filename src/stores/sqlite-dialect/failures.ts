// What failed, counted: by channel, by reason in brief, by hour. Looks only at the index of failures.
import type { FailureCount } from '../../ports/store.ts'
import { briefReason } from '../shared/failures.ts'
import { firstFailureId } from '../shared/overview-span.ts'
import type { Executor } from './executor.ts'

const COUNT = `SELECT o.channel_id, ${briefReason('e')}, min(CAST((?1 - e.executed_at) / 3600000 AS INTEGER), 24), count(*),
    min(e.executed_at), max(e.executed_at)
  FROM events AS e CROSS JOIN occasions AS o ON o.id = e.occasion_id
  WHERE e.failure_code IS NOT NULL AND e.id >= ?2 AND e.executed_at >= ?3
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`

export async function countFailures(
  executor: Executor,
  { from, now }: { from: number; now: number },
): Promise<FailureCount[]> {
  const rows = await executor.read({ sql: COUNT, params: [now, firstFailureId(from), from] })
  return rows.map(
    ([channelId, reason, hoursAgo, count, oldestAt, newestAt]) =>
      ({ channelId, reason, hoursAgo, count, oldestAt, newestAt }) as FailureCount,
  )
}
