// What failed, counted: by channel, by reason in brief, by hour. Looks only at the index of failures.
import { BRIEF_LENGTH, THE_LAST } from '../../domain/events/failure-reason.ts'
import type { FailureCount } from '../../ports/store.ts'
import { firstFailureId } from '../shared/overview-span.ts'
import type { Executor } from './executor.ts'

/** As `briefReason` in src/domain has it. */
export function brief(column: string): string {
  const code = `substr(${column}, 1, instr(${column} || ':', ':') - 1)`
  const at = `instr(${column}, '${THE_LAST}')`
  return `CASE ${at} WHEN 0 THEN ${code}
    ELSE ${code} || ': ' || substr(${column}, ${at} + ${THE_LAST.length}, ${BRIEF_LENGTH}) END`
}

const COUNT = `SELECT o.channel_id, ${brief('e.failure_reason')}, min(CAST((?1 - e.executed_at) / 3600000 AS INTEGER), 24), count(*),
    min(e.executed_at), max(e.executed_at)
  FROM events AS e CROSS JOIN occasions AS o ON o.id = e.occasion_id
  WHERE e.failure_reason IS NOT NULL AND e.id >= ?2 AND e.executed_at >= ?3
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
