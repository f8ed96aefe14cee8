// Writes the ends of attempts. What ends for good moves to the settled events and leaves its successor, in one
// statement; what is to be tried again stays open, in another. Each event is settled whole or not at all.
import type { Settlement, SettleResult } from '../../ports/claim.ts'
import { failedAttempt } from '../shared/settle-result.ts'
import { arrays, byId, type Cell, type Columns, unnest, uuids } from './arrays.ts'
import { IS_CLAIMED, ids, NEXT_NUMBER } from './claims.ts'
import type { Connection, Run } from './connection.ts'

type Terminal = Settlement & { kind: 'terminal' }
type Returning = Exclude<Settlement, Terminal>

export async function settle(
  connection: Connection,
  settlements: readonly Settlement[],
): Promise<SettleResult> {
  const terminal = settlements.filter((one): one is Terminal => one.kind === 'terminal')
  const returning = settlements.filter((one): one is Returning => one.kind !== 'terminal')
  const settled = [...(await finish(connection, terminal)), ...(await putBack(connection, returning))]
  if (settled.length === settlements.length) return { settled, stale: [], replan: [] }
  return sortOut(connection, settlements, new Set(settled))
}

const ENDED: Columns = {
  id: 'uuid',
  version: 'int',
  plan_revision: 'int',
  at: 'instant',
  status: 'text',
  status_code: 'int',
  failure_code: 'text',
  last_error: 'text',
  successor_id: 'uuid',
  occurrence: 'text',
  target_at: 'instant',
  offset_seconds: 'int',
  timezone: 'text',
  tz_version: 'text',
}

// No ON CONFLICT for successors: the row deleted was the only open one of its occasion, and looking for another that
// cannot be there costs a fifth of the insertion.
const FINISH = `WITH ended AS (
    DELETE FROM events AS e USING ${unnest(ENDED)}
    WHERE e.id = ref.id AND e.version = ref.version AND ${IS_CLAIMED}
      AND e.plan_revision = ref.plan_revision
    RETURNING e.id, e.occasion_id, e.occurrence, e.target_at, e.offset_seconds, e.timezone, e.tz_version,
      e.retry_count, e.version, e.created_at, e.claimed_by, e.claimed_at, e.replay_of, e.own_key,
      ref.at AS at, ref.status, ref.status_code, ref.failure_code, ref.last_error, ref.successor_id,
      ref.occurrence AS next_occurrence, ref.target_at AS next_target_at,
      ref.offset_seconds AS next_offset_seconds, ref.timezone AS next_timezone, ref.tz_version AS next_tz_version
  ), history AS (
    INSERT INTO settled_events (id, occasion_id, occurrence, target_at, offset_seconds, timezone, tz_version,
      retry_count, version, created_at, updated_at, status, claimed_by, claimed_at, executed_at, status_code,
      failure_code, last_error, replay_of, own_key)
    SELECT id, occasion_id, occurrence, target_at, offset_seconds, timezone, tz_version,
      retry_count, version + 1, created_at, at, status, claimed_by, claimed_at, at, status_code,
      failure_code, last_error, replay_of, own_key
    FROM ended
  ), successors AS (
    INSERT INTO events (id, occasion_id, occurrence, target_at, offset_seconds, timezone, tz_version, wake_at,
      retry_count, version, plan_revision, created_at, updated_at)
    SELECT successor_id, occasion_id, next_occurrence, next_target_at, next_offset_seconds, next_timezone,
      next_tz_version, next_target_at, 0, 1, 0, at, at
    FROM ended WHERE successor_id IS NOT NULL
  )
  SELECT id FROM ended`

async function finish(connection: Connection, settlements: readonly Terminal[]): Promise<string[]> {
  if (settlements.length === 0) return []
  const query = { text: FINISH, values: arrays(ENDED, byId(settlements).map(endedRow)) }
  const reminders = settlements.filter(({ reminded }) => reminded)
  if (reminders.length === 0) return ids(await connection.batch(query))
  return connection.byKeys(async (run) => {
    const settled = ids(await run(query))
    await markReminded(run, reminders, new Set(settled))
    return settled
  })
}

const REMINDED: Columns = { id: 'uuid', at: 'instant' }

// After the events, as everybody who locks both does, and in order of id.
async function markReminded(run: Run, reminders: readonly Terminal[], settled: Set<string>): Promise<void> {
  const taken = reminders.filter(({ eventId }) => settled.has(eventId))
  await run({
    text: 'SELECT id FROM tasks WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE',
    values: [uuids(taken.map(({ reminded }) => reminded!))],
  })
  await run({
    text: `UPDATE tasks AS t SET reminder_sent_at = ref.at FROM ${unnest(REMINDED)} WHERE t.id = ref.id`,
    values: arrays(
      REMINDED,
      taken.map(({ reminded, at }) => [reminded!, at]),
    ),
  })
}

