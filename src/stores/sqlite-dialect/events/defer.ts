// Parks due events of a channel that cannot be sent now, many in one statement and without a claim.
import type { Deferral } from '../../../ports/store.ts'
import type { Executor } from '../executor.ts'
import { channelNames, isOfChannels, isOfTypes } from './waking.ts'

const deferStatement = (
  filter = '',
) => `UPDATE events SET status = 'PROCESSING', version = version + 1, claimed_by = ?3,
    claimed_at = ?1, updated_at = ?1, lease_batch = NULL, wake_at = ?6 + CAST((due.rank - 1) / ?7 AS INTEGER) * 1000,
    park_count = park_count + 1, channel_id = ?5
  FROM (SELECT id AS due_id, row_number() OVER (ORDER BY wake_at, id) AS rank FROM (
    SELECT e.id, e.wake_at FROM events AS e
    WHERE e.wake_at <= ?1 AND e.lease_until IS NULL AND ${isOfChannels('?4')}${filter}
    ORDER BY e.wake_at, e.id LIMIT +?2)) AS due
  WHERE events.id = due.due_id`

const DEFER = deferStatement()
const DEFER_OF_TYPES = deferStatement(` AND ${isOfTypes('?8')}`)

export async function deferDue(
  executor: Executor,
  { now, limit, claimedBy, of, channelId, firstAt, perSecond, types }: Deferral,
): Promise<number> {
  const params = [now, limit, claimedBy, channelNames(of), channelId, firstAt, perSecond]
  const [deferred] = await executor.batch(
    [types ? { sql: DEFER_OF_TYPES, params: [...params, JSON.stringify(types)] } : { sql: DEFER, params }],
    { durable: false },
  )
  return deferred!.changes
}
