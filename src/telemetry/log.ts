// Turns what the flow reports into log lines. The one place that words them: no names, dates of birth or bodies.
import type { Logger } from 'pino'
import { reasonCode } from '../domain/events/failure-reason.ts'
import { formatInstant } from '../domain/time/timestamp.ts'
import type { Notice, Telemetry, TimezoneNotice } from '../ports/telemetry.ts'

/** All that a line may hold besides its time, level and words. Whatever else is handed over stays out. */
const FIELDS = [
  ...['count', 'oldestEventTimestamp', 'newestEventTimestamp'],
  ...['eventId', 'eventIds', 'userId', 'channel', 'idempotencyKey', 'attempt', 'statusCode', 'reason'],
  ...['durationMs', 'lateMs', 'delivered', 'retried', 'failed', 'released', 'rescheduled', 'skipped'],
  ...['state', 'status', 'during', 'retryInMs', 'error'],
  ...['release', 'recorded', 'zone', 'people', 'moved', 'restamped', 'shiftMs'],
]

/** Leaves out of a line what may not be in it. */
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

export function logTelemetry(logger: Logger): Telemetry {
  return (notice) => write(logger, notice)
}

function write(logger: Logger, notice: Notice): void {
  switch (notice.kind) {
    case 'recovery': {
      const { missed, oldestAt, newestAt } = notice
      if (missed === 0 || oldestAt === null || newestAt === null) return logger.info('No missed events found')
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
    case 'unknown':
      return logger.warn(someOf(notice), 'A worker was not heard of again; its messages may have arrived')
    case 'attempt':
      return writeAttempt(logger, notice)
    case 'settled':
      return logger.info(notice, 'Events settled')
    case 'stale':
      return logger.warn(
        someOf(notice),
        'Claims lost to another worker or to a deletion; nothing was written',
      )
    case 'breaker':
      return logger.warn({ channel: notice.channelName, state: notice.state }, BREAKER[notice.state])
    case 'channel': {
      const { channelName: channel, status, reason } = notice
      return logger.warn({ channel, status, reason: reason && reasonCode(reason) }, 'A channel changed')
    }
    case 'rescheduled':
      return logger.info(notice, 'Events rescheduled')
    case 'reschedule-skipped':
      return logger.warn(notice, 'Event is being delivered and was not rescheduled; its successor will be')
    case 'timezones':
      return writeTimezones(logger, notice)
    case 'trouble':
      return logger.error(notice, 'Something went wrong')
  }
}

const BREAKER = {
  open: 'A destination is down and left alone for a while',
  'half-open': 'A destination is tried again, with few at a time',
  closed: 'A destination is back',
}

function writeTimezones(logger: Logger, notice: TimezoneNotice): void {
  switch (notice.state) {
    case 'moving':
      return logger.info(notice, 'Events are being moved: their place has other rules')
    case 'moved':
      return logger.info(notice, 'Events of a place with other rules were moved')
    case 'older':
      return logger.warn(
        notice,
        'The timezones are older than those the events were planned by; none was moved',
      )
    case 'gone':
      return logger.warn(notice, 'People live in a timezone that is not in the table; their events stay')
  }
}

/** A batch can be long; a few of it say where to look. */
function someOf({ eventIds }: { eventIds: readonly string[] }): object {
  return { count: eventIds.length, eventIds: eventIds.slice(0, 10) }
}

function writeAttempt(logger: Logger, notice: Notice & { kind: 'attempt' }): void {
  const { error, ...attempt } = notice
  const fields = { ...attempt, reason: error === null ? undefined : reasonCode(error) }
  switch (notice.outcome) {
    case 'delivered':
      return logger.debug(fields, 'Delivered')
    case 'retry':
      return logger.warn(fields, 'Not delivered, will be tried again')
    case 'parked':
      return logger.warn(fields, 'Not delivered: its destination is down; waits for it')
    case 'failed':
      return logger.error(fields, 'Not delivered, given up')
  }
}
