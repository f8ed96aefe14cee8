// Writes the outcomes of claims. A terminal event moves to the settled events and leaves its successor, in one statement; an
// event that stays open is updated in another. Each event is settled whole or not at all.
import type { Settlement, SettleResult } from '../../../ports/claim.ts'
import { nameList, pick } from '../../shared/columns/columns.ts'
import { NEW_EVENT } from '../../shared/columns/events.ts'
import { ATTEMPT_COLUMNS, SETTLEMENT, SUCCESSOR_NAMES } from '../../shared/columns/settlements.ts'
import { classify } from '../../shared/events/settle-result.ts'
import { arrays, byId, unnest, uuids } from '../arrays.ts'
import type { Connection, Run } from '../connection.ts'
import { inMs } from '../instant.ts'
import { IS_THIS_CLAIM, ids, NEXT_NUMBER, WAS_CLAIMED } from './claim.ts'

type Terminal = Settlement & { kind: 'terminal' }
type Open = Exclude<Settlement, Terminal>

export async function settle(
  connection: Connection,
  settlements: readonly Settlement[],
): Promise<SettleResult> {
  const terminal = settlements.filter((one): one is Terminal => one.kind === 'terminal')
  const open = settlements.filter((one): one is Open => one.kind !== 'terminal')
  const settled = [...(await settleTerminal(connection, terminal)), ...(await settleOpen(connection, open))]
  if (settled.length === settlements.length) return { settled, stale: [], replan: [] }
  const known = new Set(settled)
  const unsettled = settlements.map(({ eventId }) => eventId).filter((eventId) => !known.has(eventId))
  const rows = await connection.query({ text: READ_UNSETTLED, values: [uuids(unsettled)] })
  return classify(settlements, known, rows)
}

const TERMINAL = pick(
  SETTLEMENT,
  `id version claimed_at plan_revision at status status_code failure_code last_error channel_id exchange ${SUCCESSOR_NAMES}`,
)

// No ON CONFLICT for successors: the deleted row was the only open event of its occasion, and the check for a conflict
// costs a fifth of the insertion.
const settleTerminalWith = (isFirst: string) => `WITH ended AS (
    DELETE FROM terce.events AS e USING ${unnest(TERMINAL)}
    WHERE e.id = ref.id AND ${IS_THIS_CLAIM} AND ${WAS_CLAIMED}
      AND e.plan_revision = ref.plan_revision
    RETURNING e.id, e.occasion_id, e.occurrence, e.target_at, e.offset_seconds, e.timezone, e.tz_version,
      e.retry_count, e.version, e.created_at, e.claimed_by, e.claimed_at, e.replay_of, e.own_key,
      coalesce(ref.channel_id, e.channel_id) AS channel_id, nullif(e.plan_revision, 0) AS plan_revision,
      e.lane, ref.exchange, ref.at AS at, ref.status, ref.status_code, ref.failure_code, ref.last_error, ref.successor_id,
      ref.occurrence AS next_occurrence, ref.target_at AS next_target_at,
      ref.offset_seconds AS next_offset_seconds, ref.timezone AS next_timezone, ref.tz_version AS next_tz_version
  ), history AS (
    INSERT INTO terce.settled_events (id, occasion_id, occurrence, target_at, offset_seconds, timezone, tz_version,
      retry_count, version, created_at, updated_at, status, claimed_by, claimed_at, executed_at, status_code,
      failure_code, last_error, replay_of, own_key, channel_id, plan_revision, exchange)
    SELECT id, occasion_id, occurrence, target_at, offset_seconds, timezone, tz_version,
      retry_count, version + 1, created_at, at, status, claimed_by, claimed_at, at, status_code,
      failure_code, last_error, replay_of, own_key, channel_id, plan_revision, exchange
    FROM ended${isFirst}
  ), successors AS (
    INSERT INTO terce.events (${nameList(NEW_EVENT)})
    SELECT successor_id, occasion_id, next_occurrence, next_target_at, next_offset_seconds, next_timezone,
      next_tz_version, next_target_at, 0, 1, 0, at, at, lane
    FROM ended WHERE successor_id IS NOT NULL
  )
  SELECT id FROM ended`

const SETTLE_TERMINAL = settleTerminalWith('')

