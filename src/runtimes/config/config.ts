// Reads the settings from the environment. An invalid value stops the start; the error has one line for each.
import type { GivenKey } from '../../app/access/api-keys.ts'
import type { Guard } from '../../channels/dial/dial.ts'
import type { IpRange } from '../../domain/access/ip-address.ts'
import { KEEP_RESPONSES, type KeepResponses } from '../../domain/events/exchange.ts'
import { type LatenessPolicy, missedAfter } from '../../domain/events/lateness.ts'
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from '../../domain/events/retry-policy.ts'
import { masked, type Setting } from '../../domain/settings/setting.ts'
import { type TimezoneTable, tzdb } from '../../domain/time/tzdb.ts'
import { SECRET_REMEDY } from '../../receiver/secret.ts'
import { ConfigError } from './config-error.ts'
import { type DatabaseSetting, readDatabase } from './database-setting.ts'
import {
  catchUpWindow,
  givenKeys,
  ipRanges,
  LOG_ATTEMPTS,
  LOG_FORMATS,
  LOG_LEVELS,
  latenessPolicy,
  localTime,
  longText,
  namespace,
  oneOf,
  origin,
  type Parse,
  parseShortDuration,
  quietHours,
  rateLimit,
  reportTarget,
  retryPolicy,
  shortDuration,
  signingSecrets,
  text,
  trueOrFalse,
  webUrl,
  wholeNumber,
} from './setting-values.ts'
import { readTimezoneFile } from './timezone-file.ts'
import { parseSecretKeys } from './vault.ts'

export { ConfigError }

export type Config = {
  port: number
  host: string
  /** The URL that callers use, without a path; null if it is not set. */
  publicUrl: string | null
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly IpRange[]
  database: DatabaseSetting
  /** Null for the built-in inbox. */
  webhookUrl: string | null
  webhookTimeoutMs: number
  emailTimeoutMs: number
  /** Sign the deliveries to WEBHOOK_URL. */
  webhookSecrets: readonly string[]
  /** Encrypt the secrets of channels, the first one, and decrypt them; null without TERCE_SECRET_KEY and key file. */
  secretKeys: readonly [Buffer, ...Buffer[]] | null
  /** The hosts that channels may send to. A server that only this machine can reach also allows loopback: see server-config.ts. */
  targets: Guard
  /** API keys that are accepted in addition to the stored ones. */
  apiKeys: readonly GivenKey[]
  /** Requests in a minute from one caller; null for no limit. */
  rateLimit: number | null
  /** How long entries of the audit log are kept. */
  auditRetentionMs: number
  deliverAt: string
  /** The local time after which a new occasion is not tried again that day; null for no end. */
  notAfter: string | null
  leaseMs: number
  concurrency: number
  retryPolicy: RetryPolicy
  /** How late messages may be, by type of occasion. */
  lateness: LatenessPolicy
  /** Which attempts have their destination and response stored. */
  keepResponses: KeepResponses
  /** Quiet hours of tasks that set none; null for none. */
  quietHours: string | null
  timezoneTable: TimezoneTable
  logLevel: (typeof LOG_LEVELS)[number]
  /** `auto` is text on a terminal and JSON elsewhere. Serverless runtimes always write JSON. */
  logFormat: (typeof LOG_FORMATS)[number]
  /** Which attempts get log lines of their own. */
  logAttempts: (typeof LOG_ATTEMPTS)[number]
  /** Null if metrics have no port of their own. */
  metricsPort: number | null
  /** The key for METRICS_PORT; null if it needs none. */
  metricsKey: string | null
  /** The namespace of metrics in CloudWatch; null if none are written. */
  metricsNamespace: string | null
  /** Called by each run of a serverless scheduler; null for none. */
  heartbeatUrl: string | null
  /** Gets a report of each closed day: an e-mail address, or the name of a webhook channel; null for none. */
  reportTo: string | null
  /** Every setting as it was read, secrets masked. */
  settings: readonly Setting[]
}

const URL_REMEDY = 'Give an address that begins with http:// or https://, without a user name or password.'
const REPORT_REMEDY = 'Give an e-mail address, or the name of a webhook channel.'
const SECRETS_REMEDY = `${SECRET_REMEDY} During a rotation give two, with a comma between.`

