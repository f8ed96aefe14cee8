// One Node process: reads the clock, throws the dice, and wires store, channel, engine and API together.
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { type ServerType, serve } from '@hono/node-server'
import type { Logger } from 'pino'
import { createWebhook } from '../channels/webhook/webhook.ts'
import { tzdb } from '../domain/tzdb.ts'
import { createIds } from '../domain/uuid.ts'
import { DEFAULT_BREAKER } from '../flow/breaker.ts'
import { onlyDestination } from '../flow/destinations.ts'
import { reportMissed } from '../flow/recover.ts'
import { type Engine, startEngine } from '../flow/run.ts'
import { createApp } from '../http/app.ts'
import { createInbox } from '../http/inbox.ts'
import { createLogger, logTelemetry } from '../telemetry/log.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './database.ts'
import { VERSION } from './version.ts'

export type Running = {
  /** Null for a worker, which serves nothing. */
  address: string | null
  /** Where messages go. */
  target: string
  tzVersion: string
  stop(): Promise<void>
}

/** `api` answers requests, `worker` delivers, `all` does both. */
export type Role = 'all' | 'api' | 'worker'

export async function startNode(config: Config, role: Role): Promise<Running> {
  const logger = createLogger(config.logLevel)
  const database = await openDatabase(config.database, (error) => {
    // Nothing can be written any more: whoever watches over the process starts it again, and the leases heal the rest.
    logger.fatal({ error }, 'The database thread ended')
    process.exit(1)
  })
  const worker = { engine: null as Engine | null }
  const state = { stopping: false }
  const onPlanned = (at: number) => {
    worker.engine?.wake(at)
    database.announce(at)
  }
  try {
    const served = role === 'worker' ? null : await serveApi(config, database, logger, { onPlanned, state })
    const target = config.webhookUrl ?? `${served!.address}/inbox`
    if (role !== 'api') worker.engine = await startWorker(config, database, logger, target)
    return {
      address: served?.address ?? null,
      target,
      tzVersion: planner.table.version,
      stop: async () => {
        state.stopping = true
        // Deliveries first: the built-in inbox must live to answer the last of them.
        await worker.engine?.stop()
        await served?.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function serveApi(
  config: Config,
  database: Database,
  logger: Logger,
  process: { onPlanned: (at: number) => void; state: { stopping: boolean } },
) {
  const { store, clock } = database
  const { onPlanned, state } = process
  const app = createApp({
    users: { store, planner, clock, telemetry: logTelemetry(logger), deliverAt: config.deliverAt, onPlanned },
    inbox: config.webhookUrl === null ? createInbox({ capacity: 1_000 }) : null,
    version: VERSION,
    ready: () => (state.stopping ? Promise.reject(new Error('Terce is stopping.')) : soon(store.check())),
    onError: (error) => logger.error({ error }, 'A request failed'),
  })
  const server = await new Promise<ServerType>((resolve, reject) => {
    const started = serve({ fetch: app.fetch, port: config.port, hostname: config.host }, () =>
      resolve(started),
    )
    started.once('error', reject)
  })
  const { port } = server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return { address: `http://${host}:${port}`, close: () => closeServer(server) }
}

/** A database that takes longer than this to say anything is not ready. */
const READY_MS = 2_000

function soon(check: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The database does not answer.')), READY_MS)
    check.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Lets requests under way end, but does not wait for clients that keep their connections open. */
function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeIdleConnections' in server) {
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), 2_000).unref()
    }
  })
}

const planner = { ids: createIds(Math.random), table: tzdb }

async function startWorker(
  config: Config,
  database: Database,
  logger: Logger,
  target: string,
): Promise<Engine> {
  const { store, clock } = database
  const telemetry = logTelemetry(logger)
  await reportMissed({ store, clock, telemetry })
  const { concurrency, leaseMs, retryPolicy, catchUpWindowMs } = config
  const channel = createWebhook(clock, {
    url: target,
    timeoutMs: config.webhookTimeoutMs,
    connections: concurrency,
  })
  const engine = startEngine(
    {
      store,
      destinations: onlyDestination(channel),
      planner,
      telemetry,
      clock,
      dice: Math.random,
      retryPolicy,
      catchUpWindowMs,
    },
    {
      workerId: `${hostname()}-${process.pid}`,
      leaseMs,
      concurrency,
      batchSize: BATCH_SIZE,
      pollMs: database.pollMs,
      graceMs: GRACE_MS,
      breaker: DEFAULT_BREAKER,
    },
  )
  database.listen(engine.wake)
  return {
    wake: engine.wake,
    stop: async () => {
      await engine.stop()
      await channel.close()
    },
  }
}

const BATCH_SIZE = 1_000
const GRACE_MS = 10_000
