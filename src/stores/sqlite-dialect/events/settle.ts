// Writes the outcomes of claims: successors, attempts, reminders and outcomes in one batch, and only for claims still held.
import type { Settlement, SettleResult } from '../../../ports/claim.ts'
import { nameList, pick } from '../../shared/columns/columns.ts'
import { NEW_EVENT } from '../../shared/columns/events.ts'
import {
  ATTEMPT_COLUMNS,
  failedAttempt,
  SETTLEMENT,
  SUCCESSOR_NAMES,
  successorOf,
} from '../../shared/columns/settlements.ts'
import { classify } from '../../shared/events/settle-result.ts'
import { type Executor, overRows } from '../executor.ts'
import { NEXT_NUMBER, STILL_CLAIMED } from './claim.ts'

export async function settle(executor: Executor, settlements: readonly Settlement[]): Promise<SettleResult> {
  // Successors, attempts and reminders first, while the claim still proves that we own the event; the event itself last.
  const succeeded = settlements.filter((one) => successorOf(one) !== null)
  const tried = settlements.filter((one) => failedAttempt(one) !== null)
  const reminded = settlements.filter((one) => one.kind === 'terminal' && one.reminded)
  const statements = [
    ...(succeeded.length > 0 ? [overRows(INSERT_SUCCESSORS, SUCCESSOR, succeeded)] : []),
    ...(tried.length > 0 ? [overRows(INSERT_ATTEMPTS, ATTEMPT, tried)] : []),
    ...(reminded.length > 0 ? [overRows(MARK_REMINDED, REMINDED, reminded)] : []),
    overRows(SETTLE, SETTLED, settlements),
  ]

  const results = await executor.batch(statements, { durable: false })
  const eventIds = settlements.map(({ eventId }) => eventId)
  if (results.at(-1)!.changes === settlements.length) return { settled: eventIds, stale: [], replan: [] }
  const rows = await executor.read({ sql: READ_UNSETTLED, params: [JSON.stringify(eventIds)] })
  return classify(settlements, new Set(), rows)
}

/** Read only when a statement matched fewer events than it was given. */
const READ_UNSETTLED = `SELECT e.id, e.version, e.status, e.wake_at, e.lease_until IS NOT NULL
  FROM json_each(?) AS j CROSS JOIN events AS e ON e.id = j.value`

const SUCCESSOR = pick(SETTLEMENT, `id version plan_revision at ${SUCCESSOR_NAMES}`)

const INSERT_SUCCESSORS = `INSERT INTO events (${nameList(NEW_EVENT)}, status)
  SELECT ref.successor_id, e.occasion_id, ref.occurrence, ref.target_at, ref.offset_seconds, ref.timezone, ref.tz_version,
    ref.target_at, 0, 1, 0, ref.at, ref.at, e.lane, 'PENDING'
  FROM {rows} AS ref ${STILL_CLAIMED}
  WHERE e.plan_revision = ref.plan_revision ON CONFLICT (occasion_id, occurrence) DO NOTHING`

const ATTEMPT = pick(SETTLEMENT, 'id version at kind status_code error channel_id exchange')

const INSERT_ATTEMPTS = `INSERT INTO attempts (${ATTEMPT_COLUMNS})
  SELECT e.id, ${NEXT_NUMBER}, e.claimed_by, e.claimed_at, ref.at, ref.status_code, ref.error,
    CASE ref.kind WHEN 'retry' THEN 'RETRY' ELSE 'RELEASED' END, ref.channel_id, ref.exchange
  FROM {rows} AS ref ${STILL_CLAIMED}`

const REMINDED = pick(SETTLEMENT, 'id version plan_revision at task_id')

const MARK_REMINDED = `UPDATE tasks SET reminder_sent_at = ref.at FROM {rows} AS ref ${STILL_CLAIMED}
  WHERE tasks.id = ref.task_id AND e.plan_revision = ref.plan_revision`

const SETTLED = pick(
  SETTLEMENT,
  'id version plan_revision at status wake_at kind status_code failure_code last_error channel_id exchange',
)

/** The attempt that settles an event is in the event's own row. */
const ofTerminal = (column: string) => `iif(ref.kind = 'terminal', ${column}, NULL)`

const SETTLE = `UPDATE events SET status = ref.status, version = events.version + 1,
    wake_at = iif(ref.kind = 'terminal', NULL, coalesce(ref.wake_at, events.wake_at)), lease_until = NULL, lease_batch = NULL, retry_count = events.retry_count + (ref.kind = 'retry'),
    executed_at = ${ofTerminal('ref.at')}, status_code = ${ofTerminal('ref.status_code')}, failure_code = ref.failure_code,
    last_error = ref.last_error, channel_id = coalesce(ref.channel_id, events.channel_id), updated_at = ref.at,
    exchange = ${ofTerminal('ref.exchange')}
  FROM {rows} AS ref
  WHERE events.id = ref.id AND events.version = ref.version AND events.status = 'PROCESSING'
    AND (ref.plan_revision IS NULL OR events.plan_revision = ref.plan_revision)`
