// Turns notices into log lines. No line holds a name, a date of birth or a body.
import type { Logger } from 'pino'
import { reasonCode } from '../domain/events/failure-reason.ts'
import { formatInstant } from '../domain/time/timestamp.ts'
import type { ClaimRef } from '../ports/claim.ts'
import type { AttemptOf, Notice, Telemetry, TimezoneNotice } from '../ports/telemetry.ts'
import { errorMessage, inSeconds } from './error-message.ts'

/** The fields that a line may hold besides its time, level and message. Any other field is left out. */
const FIELDS = [
  ...['count', 'oldestEventTimestamp', 'newestEventTimestamp', 'changeIds'],
  ...['eventId', 'eventIds', 'claims', 'userId', 'taskId', 'targetTimestampUTC', 'channel', 'idempotencyKey'],
  ...['attempt', 'statusCode', 'reason', 'durationMs', 'lateMs', 'currentStatus'],
  ...['claimed', 'delivered', 'retried', 'failed', 'released'],
  ...['types', 'rescheduled', 'skipped', 'handedOver', 'from', 'to', 'state', 'since', 'status', 'operation'],
  ...['channelId', 'messageId', 'runId', 'retryInMs', 'database', 'error'],
  ...['entry', 'action', 'actor', 'address', 'objectKind', 'objectId', 'rejectedWith', 'hash'],
  ...['release', 'recorded', 'zone', 'people', 'moved', 'unmoved', 'shiftMs', 'bytes', 'limitBytes'],
  ...['day', 'due', 'onTime', 'late', 'notSent', 'waiting', 'missed'],
]

export function onlyAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(FIELDS.filter((name) => name in fields).map((name) => [name, fields[name]]))
}

/** The kind and place of an error. Messages stay out: a driver's message can quote a row; SQLite's errstr cannot. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const { name, stack } = error
  const { code, errstr } = error as { code?: unknown; errstr?: unknown }
  const at = stack?.split('\n').filter((line) => line.startsWith('    at '))
  const known = /^\w{1,40}$/.test(String(code)) ? code : undefined
  return { name, code: known, errstr, at: at?.slice(0, 4).map((line) => line.trim()) }
}

/** Writes a line for every notice. */
export function logTelemetry(logger: Logger): Telemetry {
  return (notice) => write(logger, notice)
}

function write(logger: Logger, notice: Notice): void {
  switch (notice.kind) {
    case 'run':
      return logger.info(notice, RUNS[notice.of][notice.state])
    case 'recovery-started':
      return logger.info({}, 'Starting recovery check')
    case 'unhandled':
      return logger.warn(
        notice,
        'Types without a handler in this process: it delivers their events only if their occasion names a channel',
      )
    case 'recovery': {
      const { missed, oldestAt, newestAt } = notice
      if (missed === 0 || oldestAt === null || newestAt === null)
        return logger.info({}, 'No missed events found')
      return logger.info(
        {
          count: missed,
          oldestEventTimestamp: formatInstant(oldestAt),
          newestEventTimestamp: formatInstant(newestAt),
        },
        'Missed events found',
      )
    }
    case 'claimed':
      return logger.debug(notice, 'Events claimed')
    case 'attempt-started':
      return logger.info(attemptFields(notice), 'Executing event')
    case 'unknown':
      return logger.warn(firstOf(notice), 'Leases expired; the events are sent again, possibly twice')
    case 'attempt':
      return writeAttempt(logger, notice)
    case 'settled':
      return logger.info({ ...notice, types: notice.byType }, 'Events settled')
    case 'backlog':
      return writeBacklog(logger, notice)
    case 'database-size':
      if (notice.bytes < NEARLY_FULL * notice.limitBytes) return
      return logger.warn(notice, 'The database is nearly full: prune the history, or move to PostgreSQL')
    case 'dead-letters':
      return logger.error(notice, 'Dead letters; their events are FAILED')
    case 'stale':
      return logger.warn(
        { count: notice.claims.length, claims: notice.claims.slice(0, 10).map(expectedVersion) },
        'Claims lost to another worker or to a deletion; nothing was written',
      )
    case 'destination': {
      const { channelName: channel, state, since, error } = notice
      const fields = { channel, state, since: formatInstant(since), reason: error && reasonCode(error) }
      return logger.warn(fields, DESTINATION[state])
    }
    case 'channel': {
      const { channelName: channel, status, reason } = notice
      return logger.warn({ channel, status, reason: reason && reasonCode(reason) }, 'Channel status changed')
    }
    case 'environment': {
      const { what, from, to } = notice
      return logger.warn({ from, to }, to === null ? NO_WEBHOOK_URL : ENVIRONMENT[notice.state][what])
    }
    case 'enqueued':
      return writeEnqueued(logger, notice)
    case 'ledger':
      return writeLedger(logger, notice)
    case 'untrusted-proxy':
      return logger.warn({}, UNTRUSTED_PROXY)
    case 'audit':
      return logger.info({ ...notice, entry: notice.number }, 'Audit')
    case 'rescheduled':
      return logger.info(notice, 'Events rescheduled')
    case 'reschedule-skipped':
      return logger.warn(
        { ...notice, reason: 'IN_FLIGHT' },
        'Event is in flight and was not rescheduled; its successor will be',
      )
    case 'timezones':
      return writeTimezones(logger, notice)
    case 'waiting':
      return logger.warn(notice, `Waiting for the database; retrying in ${inSeconds(notice.retryInMs)} s`)
    case 'listening':
      return notice.error === null
        ? logger.warn({}, 'LISTEN works again')
        : logger.warn(notice, 'LISTEN failed and is retried: events of other processes are found by polling')
    case 'error':
      return logger.error(withoutNullTask(notice), errorMessage(notice))
  }
}