function endedRow(settlement: Terminal): Cell[] {
  const { eventId, version, planRevision, at, status, statusCode, failure, successor } = settlement
  const why = [failure?.code ?? null, failure?.lastError ?? null]
  const ending = [eventId, version, planRevision, at, status, statusCode, ...why]
  if (successor === null) return [...ending, null, null, null, null, null, null]
  const { id, occurrence, targetAt, offsetSeconds, timezone, tzVersion } = successor
  return [...ending, id, occurrence, targetAt, offsetSeconds, timezone, tzVersion]
}

const BACK: Columns = {
  id: 'uuid',
  version: 'int',
  at: 'instant',
  wake_at: 'instant',
  kind: 'text',
  error: 'text',
  status_code: 'int',
}

// An event that was sent has an error and is an attempt.
const PUT_BACK = `WITH back AS (
    UPDATE events AS e SET version = e.version + 1, wake_at = ref.wake_at, lease_until = NULL,
      retry_count = e.retry_count + CASE ref.kind WHEN 'retry' THEN 1 ELSE 0 END,
      park_count = CASE ref.kind WHEN 'parked' THEN e.park_count + 1 WHEN 'retry' THEN 0 ELSE e.park_count END,
      updated_at = ref.at
    FROM ${unnest(BACK)}
    WHERE e.id = ref.id AND e.version = ref.version AND ${IS_CLAIMED}
    RETURNING e.id, e.claimed_by, e.claimed_at, ref.at AS at, ref.kind, ref.error, ref.status_code
  ), tried AS (
    INSERT INTO attempts (event_id, number, claimed_by, started_at, finished_at, status_code, error, outcome)
    SELECT e.id, ${NEXT_NUMBER}, e.claimed_by, e.claimed_at, e.at, e.status_code, e.error,
      CASE e.kind WHEN 'retry' THEN 'RETRY' ELSE 'PARKED' END
    FROM back AS e WHERE e.error IS NOT NULL
  )
  SELECT id FROM back`

async function putBack(connection: Connection, settlements: readonly Returning[]): Promise<string[]> {
  if (settlements.length === 0) return []
  return ids(await connection.batch({ text: PUT_BACK, values: arrays(BACK, byId(settlements).map(backRow)) }))
}

function backRow(settlement: Returning): Cell[] {
  const { eventId, version, at, wakeAt, kind } = settlement
  const attempt = failedAttempt(settlement)
  return [eventId, version, at, wakeAt, kind, attempt?.error ?? null, attempt?.statusCode ?? null]
}

/** Asked only when not all were taken: what became of the others. */
async function sortOut(
  connection: Connection,
  settlements: readonly Settlement[],
  settled: Set<string>,
): Promise<SettleResult> {
  const refused = settlements.filter(({ eventId }) => !settled.has(eventId))
  const rows = await connection.query({
    text: `SELECT id, version, status, wake_at, lease_until IS NOT NULL FROM (
        SELECT id, version, 'PROCESSING' AS status, round(date_part('epoch', wake_at) * 1000) AS wake_at, lease_until
        FROM events WHERE claimed_at IS NOT NULL
        UNION ALL SELECT id, version, status, NULL, NULL FROM settled_events) AS found
      WHERE id = ANY ($1::uuid[])`,
    values: [uuids(refused.map(({ eventId }) => eventId))],
  })
  const found = new Map(rows.map(([id, ...event]) => [id, event]))
  const result: SettleResult = { settled: [...settled], stale: [], replan: [] }
  for (const settlement of refused) {
    const [version, status, wakeAt, leased] = found.get(settlement.eventId) ?? []
    if (isAsWritten(settlement, { version, status, wakeAt, leased })) result.settled.push(settlement.eventId)
    else if (version === settlement.version && leased) result.replan.push(settlement.eventId)
    else result.stale.push(settlement.eventId)
  }
  return result
}

/** One version on and as we would have written it: by an earlier try of ours that we took for failed. */
function isAsWritten(
  settlement: Settlement,
  found: { version: unknown; status: unknown; wakeAt: unknown; leased: unknown },
): boolean {
  if (found.version !== settlement.version + 1 || found.leased) return false
  switch (settlement.kind) {
    case 'terminal':
      return found.status === settlement.status
    case 'retry':
    case 'parked':
    case 'release':
      return found.status === 'PROCESSING' && found.wakeAt === settlement.wakeAt
  }
}
