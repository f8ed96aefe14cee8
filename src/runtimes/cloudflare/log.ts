// Log lines where pino does not run: one line of JSON each, with the fields and in the form that pino writes them.
import type { Logger } from 'pino'
import { describeError, onlyAllowed } from '../../telemetry/log.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export function createLineLogger(level: string, write: (line: string) => void): Logger {
  // `silent` is not among them: then nothing is written.
  const least = (LEVELS as readonly string[]).indexOf(level)
  const methods = LEVELS.map((name, rank) => {
    const line = (...said: [string] | [Record<string, unknown>, string]) => {
      const [fields, msg] = said.length === 1 ? [{}, said[0]] : said
      const { error, ...others } = onlyAllowed(fields)
      const told = error === undefined ? others : { ...others, error: describeError(error) }
      write(JSON.stringify({ level: name, time: new Date(Date.now()).toISOString(), ...told, msg }))
    }
    return [name, least >= 0 && rank >= least ? line : () => {}]
  })
  return Object.fromEntries(methods) as Logger
}
