// Parks due events of a channel that cannot be sent now, many in one statement and without a claim.
import type { Deferral } from '../../../ports/store.ts'
import { arrays } from '../arrays.ts'
import type { Connection } from '../connection.ts'
import { atMs } from '../instant.ts'
import { channelNames, isOfChannels, isOfTypes, TYPE } from './waking.ts'

/** `now` is the SQL for the time of the claim, which is $1 or earlier. */
const deferStatement = (now: string, filter: string) => `WITH deferred AS (
    UPDATE terce.events AS e SET version = e.version + 1, claimed_by = $3, claimed_at = ${now}, updated_at = ${now}, lease_batch = NULL,
      wake_at = ${atMs('$6')} + floor((due.rank - 1) / $7::float8) * interval '1 second',
      park_count = e.park_count + 1, channel_id = $5::uuid
    FROM unnest(ARRAY (
      SELECT id FROM terce.events WHERE wake_at <= ${now} AND lease_until IS NULL AND ${isOfChannels('$4')}${filter}
      ORDER BY wake_at LIMIT $2 FOR UPDATE SKIP LOCKED)) WITH ORDINALITY AS due (id, rank)
    WHERE e.id = due.id RETURNING 1)
  SELECT count(*)::int FROM deferred`

export async function deferDue(
  connection: Connection,
  claimedAt: string,
  { now, limit, claimedBy, of, channelId, firstAt, perSecond, types }: Deferral,
): Promise<number> {
  const text = deferStatement(claimedAt, types ? ` AND ${isOfTypes('$8')}` : '')
  const values = [now, limit, claimedBy, channelNames(of), channelId, firstAt, perSecond]
  const query = { text, values: [...values, ...(types ? arrays(TYPE, types) : [])] }
  // Prepared: without statistics the planner would sort all that is due for each slice.
  const [row] = await connection.prepared((_, last) => last(query))
  return row![0] as number
}
