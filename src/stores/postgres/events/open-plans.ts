// Reads the open events of a timezone for a replan. Raw rows: Drizzle took half of the replan's CPU to map them.
import type { EventStore } from '../../../ports/store.ts'
import { pageOfOpenPlans } from '../../shared/people/open-plans.ts'
import type { Connection } from '../connection.ts'
import { COLUMNS } from './claim.ts'

const OPEN_PLANS = `SELECT ${COLUMNS.claim({ attempt: '1', body: 'NULL' })}, e.claimed_at IS NULL
  FROM (SELECT * FROM terce.users AS u WHERE u.timezone = $1 AND u.id > $2 ORDER BY u.id LIMIT $3) AS u
  LEFT JOIN terce.occasions AS o ON o.user_id = u.id
  LEFT JOIN terce.events AS e ON e.occasion_id = o.id AND e.replay_of IS NULL
  ORDER BY u.id, o.id`

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export async function listOpenPlans(
  connection: Connection,
  { timezone, limit, cursor }: Parameters<EventStore['listOpenPlans']>[0],
): ReturnType<EventStore['listOpenPlans']> {
  const values = [timezone, cursor ?? BEFORE_ALL, limit]
  return pageOfOpenPlans(await connection.batch({ text: OPEN_PLANS, values }), limit)
}
