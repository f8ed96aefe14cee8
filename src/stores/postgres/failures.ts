// What failed, counted: by channel, by reason in brief, by hour. Looks only at the index of failures.
import type { FailureCount } from '../../ports/store.ts'
import { briefReason } from '../shared/failures.ts'
import { firstFailureId } from '../shared/overview-span.ts'
import type { Connection } from './connection.ts'
import { inMs } from './instant.ts'

const COUNT = `SELECT o.channel_id, ${briefReason('s')},
    least(floor(($1::float8 - ${inMs('s.executed_at')}) / 3600000), 24)::int, count(*)::int,
    ${inMs('min(s.executed_at)')}, ${inMs('max(s.executed_at)')}
  FROM settled_events AS s JOIN occasions AS o ON o.id = s.occasion_id
  WHERE s.failure_code IS NOT NULL AND s.id >= $2 AND s.executed_at >= to_timestamp($3::float8 / 1000)
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`

export async function countFailures(
  connection: Connection,
  { from, now }: { from: number; now: number },
): Promise<FailureCount[]> {
  const rows = await connection.query({ text: COUNT, values: [now, firstFailureId(from), from] })
  return rows.map(
    ([channelId, reason, hoursAgo, count, oldestAt, newestAt]) =>
      ({ channelId, reason, hoursAgo, count, oldestAt, newestAt }) as FailureCount,
  )
}
