// Reads the open events of a timezone for a replan. Raw rows: Drizzle took half of the replan's CPU to map them.
import type { EventStore } from '../../../ports/store.ts'
import { pageOfOpenPlans } from '../../shared/people/open-plans.ts'
import type { Executor } from '../executor.ts'
import { COLUMNS } from './claim.ts'

const OPEN_PLANS = `SELECT ${COLUMNS.claim({ attempt: '1', body: 'NULL' })}, e.status = 'PENDING'
  FROM (SELECT * FROM users WHERE timezone = ?1 AND id > ?2 ORDER BY id LIMIT +?3) AS u
  LEFT JOIN occasions AS o ON o.user_id = u.id
  LEFT JOIN events AS e ON e.occasion_id = o.id AND e.wake_at IS NOT NULL AND e.replay_of IS NULL
  ORDER BY u.id, o.id`

export async function listOpenPlans(
  executor: Executor,
  { timezone, limit, cursor }: Parameters<EventStore['listOpenPlans']>[0],
): ReturnType<EventStore['listOpenPlans']> {
  const rows = await executor.read({ sql: OPEN_PLANS, params: [timezone, cursor ?? '', limit] })
  return pageOfOpenPlans(rows, limit)
}