type Environment = Readonly<Record<string, string | undefined>>
/** `defaults` replaces the default values of settings, where a runtime has others. */
export function readConfig(env: Environment, defaults: Environment = {}): Config {
  const problems: string[] = []
  const settings: Setting[] = []
  /** The value of a variable, or of its default. A value that does not parse is a noted problem; null has no value. */
  function read<T>(name: string, standard: string, parse: Parse<T>, remedy: string): T
  function read<T>(name: string, standard: null, parse: Parse<T>, remedy: string): T | null
  function read<T>(name: string, standard: string | null, parse: Parse<T>, remedy: string): T | null {
    const given = env[name]?.trim() || null
    const byDefault = defaults[name] ?? standard
    const text = given ?? byDefault
    const value = text === null ? null : masked(name, text)
    settings.push({ name, value, source: given === null ? 'default' : 'environment' })
    const parsed = text === null ? null : parse(text)
    if (parsed !== undefined) return parsed
    problems.push(`${name}=${value!.slice(0, 80)} is not usable. ${remedy}`)
    return byDefault === null ? null : parse(byDefault)!
  }
  const catchUpWindowMs = read(
    'CATCH_UP_WINDOW',
    'unlimited',
    catchUpWindow,
    'Give a length of time such as 36h, or unlimited.',
  )
  const level = read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS), `Give one of ${LOG_LEVELS.join(', ')}.`)
  const isVerbose = level === 'trace' || level === 'debug'
  const timezones = readTimezoneFile(env.TERCE_TZDB?.trim())
  const config: Config = {
    port: read('PORT', '3000', wholeNumber(0, 65_535), 'Give a port number from 0 to 65535.'),
    host: read('HOST', '127.0.0.1', text, ''),
    publicUrl: read(
      'PUBLIC_URL',
      null,
      origin,
      'Give the address that browsers use, such as https://terce.example.com, without a path.',
    ),
    trustedProxies:
      read(
        'TRUSTED_PROXIES',
        null,
        ipRanges,
        'Give the addresses of your proxies, such as 10.0.0.0/8, several with commas between.',
      ) ?? [],
    database: readDatabase(read),
    webhookUrl: read('WEBHOOK_URL', null, webUrl, URL_REMEDY),
    webhookTimeoutMs: read(
      'WEBHOOK_TIMEOUT_MS',
      '10000',
      wholeNumber(1, 300_000),
      'Give milliseconds from 1 to 300000.',
    ),
    emailTimeoutMs: read(
      'EMAIL_TIMEOUT_MS',
      '60000',
      wholeNumber(1, 300_000),
      'Give milliseconds from 1 to 300000.',
    ),
    webhookSecrets: read('WEBHOOK_SECRET', null, signingSecrets, SECRETS_REMEDY) ?? [],
    secretKeys: read(
      'TERCE_SECRET_KEY',
      null,
      parseSecretKeys,
      'Give 32 bytes in base64, as openssl rand -base64 32 makes them. During a rotation give the new key, a comma and the previous key.',
    ),
    targets: read('ALLOW_PRIVATE_TARGETS', 'false', trueOrFalse, 'Give true or false.') ? 'any' : 'public',
    apiKeys:
      read(
        'TERCE_API_KEYS',
        null,
        givenKeys,
        'Give name:scope:key, several with commas between; the scope is read, write or admin, the key 32 random characters or more, as openssl rand -hex 32 makes them.',
      ) ?? [],
    rateLimit: read(
      'RATE_LIMIT',
      '6000/min',
      rateLimit,
      'Give a number of requests a minute such as 6000/min, or off.',
    ),
    auditRetentionMs: read(
      'AUDIT_RETENTION',
      '400d',
      parseShortDuration,
      'Give a length of time such as 400d.',
    ),
    deliverAt: read('DELIVER_AT', '09:00', localTime, 'Give a time of day as HH:MM, such as 09:00.'),
    notAfter: read('NOT_AFTER', null, localTime, 'Give a time of day as HH:MM, such as 21:00.'),
    leaseMs: read(
      'LEASE_MS',
      '60000',
      wholeNumber(1_000, 3_600_000),
      'Give milliseconds from 1000 to 3600000.',
    ),
    concurrency: read('CONCURRENCY', '256', wholeNumber(1, 10_000), 'Give a number from 1 to 10000.'),
    retryPolicy: read(
      'RETRY',
      DEFAULT_RETRY_POLICY.delaysMs.map(shortDuration).join(),
      retryPolicy,
      'Give quick, standard, none, or the waits, such as 1s,2s,4s or 18x10s.',
    ),
    lateness:
      read(
        'LATENESS',
        null,
        (value) => latenessPolicy(value, catchUpWindowMs),
        'Give when each type is belated and when it is missed, such as BIRTHDAY=2h..3d,TASK_REMINDER=..12h.',
      ) ?? missedAfter(catchUpWindowMs),
    keepResponses: read('KEEP_RESPONSES', 'failures', oneOf(KEEP_RESPONSES), 'Give all, failures or none.'),
    quietHours: read('QUIET_HOURS', null, quietHours, 'Give two times of day, such as 22:00-08:00.'),
    timezoneTable: read('TERCE_TZDB', null, () => timezones.table, timezones.problem) ?? tzdb,
    metricsPort: read('METRICS_PORT', null, wholeNumber(0, 65_535), 'Give a port number from 0 to 65535.'),
    metricsKey: read('METRICS_KEY', null, longText, 'Give 20 visible characters or more.'),
    metricsNamespace: read(
      'METRICS_NAMESPACE',
      null,
      namespace,
      'Give up to 255 letters, digits and the characters . - _ / #, not AWS/ at the beginning.',
    ),
    heartbeatUrl: read('HEARTBEAT_URL', null, webUrl, URL_REMEDY),
    reportTo: read('REPORT_TO', null, reportTarget, REPORT_REMEDY),
    logLevel: level,
    logFormat: read('LOG_FORMAT', 'auto', oneOf(LOG_FORMATS), `Give one of ${LOG_FORMATS.join(', ')}.`),
    logAttempts: read(
      'LOG_ATTEMPTS',
      isVerbose ? 'all' : 'sampled',
      oneOf(LOG_ATTEMPTS),
      `Give one of ${LOG_ATTEMPTS.join(', ')}.`,
    ),
    settings,
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}
