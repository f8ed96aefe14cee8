// One Node process: reads the clock, throws the dice, and wires store, channel, engine and API together.
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { type ServerType, serve } from '@hono/node-server'
import type { Logger } from 'pino'
import { createWebhook } from '../channels/webhook/webhook.ts'
import { tzdb } from '../domain/tzdb.ts'
import { createIds } from '../domain/uuid.ts'
import { reportMissed } from '../flow/recover.ts'
import { type Engine, startEngine } from '../flow/run.ts'
import { createApp } from '../http/app.ts'
import { createInbox } from '../http/inbox.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { openThreadedSqliteStore } from '../stores/sqlite/sqlite-store.ts'
import { createLogger, logTelemetry } from '../telemetry/log.ts'
import type { Config } from './config.ts'
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

const systemClock: Clock = {
  now: Date.now,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return { cancel: () => clearTimeout(timer) }
  },
}

export async function startNode(config: Config, role: Role): Promise<Running> {
  const logger = createLogger(config.logLevel)
  const store = await openThreadedSqliteStore(config.database.path)
  const wake = { engine: null as Engine | null }
  try {
    const served =
      role === 'worker' ? null : await serveApi(config, store, logger, (at) => wake.engine?.wake(at))
    const target = config.webhookUrl ?? `${served!.address}/inbox`
    const engine = role === 'api' ? null : await startWorker(config, store, logger, target)
    wake.engine = engine
    return {
      address: served?.address ?? null,
      target,
      tzVersion: planner.table.version,
      stop: async () => {
        // Deliveries first: the built-in inbox must live to answer the last of them.
        await engine?.stop()
        await served?.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function serveApi(config: Config, store: Store, logger: Logger, onPlanned: (at: number) => void) {
  const app = createApp({
    users: {
      store,
      planner,
      clock: systemClock,
      telemetry: logTelemetry(logger),
      deliverAt: config.deliverAt,
      onPlanned,
    },
    inbox: config.webhookUrl === null ? createInbox({ capacity: 1_000 }) : null,
    version: VERSION,
    ready: () => store.check(),
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

async function startWorker(config: Config, store: Store, logger: Logger, target: string): Promise<Engine> {
  const telemetry = logTelemetry(logger)
  await reportMissed({ store, clock: systemClock, telemetry })
  const channel = createWebhook(systemClock, {
    url: target,
    timeoutMs: config.webhookTimeoutMs,
    connections: config.concurrency,
  })
  const engine = startEngine(
    {
      store,
      channel,
      planner,
      telemetry,
      clock: systemClock,
      dice: Math.random,
      retryPolicy: config.retryPolicy,
      catchUpWindowMs: config.catchUpWindowMs,
    },
    {
      workerId: `${hostname()}-${process.pid}`,
      leaseMs: config.leaseMs,
      concurrency: config.concurrency,
      batchSize: BATCH_SIZE,
      pollMs: POLL_MS,
      graceMs: GRACE_MS,
    },
  )
  return {
    wake: engine.wake,
    stop: async () => {
      await engine.stop()
      await channel.close()
    },
  }
}

const BATCH_SIZE = 1_000
/** Another process may plan something on the same file without a word to us: look once a second. */
const POLL_MS = 1_000
const GRACE_MS = 10_000
