// Writes the outcomes of claims: successors, attempts, reminders and outcomes in one batch, and only for claims still held.
import type { Settlement, SettleResult } from '../../../ports/claim.ts'
import { classify, exchangeText, failedAttempt, settledKind } from '../../shared/events/settle-result.ts'
import type { Executor, Statement, Value } from '../executor.ts'
import { NEXT_NUMBER, STILL_CLAIMED } from './claim.ts'

export async function settle(executor: Executor, settlements: readonly Settlement[]): Promise<SettleResult> {
  // Successors, attempts and reminders first, while the claim still proves that we own the event; the event itself last.
  const statements: Statement[] = []
  const successors = settlements.flatMap(successorRow)
  if (successors.length > 0)
    statements.push({ sql: INSERT_SUCCESSORS, columns: SUCCESSOR_COLUMNS, rows: successors })
  const attempts = settlements.flatMap(attemptRow)
  if (attempts.length > 0) statements.push({ sql: INSERT_ATTEMPTS, columns: ATTEMPT_COLUMNS, rows: attempts })
  const reminded = settlements.flatMap(remindedRow)
  if (reminded.length > 0) statements.push({ sql: MARK_REMINDED, columns: REMINDED_COLUMNS, rows: reminded })
  statements.push({ sql: SETTLE, columns: SETTLE_COLUMNS, rows: settlements.map(settleRow) })

  const results = await executor.batch(statements, { durable: false })
  const eventIds = settlements.map(({ eventId }) => eventId)
  if (results.at(-1)!.changes === settlements.length) return { settled: eventIds, stale: [], replan: [] }
  const rows = await executor.read({ sql: READ_UNSETTLED, params: [JSON.stringify(eventIds)] })
  return classify(settlements, new Set(), rows)
}

/** Read only when a statement matched fewer events than it was given. */
const READ_UNSETTLED = `SELECT e.id, e.version, e.status, e.wake_at, e.lease_until IS NOT NULL
  FROM json_each(?) AS j CROSS JOIN events AS e ON e.id = j.value`

const SUCCESSOR_COLUMNS = [
  'id',
  'version',
  'plan_revision',
  'at',
  'successor_id',
  'occurrence',
  'target_at',
  'offset_seconds',
  'timezone',
  'tz_version',
] as const

function successorRow(settlement: Settlement): Value[][] {
  if (settlement.kind !== 'terminal' || settlement.successor === null) return []
  const { eventId, version, planRevision, at, successor } = settlement
  const { id, occurrence, targetAt, offsetSeconds, timezone, tzVersion } = successor
  return [[eventId, version, planRevision, at, id, occurrence, targetAt, offsetSeconds, timezone, tzVersion]]
}

const INSERT_SUCCESSORS = `INSERT INTO events (id, occasion_id, occurrence, status, target_at,
    offset_seconds, timezone, tz_version, wake_at, retry_count, version, plan_revision, created_at, updated_at)
  SELECT ref.successor_id, e.occasion_id, ref.occurrence, 'PENDING', ref.target_at,
    ref.offset_seconds, ref.timezone, ref.tz_version, ref.target_at, 0, 1, 0, ref.at, ref.at
  FROM {rows} AS ref ${STILL_CLAIMED}
  WHERE e.plan_revision = ref.plan_revision ON CONFLICT (occasion_id, occurrence) DO NOTHING`

const ATTEMPT_COLUMNS = [
  'id',
  'version',
  'at',
  'status_code',
  'error',
  'outcome',
  'channel_id',
  'exchange',
] as const

function attemptRow(settlement: Settlement): Value[][] {
  const attempt = failedAttempt(settlement)
  if (attempt === null) return []
  const { eventId, version, at, kind } = settlement
  const outcome = kind === 'retry' ? 'RETRY' : 'PARKED'
  const sent = [settlement.channelId ?? null, exchangeText(settlement)]
  return [[eventId, version, at, attempt.statusCode, attempt.error, outcome, ...sent]]
}

const INSERT_ATTEMPTS = `INSERT INTO attempts
    (event_id, number, claimed_by, started_at, finished_at, status_code, error, outcome, channel_id, exchange)
  SELECT e.id, ${NEXT_NUMBER}, e.claimed_by, e.claimed_at, ref.at, ref.status_code, ref.error, ref.outcome, ref.channel_id,
    ref.exchange
  FROM {rows} AS ref ${STILL_CLAIMED}`

const REMINDED_COLUMNS = ['id', 'version', 'plan_revision', 'at', 'task_id'] as const

function remindedRow(settlement: Settlement): Value[][] {
  if (settlement.kind !== 'terminal' || !settlement.reminded) return []
  const { eventId, version, planRevision, at, reminded } = settlement
  return [[eventId, version, planRevision, at, reminded]]
}

const MARK_REMINDED = `UPDATE tasks SET reminder_sent_at = ref.at FROM {rows} AS ref ${STILL_CLAIMED}
  WHERE tasks.id = ref.task_id AND e.plan_revision = ref.plan_revision`

const SETTLE_COLUMNS = [
  'id',
  'version',
  'plan_revision',
  'at',
  'status',
  'wake_at',
  'kind',
  'executed_at',
  'status_code',
  'failure_code',
  'last_error',
  'channel_id',
  'exchange',
] as const

function settleRow(settlement: Settlement): Value[] {
  const { eventId, version, at, channelId = null } = settlement
  switch (settlement.kind) {
    case 'terminal': {
      const { planRevision, status, statusCode, failure } = settlement
      const why = [statusCode, failure?.code ?? null, failure?.lastError ?? null]
      const sent = [channelId, exchangeText(settlement)]
      return [eventId, version, planRevision, at, status, null, 'terminal', at, ...why, ...sent]
    }
    case 'retry':
    case 'parked':
    case 'release': {
      const { wakeAt } = settlement
      const kind = settledKind(settlement)
      return [eventId, version, null, at, 'PROCESSING', wakeAt, kind, null, null, null, null, channelId, null]
    }
  }
}

const SETTLE = `UPDATE events SET status = ref.status, version = events.version + 1,
    wake_at = ref.wake_at, lease_until = NULL, retry_count = events.retry_count + (ref.kind = 'retry'),
    park_count = CASE ref.kind WHEN 'parked' THEN events.park_count + 1 WHEN 'retry' THEN 0 WHEN 'deferred' THEN 0 ELSE events.park_count END,
    executed_at = ref.executed_at, status_code = ref.status_code, failure_code = ref.failure_code,
    last_error = ref.last_error, channel_id = coalesce(ref.channel_id, events.channel_id), updated_at = ref.at,
    exchange = ref.exchange
  FROM {rows} AS ref
  WHERE events.id = ref.id AND events.version = ref.version AND events.status = 'PROCESSING'
    AND (ref.plan_revision IS NULL OR events.plan_revision = ref.plan_revision)`
