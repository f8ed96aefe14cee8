// Turns what the flow reports into log lines. The one place that words them: no names, dates of birth or bodies.
import { type Logger, pino } from 'pino'
import { formatInstant } from '../domain/timestamp.ts'
import type { Notice, Telemetry } from '../ports/telemetry.ts'

export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: describeError },
  })
}

/** The kind and place of an error. Messages stay out: a driver's message can quote a row; SQLite's errstr cannot. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const { name, stack } = error
  const { code, errstr } = error as { code?: unknown; errstr?: unknown }
  const at = stack?.split('\n').filter((line) => line.startsWith('    at '))
  return { name, code, errstr, at: at?.slice(0, 4).map((line) => line.trim()) }
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
      return logger.debug({ count: notice.count }, 'Events claimed')
    case 'attempt':
      return writeAttempt(logger, notice)
    case 'settled': {
      const { kind: _, ...counts } = notice
      return logger.info(counts, 'Events settled')
    }
    case 'stale':
      return logger.warn(
        { count: notice.eventIds.length, eventIds: notice.eventIds.slice(0, 10) },
        'Claims lost to another worker or to a deletion; nothing was written',
      )
    case 'rescheduled': {
      const { kind: _, ...fields } = notice
      return logger.info(fields, 'Events rescheduled')
    }
    case 'reschedule-skipped':
      return logger.warn(
        { userId: notice.userId, eventId: notice.eventId },
        'Event is being delivered and was not rescheduled; its successor will be',
      )
    case 'trouble':
      return logger.error(
        { during: notice.during, retryInMs: notice.retryInMs, error: notice.error },
        'Something went wrong',
      )
  }
}

function writeAttempt(logger: Logger, notice: Notice & { kind: 'attempt' }): void {
  const { kind: _, outcome, error, ...fields } = notice
  switch (outcome) {
    case 'delivered':
      return logger.debug(fields, 'Delivered')
    case 'retry':
      return logger.warn({ ...fields, reason: error }, 'Not delivered, will be tried again')
    case 'failed':
      return logger.error({ ...fields, reason: error }, 'Not delivered, given up')
  }
}
