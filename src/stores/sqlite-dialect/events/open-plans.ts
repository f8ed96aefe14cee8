// Reads the open events of a timezone for a replan. Raw rows: Drizzle took half of the replan's CPU to map them.
import type { EventStore, OutdatedPlans } from '../../../ports/store.ts'
import { pageOfOpenPlans, pageOfOutdatedPlans, placeOfOutdated } from '../../shared/people/open-plans.ts'
import type { Executor } from '../executor.ts'
import { COLUMNS } from './claim.ts'
import { firstOfLanes } from './lanes.ts'

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

const OUTDATED_PLANS = `SELECT ${COLUMNS.claim({ attempt: '1', body: 'NULL' })}, true, e.wake_at
  FROM ${firstOfLanes(
    `(wake_at, id) > (?1, ?2) AND wake_at < ?3
      AND tz_version < ?4 AND timezone IN (SELECT value FROM json_each(?5)) AND status = 'PENDING' AND replay_of IS NULL`,
    '+?6',
  )} AS e CROSS JOIN occasions AS o ON o.id = e.occasion_id CROSS JOIN users AS u ON u.id = o.user_id
  ORDER BY e.wake_at, e.id LIMIT +?6`

export async function listOutdatedPlans(
  executor: Executor,
  { timezones, release, before, limit, cursor }: OutdatedPlans,
): ReturnType<EventStore['listOutdatedPlans']> {
  const after = placeOfOutdated(cursor) ?? { wakeAt: Number.MIN_SAFE_INTEGER, eventId: '' }
  const params = [after.wakeAt, after.eventId, before, release, JSON.stringify(timezones), limit]
  return pageOfOutdatedPlans(await executor.read({ sql: OUTDATED_PLANS, params }), limit)
}
