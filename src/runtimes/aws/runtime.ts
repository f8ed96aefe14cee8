// The state that a Lambda function keeps from call to call: settings, connections and the state of destinations.
import type { SQSClient } from '@aws-sdk/client-sqs'
import type { Logger } from 'pino'
import { drainEnqueued } from '../../app/enqueue/drain.ts'
import { createNodeDial } from '../../channels/dial/node-dial.ts'
import { StoreUnavailableError } from '../../domain/errors.ts'
import { createIds } from '../../domain/events/uuid.ts'
import type { Clock } from '../../ports/clock.ts'
import { loadSqs } from '../../queues/sqs.ts'
import { combine } from '../../telemetry/combine.ts'
import { createEmf } from '../../telemetry/emf.ts'
import { limitLines } from '../../telemetry/limit-lines.ts'
import { logTelemetry } from '../../telemetry/log.ts'
import { createLogger } from '../../telemetry/logger.ts'
import type { Exporter } from '../../telemetry/sums.ts'
import { traceStore } from '../../telemetry/traces.ts'
import { type Config, ConfigError, readConfig } from '../config/config.ts'
import { drainDepsOf } from '../enqueue.ts'
import { addressOf, type Database } from '../node/database.ts'
import { trackBackground } from '../shared/background.ts'
import { channelsOf, openDestinations } from '../shared/channels.ts'
import { createPing } from '../shared/heartbeat.ts'
import { reportingOf } from '../shared/reporting.ts'
import { QUEUE_LEASE_MS, type Runtime, readKeep } from '../shared/serverless.ts'
import type { LambdaCall } from './call.ts'
import { openRotated } from './rotation.ts'
import { withSecrets } from './secrets.ts'

export type AwsRuntime = Runtime & {
  database: Database
  logger: Logger
  /** How long settled events are kept; null for ever. */
  keepMs: number | null
  /** Applies changes enqueued by SQL until none is left, or until the instant. */
  drain(until: number): Promise<void>
  /** Waits for background writes and flushes the log: Lambda freezes the process between calls. */
  rest(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/** Defaults for a process that handles one call at a time and runs in thousands of copies. */
const DEFAULTS = {
  LEASE_MS: String(QUEUE_LEASE_MS),
  DATABASE_CONNECTIONS: '2',
  CONCURRENCY: '100',
  // Every request comes over the network: a key is always required.
  HOST: '0.0.0.0',
}

/** Opens the runtime once for each process. After a failed start, the next call tries again. */
export function awsRuntime(): Promise<AwsRuntime> {
  opened ??= openRuntime(process.env).catch((error) => {
    opened = null
    throw error
  })
  return opened
}

let opened: Promise<AwsRuntime> | null = null

/** The outage of the database, or of Secrets Manager, that a failed start is due to; null if it is due to something else. */
export function outageOf(error: Error): StoreUnavailableError | null {
  return [error, error.cause].find((one) => one instanceof StoreUnavailableError) ?? null
}

/** The database for the log, without its password; until the secret is read, the secret that has its URL. */
export function databaseAddress(): string {
  return address ?? `in ${process.env.SECRETS_ARN}`
}

let address: string | null = null

/** The settings with those of the secret, once it was read. */
let known: Environment | null = null

/** The settings as far as they are known and valid: a function that cannot start returns its messages to the queue by them. */
export function knownConfig(): Config {
  try {
    return readConfig(known ?? process.env, DEFAULTS)
  } catch {
    return readConfig({}, DEFAULTS)
  }
}

/** Caches a value for each runtime: `make` runs again only after the runtime was reopened. */
export function keptFor<T>(make: (runtime: AwsRuntime) => T): (runtime: AwsRuntime) => T {
  let kept: { runtime: AwsRuntime; value: T } | null = null
  return (runtime) => {
    if (kept?.runtime !== runtime) kept = { runtime, value: make(runtime) }
    return kept.value
  }
}

/** A function stops its work this long before its timeout. */
const MARGIN_MS = 2_000

export function untilOf({ clock }: AwsRuntime, call: LambdaCall): number {
  return clock.now() + call.getRemainingTimeInMillis() - MARGIN_MS
}

/** Closes every connection; the next call opens them again. */
export async function closeAwsRuntime(): Promise<void> {
  const runtime = await opened?.catch(() => null)
  opened = null
  known = null
  client?.destroy()
  client = null
  await runtime?.destinations.close()
  await runtime?.database.close()
}

/** Read once for each cold start, and again after a failed one or a rejected login: the secret may have been rotated. */
async function readSettings(env: Environment) {
  const settings = await withSecrets(env)
  known = settings
  const config = readConfig(settings, DEFAULTS)
  const { database } = config
  address = addressOf(database)
  if (database.kind !== 'postgres')
    throw new ConfigError(['DATABASE_URL is not usable here. Give postgres://USER:PASSWORD@HOST/DATABASE.'])
  return { settings, config, database }
}

async function openRuntime(env: Environment): Promise<AwsRuntime> {
  const { settings, config, database: address } = await readSettings(env)
  const logger = createLogger(config.logLevel)
  const database = await openRotated(address, async () => (await readSettings(env)).database)
  const { clock } = database
  const calls = new Set<Promise<unknown>>()
  const store = trackBackground(traceStore(database.store), (call) => {
    calls.add(call)
    void call.then(() => calls.delete(call))
  })
  const { logAttempts: attempts } = config
  const lines = limitLines(logTelemetry(logger), { clock, attempts })
  const emf = emfOf(config, clock)
  const telemetry = emf === null ? lines : combine(lines, emf.telemetry)
  const flushMetrics = () => emf?.flush()
  const planner = { ids: createIds(Math.random), table: config.timezoneTable }
  const deps = { store, clock, telemetry, ids: planner.ids }
  // The operator chose the addresses: they may be private ones.
  const dial = createNodeDial('any')
  try {
    const destinations = await openDestinations(config, deps)
    const runtime = {
      config,
      store,
      clock,
      dice: Math.random,
      planner,
      telemetry,
      flushMetrics,
      ping: createPing(dial, config.heartbeatUrl),
      reporting: reportingOf(config, channelsOf(config, deps)),
      databaseSize: () => null,
      destinations,
    }
    return {
      ...runtime,
      database,
      logger,
      keepMs: readKeep(settings.PRUNE_AFTER),
      // The scheduler finds new events without a notification.
      drain: async (until) => {
        const drain = drainDepsOf(config, { ...database, store }, { telemetry, planner, onPlanned: () => {} })
        await drainEnqueued(drain!, () => clock.now() >= until)
      },
      rest: async () => {
        await Promise.all(calls)
        flushMetrics()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Metrics as lines of standard output, which Lambda writes to the log; null without METRICS_NAMESPACE. */
function emfOf({ metricsNamespace: namespace }: Config, clock: Clock): Exporter | null {
  if (namespace === null) return null
  return createEmf(clock, { namespace, write: (line) => void process.stdout.write(`${line}\n`) })
}

/** The queue of QUEUE_URL. */
export async function sqsOf(env: Environment): Promise<{ client: SQSClient; queueUrl: string }> {
  const queueUrl = env.QUEUE_URL?.trim() ?? ''
  if (!URL.canParse(queueUrl))
    throw new ConfigError([`QUEUE_URL=${queueUrl} is not usable. Give the address of the SQS queue.`])
  const { SQSClient } = await loadSqs()
  // A call that hangs must not use up the function's time. Events that were not queued are released.
  client ??= new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 },
  })
  return { client, queueUrl }
}

let client: SQSClient | null = null
