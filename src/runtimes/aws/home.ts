// What a Lambda function keeps from call to call: the settings, the connections, and what it knows of destinations.
import { SQSClient } from '@aws-sdk/client-sqs'
import type { Logger } from 'pino'
import { createIds } from '../../domain/events/uuid.ts'
import { logTelemetry } from '../../telemetry/log.ts'
import { createLogger } from '../../telemetry/logger.ts'
import { traceStore } from '../../telemetry/traces.ts'
import { trackBackground } from '../background.ts'
import { ConfigError, readConfig } from '../config/config.ts'
import { openDestinations } from '../node/channels.ts'
import { type Database, openPostgres } from '../node/database.ts'
import { type Home, QUEUE_LEASE_MS, readKeep } from '../serverless.ts'

export type AwsHome = Home & {
  database: Database
  logger: Logger
  /** For how long settled events are kept; null for ever. */
  keepMs: number | null
  /** Resolves when what nobody waits for is written, too: Lambda stops the process between calls. */
  rest(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/** What is otherwise set by default, for a process that does one thing at a time and has thousands of siblings. */
const DEFAULTS = {
  LEASE_MS: String(QUEUE_LEASE_MS),
  DATABASE_CONNECTIONS: '2',
  CONCURRENCY: '100',
  // Every request comes over the network: a key is always required.
  HOST: '0.0.0.0',
}

/** One for the life of the process. A start that failed is tried again with the next call. */
export function awsHome(): Promise<AwsHome> {
  opened ??= openHome(process.env).catch((error) => {
    opened = null
    throw error
  })
  return opened
}

let opened: Promise<AwsHome> | null = null

/** Ends every connection; the next call opens them anew. */
export async function closeAwsHome(): Promise<void> {
  const home = await opened?.catch(() => null)
  opened = null
  client?.destroy()
  client = null
  await home?.destinations.close()
  await home?.database.close()
}

async function openHome(env: Environment): Promise<AwsHome> {
  const config = readConfig({ ...DEFAULTS, ...env })
  if (config.database.kind !== 'postgres')
    throw new ConfigError(['DATABASE_URL is not usable here. Give postgres://USER:PASSWORD@HOST/DATABASE.'])
  const logger = createLogger(config.logLevel)
  const database = await openPostgres(config.database)
  const { clock } = database
  const calls = new Set<Promise<unknown>>()
  const store = trackBackground(traceStore(database.store), (call) => {
    calls.add(call)
    void call.then(() => calls.delete(call))
  })
  const telemetry = logTelemetry(logger)
  const planner = { ids: createIds(Math.random), table: config.timezoneTable }
  const deps = { store, clock, telemetry, ids: planner.ids }
  try {
    const destinations = await openDestinations(config, deps, null)
    const home = { config, store, clock, dice: Math.random, planner, telemetry, destinations }
    return {
      ...home,
      database,
      logger,
      keepMs: readKeep(env.PRUNE_AFTER),
      rest: async () => void (await Promise.all(calls)),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The queue that a function sends to, or that its messages come from. */
export function sqsOf(env: Environment): { client: SQSClient; queueUrl: string } {
  const queueUrl = env.QUEUE_URL?.trim() ?? ''
  if (!URL.canParse(queueUrl))
    throw new ConfigError([`QUEUE_URL=${queueUrl} is not usable. Give the address of the SQS queue.`])
  // A call that hangs must not use up the time of the function; rejected events are released.
  client ??= new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 },
  })
  return { client, queueUrl }
}

let client: SQSClient | null = null