// The settled events are unique by occurrence within a month; across months every insertion of an open event sees to it
// (docs/decisions/0023). An event that was planned again is checked once more: the first settled event of an occurrence stays.
const SETTLE_PLANNED_AGAIN = settleTerminalWith(` WHERE NOT EXISTS (SELECT 1 FROM terce.settled_events AS s
      WHERE s.occasion_id = ended.occasion_id AND s.occurrence = ended.occurrence)`)

async function settleTerminal(connection: Connection, settlements: readonly Terminal[]): Promise<string[]> {
  const again = settlements.filter(({ planRevision }) => planRevision > 0)
  if (again.length === 0) return settleTerminalBy(connection, SETTLE_TERMINAL, settlements)
  const first = settlements.filter(({ planRevision }) => planRevision === 0)
  return [
    ...(await settleTerminalBy(connection, SETTLE_TERMINAL, first)),
    ...(await settleTerminalBy(connection, SETTLE_PLANNED_AGAIN, again)),
  ]
}

async function settleTerminalBy(
  connection: Connection,
  text: string,
  settlements: readonly Terminal[],
): Promise<string[]> {
  if (settlements.length === 0) return []
  const query = { text, values: arrays(TERMINAL, byId(settlements)) }
  const reminders = settlements.filter(({ reminded }) => reminded)
  if (reminders.length === 0) return ids(await connection.prepared((_, last) => last(query)))
  return connection.prepared(async (run) => {
    const settled = ids(await run(query))
    await markReminded(run, reminders, new Set(settled))
    return settled
  })
}

const REMINDED = pick(SETTLEMENT, 'task_id at')

const LOCK_TASKS = 'SELECT id FROM terce.tasks WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE'

const MARK_REMINDED = `UPDATE terce.tasks AS t SET reminder_sent_at = ref.at FROM ${unnest(REMINDED)} WHERE t.id = ref.task_id`

// Locks tasks after events and in order of id, as every other writer does, to avoid deadlocks.
async function markReminded(run: Run, reminders: readonly Terminal[], settled: Set<string>): Promise<void> {
  const delivered = reminders.filter(({ eventId }) => settled.has(eventId))
  await run({ text: LOCK_TASKS, values: [uuids(delivered.map(({ reminded }) => reminded!))] })
  await run({ text: MARK_REMINDED, values: arrays(REMINDED, delivered) })
}

const OPEN = pick(SETTLEMENT, 'id version claimed_at at wake_at kind error status_code channel_id exchange')

// A settlement with an error records an attempt.
const SETTLE_OPEN = `WITH settled AS (
    UPDATE terce.events AS e SET version = e.version + 1, wake_at = coalesce(ref.wake_at, e.wake_at), lease_until = NULL, lease_batch = NULL,
      retry_count = e.retry_count + CASE ref.kind WHEN 'retry' THEN 1 ELSE 0 END,
      channel_id = coalesce(ref.channel_id, e.channel_id), updated_at = ref.at
    FROM ${unnest(OPEN)}
    WHERE e.id = ref.id AND ${IS_THIS_CLAIM} AND ${WAS_CLAIMED}
    RETURNING e.id, e.claimed_by, e.claimed_at, ref.at AS at, ref.kind, ref.error, ref.status_code, ref.channel_id,
      ref.exchange
  ), recorded AS (
    INSERT INTO terce.attempts (${ATTEMPT_COLUMNS})
    SELECT e.id, ${NEXT_NUMBER}, e.claimed_by, e.claimed_at, e.at, e.status_code, e.error,
      CASE e.kind WHEN 'retry' THEN 'RETRY' ELSE 'RELEASED' END, e.channel_id, e.exchange
    FROM settled AS e WHERE e.error IS NOT NULL
  )
  SELECT id FROM settled`

async function settleOpen(connection: Connection, settlements: readonly Open[]): Promise<string[]> {
  if (settlements.length === 0) return []
  const query = { text: SETTLE_OPEN, values: arrays(OPEN, byId(settlements)) }
  return ids(await connection.prepared((_, last) => last(query)))
}

/** Read only when a statement matched fewer events than it was given. */
const READ_UNSETTLED = `SELECT id, version, status, wake_at, lease_until IS NOT NULL, claimed_at FROM (
    SELECT id, version, 'PROCESSING' AS status, ${inMs('wake_at')} AS wake_at, lease_until, ${inMs('claimed_at')} AS claimed_at
    FROM terce.events WHERE claimed_at IS NOT NULL
    UNION ALL SELECT id, version, status, NULL, NULL, NULL FROM terce.settled_events) AS found
  WHERE id = ANY ($1::uuid[])`
