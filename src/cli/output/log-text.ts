// Log lines for a person at a terminal, made from the JSON lines of the logger: the same messages and fields.
import { type Paint, paintFor } from './colour.ts'
import { shortIds } from './words.ts'

type LogOutput = {
  write(line: string): void
  /** Writes the lines that wait for the banner. */
  release(): void
}

/** Null for JSON lines. */
export function openTextLog(
  format: 'auto' | 'json' | 'text',
  stdout: NodeJS.WritableStream & { isTTY?: boolean },
): LogOutput | null {
  if (format === 'json' || (format === 'auto' && !stdout.isTTY)) return null
  return createTextLog((text) => stdout.write(text), paintFor(stdout))
}

/** Lines of level info wait until `release`, so that the banner comes first. Warnings and errors are written at once. */
export function createTextLog(write: (text: string) => void, paint: Paint): LogOutput {
  let held: string[] | null = []
  return {
    write(line) {
      const entry = JSON.parse(line) as Entry
      const text = `${textOf(entry, paint)}\n`
      if (held !== null && !isUrgent(entry)) held.push(text)
      else write(text)
    },
    release() {
      for (const text of held ?? []) write(text)
      held = null
    },
  }
}

type Entry = { level: string; time: string; msg: string; error?: LoggedError; [field: string]: unknown }
type LoggedError = { name: string; code?: string; errstr?: string; at?: string[] }

const isUrgent = ({ level }: Entry) => ['warn', 'error', 'fatal'].includes(level)

const STYLES = { warn: 'yellow', error: 'red', fatal: 'red' } as const

function textOf({ level, time, msg, error, ...fields }: Entry, paint: Paint): string {
  const style = STYLES[level as keyof typeof STYLES] ?? 'green'
  const shown = Object.entries(fields)
    // The message says it.
    .filter(([name]) => name !== 'retryInMs')
    .map(([name, value]) => `${name}=${fieldText(value)}`)
  if (error !== undefined)
    shown.push(`error=${[error.name, error.code, error.errstr].filter(Boolean).join(' ')}`)
  const parts = [paint('dim', `${time.slice(11, 19)}Z`), paint(style, level.padEnd(5)), msg]
  if (shown.length > 0) parts.push(paint('dim', shown.join(' ')))
  // An outage is expected and has a remedy; any other error is looked up in the code.
  const stack = level === 'warn' ? [] : (error?.at ?? []).map((line) => paint('dim', `  ${line}`))
  return [parts.join('  '), ...stack].join('\n')
}

function fieldText(value: unknown): string {
  return shortIds(typeof value === 'string' ? value : JSON.stringify(value))
}
