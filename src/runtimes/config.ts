// Reads the environment. A wrong value stops the start with one clear line each.
import { parseLocalTime } from '../domain/local-time.ts'
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from '../domain/retry-policy.ts'

export type Config = {
  port: number
  host: string
  database:
    | { kind: 'sqlite'; path: string }
    | { kind: 'postgres'; url: string; listenUrl: string; connections: number }
  /** Null for the built-in inbox. */
  webhookUrl: string | null
  webhookTimeoutMs: number
  deliverAt: string
  leaseMs: number
  concurrency: number
  retryPolicy: RetryPolicy
  catchUpWindowMs: number | null
  logLevel: string
}

export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

export function readConfig(env: Environment): Config {
  const problems: string[] = []
  /** The parsed value of a variable, its default when unset, or a noted problem when it does not parse. */
  function read<T>(name: string, fallback: T, parse: (text: string) => T | undefined, remedy: string): T {
    const text = env[name]?.trim()
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value === undefined) problems.push(`${name}=${hideSecrets(text)} is not usable. ${remedy}`)
    return value ?? fallback
  }
  const config: Config = {
    port: read('PORT', 3000, wholeNumber(0, 65_535), 'Give a port number from 0 to 65535.'),
    host: read('HOST', '127.0.0.1', text, ''),
    database: read(
      'DATABASE_URL',
      { kind: 'sqlite', path: './data/terce.db' },
      databaseUrl({
        connections: read('DATABASE_CONNECTIONS', 10, wholeNumber(2, 1_000), 'Give a number from 2 to 1000.'),
        listenUrl: read(
          'DATABASE_LISTEN_URL',
          null,
          postgresUrl,
          'Give postgres://USER:PASSWORD@HOST/DATABASE.',
        ),
      }),
      'Give sqlite:PATH, such as sqlite:./data/terce.db, or postgres://USER:PASSWORD@HOST/DATABASE.',
    ),
    webhookUrl: read(
      'WEBHOOK_URL',
      null,
      webUrl,
      'Give an address that begins with http:// or https://, without a user name or password.',
    ),
    webhookTimeoutMs: read(
      'WEBHOOK_TIMEOUT_MS',
      10_000,
      wholeNumber(1, 300_000),
      'Give milliseconds from 1 to 300000.',
    ),
    deliverAt: read('DELIVER_AT', '09:00', localTime, 'Give a time of day as HH:MM, such as 09:00.'),
    leaseMs: read(
      'LEASE_MS',
      60_000,
      wholeNumber(1_000, 3_600_000),
      'Give milliseconds from 1000 to 3600000.',
    ),
    concurrency: read('CONCURRENCY', 256, wholeNumber(1, 10_000), 'Give a number from 1 to 10000.'),
    retryPolicy: read(
      'RETRY',
      DEFAULT_RETRY_POLICY,
      retryPolicy,
      'Give the waits, such as 1s,2s,4s, or none.',
    ),
    catchUpWindowMs: read(
      'CATCH_UP_WINDOW',
      null,
      catchUpWindow,
      'Give a length of time such as 36h, or unlimited.',
    ),
    logLevel: read('LOG_LEVEL', 'info', logLevel, `Give one of ${LOG_LEVELS.join(', ')}.`),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** A URL can carry a password; a message about it must not. */
function hideSecrets(value: string): string {
  // To the last @: a password that was not encoded may hold one, or a slash.
  return value.replace(/\/\/.*@/, '//***@').slice(0, 80)
}

const text = (value: string) => value

function wholeNumber(least: number, most: number) {
  return (value: string): number | undefined => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    return number >= least && number <= most ? number : undefined
  }
}

function databaseUrl(postgres: { connections: number; listenUrl: string | null }) {
  return (value: string): Config['database'] | undefined => {
    // sqlite:PATH or sqlite:///ABSOLUTE; two slashes before a relative path would mean a host.
    const path = /^sqlite:(?:\/\/(?=\/))?((?!\/\/).+)$/.exec(value)?.[1]
    if (path !== undefined) return { kind: 'sqlite', path }
    const url = postgresUrl(value)
    const { connections, listenUrl } = postgres
    return url === undefined ? undefined : { kind: 'postgres', url, listenUrl: listenUrl ?? url, connections }
  }
}

function postgresUrl(value: string): string | undefined {
  return URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol) ? value : undefined
}

function webUrl(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? value : undefined
}

function localTime(value: string): string | undefined {
  return parseLocalTime(value) === null ? undefined : value
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90d`, `36h`, `5m`, `1s` or `200ms`, in milliseconds. */
export function parseDuration(value: string): number | undefined {
  const match = /^(\d{1,6})(ms|s|m|h|d)$/.exec(value.trim())
  return match === null ? undefined : Number(match[1]) * UNIT_MS[match[2]!]!
}

function retryPolicy(value: string): RetryPolicy | undefined {
  if (value === 'none') return { delaysMs: [] }
  const delaysMs = value.split(',').map(parseDuration)
  return delaysMs.every((delay) => delay !== undefined) ? { delaysMs } : undefined
}

function catchUpWindow(value: string): number | null | undefined {
  return value === 'unlimited' ? null : parseDuration(value) || undefined
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

function logLevel(value: string): string | undefined {
  return LOG_LEVELS.includes(value) ? value : undefined
}
