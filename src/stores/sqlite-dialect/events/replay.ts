// Inserts events that send failed ones again. The failed rows stay as they are.
import type { NewReplay, ReplayOutlook } from '../../../ports/store.ts'
import { nameList } from '../../shared/columns/columns.ts'
import { inLanes, NEW_EVENT, NEW_REPLAY } from '../../shared/columns/events.ts'
import { isSameOccurrence, type ReplaySql } from '../../shared/events/failures.ts'
import { type Executor, overRows } from '../executor.ts'

export const REPLAY_SQL: ReplaySql = {
  original: (column) => `substr(${column}, 1, instr(${column} || '~', '~') - 1)`,
  number: (column) => `CAST(substr(${column}, instr(${column} || '~', '~') + 1) AS INTEGER)`,
  settledTable: 'events',
  occasionsTable: 'occasions',
  dismissalsTable: 'dismissals',
  openTable: 'events',
  isOpen: (event) => `${event}.wake_at IS NOT NULL`,
}
const { original, number } = REPLAY_SQL
const sameAs = (other: string) => isSameOccurrence(REPLAY_SQL, other, 'e')

/** The original was pruned: its bytes are gone, and different bytes must not follow under its key. */
const ORIGINAL_PRUNED = `NOT EXISTS (SELECT 1 FROM events AS kin WHERE ${sameAs('kin')} AND NOT kin.own_key)`

// One open replay for each occurrence, and none once it was delivered.
const INSERT_REPLAYS = `INSERT INTO events (${nameList(NEW_EVENT)}, status, replay_of, own_key)
  SELECT ref.id, e.occasion_id, ${original('e.occurrence')} || '~' || (
      SELECT max(${number('tried.occurrence')}) + 1 FROM events AS tried WHERE ${sameAs('tried')}),
    e.target_at, e.offset_seconds, e.timezone, e.tz_version, ref.at, 0, 1, 0, ref.at, ref.at, ref.lane, 'PENDING', e.id,
    max(ref.own_key, ${ORIGINAL_PRUNED})
  FROM {rows} AS ref CROSS JOIN events AS e ON e.id = ref.of_id AND e.status = 'FAILED'
  CROSS JOIN occasions AS o ON o.id = e.occasion_id AND o.channel_id IS ref.channel_id
  WHERE NOT EXISTS (SELECT 1 FROM events AS other WHERE ${sameAs('other')} AND other.status <> 'FAILED')
  ON CONFLICT DO NOTHING`

// Under the original's key the same bytes go out again: those of the original, or of an earlier replay under its key if
// the original was never rendered.
const COPY_BODIES = `INSERT INTO payloads (event_id, body)
  SELECT e.id, p.body FROM {rows} AS ref CROSS JOIN events AS e ON e.id = ref.id AND NOT e.own_key
  JOIN events AS sent ON ${sameAs('sent')} AND NOT sent.own_key AND sent.id <> e.id
  JOIN payloads AS p ON p.event_id = sent.id WHERE true ON CONFLICT DO NOTHING`

const READ_OUTLOOK = `SELECT e.id, o.not_after, max(kin.status = 'COMPLETED'), max(kin.status IN ('PENDING', 'PROCESSING'))
  FROM json_each(?) AS j CROSS JOIN events AS e ON e.id = j.value AND e.status = 'FAILED'
  CROSS JOIN occasions AS o ON o.id = e.occasion_id CROSS JOIN events AS kin ON ${sameAs('kin')}
  GROUP BY e.id, o.not_after`

export async function replayOutlook(
  executor: Executor,
  eventIds: readonly string[],
): Promise<ReplayOutlook[]> {
  const rows = await executor.read({ sql: READ_OUTLOOK, params: [JSON.stringify(eventIds)] })
  return rows.map(([eventId, notAfter, delivered, open]): ReplayOutlook => {
    const state = delivered === 1 ? 'delivered' : open === 1 ? 'in-progress' : 'free'
    return { eventId: eventId as string, notAfter: notAfter as string | null, state }
  })
}

const READ_CHANNELS = `SELECT e.id, o.channel_id, o.type
  FROM json_each(?) AS j CROSS JOIN events AS e ON e.id = j.value CROSS JOIN occasions AS o ON o.id = e.occasion_id`

const READ_REPLAYED = 'SELECT e.replay_of FROM json_each(?) AS j CROSS JOIN events AS e ON e.id = j.value'

export async function replay(executor: Executor, replays: readonly NewReplay[]): Promise<string[]> {
  if (replays.length === 0) return []
  const failed = JSON.stringify(replays.map(({ of }) => of))
  const rows = inLanes(replays, await executor.read({ sql: READ_CHANNELS, params: [failed] }))
  await executor.batch([overRows(INSERT_REPLAYS, NEW_REPLAY, rows), overRows(COPY_BODIES, NEW_REPLAY, rows)])
  const ids = JSON.stringify(replays.map(({ id }) => id))
  const inserted = await executor.read({ sql: READ_REPLAYED, params: [ids] })
  return inserted.map((row) => row[0] as string)
}
