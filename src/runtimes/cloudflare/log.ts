// A logger for Workers, where pino does not run. Writes the same JSON lines as pino.
import type { Logger } from 'pino'
import { describeError, onlyAllowed } from '../../telemetry/log.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export function createLineLogger(level: string, write: (line: string) => void): Logger {
  // -1 for `silent`: nothing is written.
  const least = (LEVELS as readonly string[]).indexOf(level)
  const methods = LEVELS.map((name, rank) => {
    const line = (...args: [string] | [Record<string, unknown>, string]) => {
      const [fields, msg] = args.length === 1 ? [{}, args[0]] : args
      const { error, ...others } = onlyAllowed(fields)
      const logged = error === undefined ? others : { ...others, error: describeError(error) }
      write(JSON.stringify({ level: name, time: new Date(Date.now()).toISOString(), ...logged, msg }))
    }
    return [name, least >= 0 && rank >= least ? line : () => {}]
  })
  return Object.fromEntries(methods) as Logger
}
