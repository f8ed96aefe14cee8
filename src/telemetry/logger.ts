// Log lines as JSON, by pino.
import { type DestinationStream, type Logger, pino } from 'pino'
import { describeError, onlyAllowed } from './log.ts'

/** Writes to standard output by default. */
export function createLogger(level: string, out: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: onlyAllowed },
      serializers: { error: describeError },
    },
    out,
  )
}