const UNTRUSTED_PROXY = 'X-Forwarded-For without TRUSTED_PROXIES: all callers count as one address'

/** A database that is fuller is reported by every run of the scheduler. */
const NEARLY_FULL = 0.8
/** Two runs of a scheduler: what is due for longer was not claimed by the first. */
const LONG_DUE_MS = 120_000

function writeBacklog(logger: Logger, { count, oldestMs: lateMs }: Notice & { kind: 'backlog' }): void {
  if (lateMs > LONG_DUE_MS) logger.warn({ count, lateMs }, 'Events are overdue')
}

const RUNS = {
  worker: { started: 'Worker started', ended: 'Worker stopped' },
  scheduler: { started: 'Scheduler run started', ended: 'Scheduler run ended' },
  recovery: { started: 'Recovery run started', ended: 'Recovery run ended' },
}

function expectedVersion({ eventId, version }: ClaimRef): object {
  return { eventId, expectedVersion: version }
}

const NO_WEBHOOK_URL =
  'WEBHOOK_URL is not set in this process, which started last: no process delivers to the old URL by default'

const ENVIRONMENT = {
  replaced: {
    url: 'WEBHOOK_URL replaced: every process delivers to the URL of this one, which started last',
    secret: 'WEBHOOK_SECRET replaced: processes with the old one sign with it until they are restarted',
  },
  differs: {
    url: 'WEBHOOK_URL differs: another process has replaced it, and this one delivers to the URL of that process',
    secret: 'WEBHOOK_SECRET differs from the one of another process: the receiver may reject one of them',
  },
}

const DESTINATION = {
  down: 'The destination is down; its messages wait',
  up: 'The destination is up again',
  untried: 'No message waits for the destination; the next one shows whether it is up',
}

function writeEnqueued(logger: Logger, { applied, rejected }: Notice & { kind: 'enqueued' }): void {
  if (applied > 0) logger.debug({ count: applied }, 'Enqueued changes applied')
  if (rejected.length === 0) return
  const fields = { count: rejected.length, changeIds: rejected.slice(0, 10) }
  logger.warn(fields, 'Enqueued changes rejected; see terce.enqueue_errors')
}

function withoutNullTask({ taskId, ...notice }: Notice & { kind: 'error' }): object {
  return typeof taskId === 'string' ? { ...notice, taskId } : notice
}

function writeTimezones(logger: Logger, notice: TimezoneNotice): void {
  switch (notice.state) {
    case 'moving':
      return logger.info(notice, 'Timezone rules changed; events are being moved')
    case 'moved':
      return logger.info(notice, 'Timezone rules changed; events were moved')
    case 'older':
      return logger.warn(
        notice,
        'Timezone data is older than the data that events were planned by; none was moved',
      )
    case 'gone':
      return logger.warn(notice, 'People live in a timezone that is not in the table; their events stay')
  }
}

/** A batch can be long: its size and the first ten ids. */
function firstOf({ eventIds }: { eventIds: readonly string[] }): object {
  return { count: eventIds.length, eventIds: eventIds.slice(0, 10) }
}

/** Without the type: the type and the time of the line would say when the birthday of this person is. */
function attemptFields({ taskId, targetAt, ...attempt }: AttemptOf): object {
  const task = taskId === null ? {} : { taskId }
  return { ...attempt, ...task, targetTimestampUTC: formatInstant(targetAt) }
}

function writeAttempt(logger: Logger, notice: Notice & { kind: 'attempt' }): void {
  const { error, ...attempt } = notice
  const fields = { ...attemptFields(attempt), reason: error === null ? undefined : reasonCode(error) }
  switch (notice.outcome) {
    case 'delivered':
      return logger.info(fields, 'Delivery succeeded')
    case 'retry':
      return logger.warn(fields, 'Delivery failed; will be retried')
    case 'released':
      return logger.warn(
        fields,
        'Delivery aborted, or its destination is not up; the event is released and uses no retry',
      )
    case 'failed':
      return logger.error(fields, 'Delivery failed; no more retries')
  }
}

function writeLedger(logger: Logger, { kind: _, ...day }: Notice & { kind: 'ledger' }): void {
  if (day.missed === 0) logger.info(day, 'Day of the ledger closed; nobody was missed')
  else
    logger.error(day, 'Day of the ledger closed with problems that can miss people; see terce ledger --today')
}
