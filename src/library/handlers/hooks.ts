// What an application is told of its handlers, and the logger that gets the lines of Terce.
import type { OutcomeOfAttempt } from '../../ports/channel.ts'
import type { EventOf } from './handler.ts'

/** An attempt of a handler. `attempt` is its number, from 1. */
export type HandlerAttempt = { event: EventOf<string>; attempt: number }

export type HandlerHooks = {
  /**
   * Called with what a handler threw, or why it could not run, once for each attempt. `willRetry` is false if the event is FAILED, or was
   * deleted with its person.
   * Without it, the error is printed by `console.error`, or passed to `logger`.
   */
  onError?: (error: unknown, attempt: HandlerAttempt & { willRetry: boolean }) => unknown
  /** Called when the transaction of a handler has committed, and the event is COMPLETED. */
  onCompleted?: (attempt: HandlerAttempt) => unknown
}

type Line = (fields: object, message: string) => void

/** A logger such as pino, or the `log` of Fastify. */
export type TerceLogger = { debug: Line; info: Line; warn: Line; error: Line }

/** `eventId`: of the attempt, which may be a replay. */
export type Report = (
  outcome: OutcomeOfAttempt,
  of: HandlerAttempt & { error?: unknown; eventId: string },
) => void

/**
 * Reports each attempt to its hook. Hooks are not awaited: one that never ends holds nothing up, and one that throws ends nothing.
 * `exists`: whether an event is still stored.
 */
export function reportTo(
  { onError, onCompleted }: HandlerHooks,
  print: Print,
  exists: (eventId: string) => Promise<boolean>,
): Report {
  const run = (hook: () => unknown) =>
    void new Promise((resolve) => resolve(hook())).catch((error) => print(error, 'A hook failed'))
  return (outcome, { error, event, attempt, eventId }) => {
    // The process stops, and another one delivers the event.
    if (outcome === 'released') return
    if (outcome === 'delivered') {
      if (onCompleted !== undefined) run(() => onCompleted({ event, attempt }))
      return
    }
    run(async () => {
      // The person may have been deleted while the handler ran. A database that is down says nothing.
      const willRetry = outcome !== 'failed' && (await exists(eventId).catch(() => true))
      if (onError !== undefined) await onError(error, { event, attempt, willRetry })
      else print(error, 'A handler failed', { eventId: event.eventId, attempt, willRetry })
    })
  }
}

type Print = (error: unknown, message: string, fields?: object) => void

/** Prints an error with its stack to the logger of the application, or to its console. */
export function printTo(logger: TerceLogger | undefined, level: string): Print {
  if (level === 'fatal' || level === 'silent') return () => {}
  return (err, message, fields = {}) => {
    // biome-ignore lint/suspicious/noConsole: the console is the application's own, and the error may hold its data.
    if (logger === undefined) console.error(`Terce: ${message}`, fields, err)
    else safely(() => logger.error({ err, ...fields }, message))
  }
}

/** Receives the lines of the log as they are written, and passes them on. */
export function linesTo(logger: TerceLogger): { write(line: string): void } {
  return {
    write(line) {
      const { level, time: _, msg, ...fields } = JSON.parse(line)
      safely(() => logger[LEVELS[level] ?? 'error'](fields, msg))
    },
  }
}

const LEVELS: Record<string, keyof TerceLogger> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
}

/** A logger that throws must not end a delivery. */
function safely(work: () => void): void {
  try {
    work()
  } catch {}
}
