// Inserts events that send failed ones again. The failed rows stay as they are.
import type { NewReplay, ReplayOutlook } from '../../../ports/store.ts'
import { nameList } from '../../shared/columns/columns.ts'
import { inLanes, NEW_EVENT, NEW_REPLAY } from '../../shared/columns/events.ts'
import { isSameOccurrence, type ReplaySql } from '../../shared/events/failures.ts'
import { arrays, unnest, uuids } from '../arrays.ts'
import type { Connection } from '../connection.ts'
import { ids } from './claim.ts'

// Orders two replays of one event: the second then sees the first one's event.
const LOCK_OCCASIONS = `SELECT o.id FROM terce.occasions AS o WHERE o.id IN (
    SELECT occasion_id FROM terce.settled_events WHERE id = ANY ($1::uuid[])) ORDER BY o.id FOR UPDATE`

const READ_CHANNELS = `SELECT s.id, o.channel_id, o.type FROM terce.settled_events AS s
  JOIN terce.occasions AS o ON o.id = s.occasion_id WHERE s.id = ANY ($1::uuid[])`

export const REPLAY_SQL: ReplaySql = {
  original: (column) => `split_part(${column}, '~', 1)`,
  number: (column) => `coalesce(nullif(split_part(${column}, '~', 2), '')::int, 0)`,
  settledTable: 'terce.settled_events',
  occasionsTable: 'terce.occasions',
  dismissalsTable: 'terce.dismissals',
  openTable: 'terce.events',
  isOpen: () => 'true',
}
const { original, number } = REPLAY_SQL
const sameAs = (other: string) => isSameOccurrence(REPLAY_SQL, other, 's')

/** The original was pruned: its bytes are gone, and different bytes must not follow under its key. */
const ORIGINAL_PRUNED = `NOT EXISTS (SELECT 1 FROM terce.settled_events AS kin WHERE ${sameAs('kin')} AND NOT kin.own_key)`

// One open replay for each occurrence, and none once it was delivered.
const INSERT_REPLAYS = `INSERT INTO terce.events (${nameList(NEW_EVENT)}, replay_of, own_key)
  SELECT ref.id, s.occasion_id,
    ${original('s.occurrence')} || '~' || (
      SELECT max(${number('tried.occurrence')}) + 1 FROM terce.settled_events AS tried WHERE ${sameAs('tried')}),
    s.target_at, s.offset_seconds, s.timezone, s.tz_version, ref.at, 0, 1, 0, ref.at, ref.at, ref.lane, s.id,
    ref.own_key = 1 OR ${ORIGINAL_PRUNED}
  FROM ${unnest(NEW_REPLAY)} JOIN terce.settled_events AS s ON s.id = ref.of_id AND s.status = 'FAILED'
  WHERE NOT EXISTS (SELECT 1 FROM terce.events AS open WHERE ${sameAs('open')})
    AND NOT EXISTS (SELECT 1 FROM terce.settled_events AS done WHERE ${sameAs('done')} AND done.status = 'COMPLETED')
  ON CONFLICT DO NOTHING RETURNING replay_of`

// Under the original's key the same bytes go out again: those of the original, or of an earlier replay under its key if
// the original was never rendered.
const COPY_BODIES = `INSERT INTO terce.payloads (event_id, body)
  SELECT s.id, p.body FROM ${unnest(NEW_REPLAY)} JOIN terce.events AS s ON s.id = ref.id AND NOT s.own_key
  JOIN terce.settled_events AS sent ON ${sameAs('sent')} AND NOT sent.own_key
  JOIN terce.payloads AS p ON p.event_id = sent.id ON CONFLICT DO NOTHING`

const READ_OUTLOOK = `SELECT s.id, o.not_after, CASE
      WHEN EXISTS (SELECT 1 FROM terce.settled_events AS done WHERE ${sameAs('done')} AND done.status = 'COMPLETED') THEN 'delivered'
      WHEN EXISTS (SELECT 1 FROM terce.events AS open WHERE ${sameAs('open')}) THEN 'in-progress' ELSE 'free' END
  FROM terce.settled_events AS s JOIN terce.occasions AS o ON o.id = s.occasion_id
  WHERE s.id = ANY ($1::uuid[]) AND s.status = 'FAILED'`

export async function replayOutlook(
  connection: Connection,
  eventIds: readonly string[],
): Promise<ReplayOutlook[]> {
  const rows = await connection.batch({ text: READ_OUTLOOK, values: [uuids(eventIds)] })
  return rows.map(([eventId, notAfter, state]) => ({ eventId, notAfter, state }) as ReplayOutlook)
}

export async function replay(connection: Connection, replays: readonly NewReplay[]): Promise<string[]> {
  const failed = [uuids(replays.map(({ of }) => of))]
  return connection.byKeys(async (run) => {
    await run({ text: LOCK_OCCASIONS, values: failed })
    const values = arrays(NEW_REPLAY, inLanes(replays, await run({ text: READ_CHANNELS, values: failed })))
    const inserted = ids(await run({ text: INSERT_REPLAYS, values }))
    await run({ text: COPY_BODIES, values })
    return inserted
  })
}
