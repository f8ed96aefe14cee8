// Reads the open events of a timezone for a replan. Raw rows: Drizzle took half of the replan's CPU to map them.
import type { EventStore, OutdatedPlans } from '../../../ports/store.ts'
import { pageOfOpenPlans, pageOfOutdatedPlans, placeOfOutdated } from '../../shared/people/open-plans.ts'
import type { Connection } from '../connection.ts'
import { atMs, inMs } from '../instant.ts'
import { COLUMNS } from './claim.ts'
import { firstOfLanes } from './lanes.ts'

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

// Releases are compared by their characters, as `isNewer` does.
const OUTDATED_PLANS = `SELECT ${COLUMNS.claim({ attempt: '1', body: 'NULL' })}, true, ${inMs('e.wake_at')}
  FROM ${firstOfLanes(
    `(wake_at, id) > (coalesce(${atMs('$1')}, '-infinity'), $2::uuid) AND wake_at < ${atMs('$3')}
      AND tz_version < $4 COLLATE "C" AND timezone IN (SELECT json_array_elements_text($5::json)) AND claimed_at IS NULL AND replay_of IS NULL`,
    '$6',
  )} AS e JOIN terce.occasions AS o ON o.id = e.occasion_id JOIN terce.users AS u ON u.id = o.user_id
  ORDER BY e.wake_at, e.id LIMIT $6`

export async function listOutdatedPlans(
  connection: Connection,
  { timezones, release, before, limit, cursor }: OutdatedPlans,
): ReturnType<EventStore['listOutdatedPlans']> {
  const after = placeOfOutdated(cursor) ?? { wakeAt: null, eventId: BEFORE_ALL }
  const values = [after.wakeAt, after.eventId, before, release, JSON.stringify(timezones), limit]
  return pageOfOutdatedPlans(await connection.batch({ text: OUTDATED_PLANS, values }), limit)
}
