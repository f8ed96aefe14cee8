// Starts one Node process: wires the store, channels, engine and API together, with the real clock and randomness.
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { type ServerType, serve } from '@hono/node-server'
import type { Logger } from 'pino'
import { createReadiness } from '../../app/readiness.ts'
import { replanIfNewer } from '../../app/timezones/replan.ts'
import { createIds } from '../../domain/events/uuid.ts'
import { BATCH_SIZE } from '../../engine/claim.ts'
import { type Engine, reportOverdue, startEngine } from '../../engine/engine.ts'
import type { Planner } from '../../engine/plan.ts'
import { breakerFor } from '../../engine/sending/circuit-breaker.ts'
import { createTemplates } from '../../engine/sending/templates.ts'
import { withDeadline } from '../../engine/timing.ts'
import { createApp } from '../../http/app.ts'
import { createInbox, type Inbox } from '../../http/inbox/inbox.ts'
import type { Store } from '../../ports/store.ts'
import { logTelemetry } from '../../telemetry/log.ts'
import { createLogger } from '../../telemetry/logger.ts'
import { traceStore } from '../../telemetry/traces.ts'
import type { Config } from '../config/config.ts'
import { newSecret } from '../config/vault.ts'
import { VERSION } from '../config/version.ts'
import { accessOf, isOpen, keysOf, randomToken } from './access.ts'
import { channelsOf, type InboxTarget, openDestinations } from './channels.ts'
import { addressOf, type Database, openDatabase, systemClock } from './database.ts'
import { type MetricsServer, serveMetrics } from './metrics-server.ts'
import { type Observed, observe } from './observe.ts'
import { startWhenAvailable } from './wait.ts'
import { readWebFiles } from './web-files.ts'

export type Running = {
  /** Null for a worker, which has no API. */
  address: string | null
  /** True while callers need no key. */
  open: boolean
  /** Null if METRICS_PORT is not set. */
  metricsAddress: string | null
  /** The URL that messages without a channel go to; null if only a stored channel can deliver them. */
  target: string | null
  tzVersion: string
  stop(): Promise<void>
}

/** `api` serves requests, `worker` delivers, `all` does both. */
export type Role = 'all' | 'api' | 'worker'

/** Waits for a database that is unavailable. Rejects if `signal` is aborted before the first event can be claimed. */
export async function startNode(config: Config, role: Role, signal: AbortSignal): Promise<Running> {
  const logger = createLogger(config.logLevel)
  const telemetry = logTelemetry(logger)
  const database = addressOf(config.database)
  const worker: WorkerState = { engine: null }
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      if (worker.engine === null) reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) return onAbort()
    startWhenAvailable(() => startOnce({ config, role, logger, worker }), {
      clock: systemClock,
      onWait: (wait) => telemetry({ kind: 'waiting', database, ...wait }),
    }).then(resolve, reject)
  })
}

/** The engine, once it runs. */
type WorkerState = { engine: Engine | null }

async function startOnce({
  config,
  role,
  logger,
  worker,
}: {
  config: Config
  role: Role
  logger: Logger
  worker: WorkerState
}): Promise<Running> {
  const onDeath = (error: Error) => {
    // Nothing can be written any more. The supervisor restarts the process, and expired leases recover its events.
    logger.fatal({ error }, 'The database thread ended')
    process.exit(1)
  }
  const database = await openDatabase(config.database, onDeath, 1)
  const observed = observe(logger, database, config.timezoneTable)
  const planner = { ids: createIds(Math.random), table: config.timezoneTable }
  const state = { stopping: false }
  let served: Awaited<ReturnType<typeof serveApi>> | null = null
  let watched: MetricsServer | null = null
  const stop = async () => {
    state.stopping = true
    // Deliveries first: the built-in inbox has to respond to the last of them.
    await worker.engine?.stop()
    await served?.close()
    await watched?.close()
    await database.close()
  }
  const onPlanned = (at: number) => {
    worker.engine?.wake(at)
    database.announce(at)
  }
  try {
    const inbox = config.webhookUrl === null ? openInbox(config) : null
    if (role !== 'worker')
      served = await serveApi(config, database, observed, { onPlanned, state, inbox, planner })
    const inboxTarget =
      inbox === null || served === null
        ? null
        : { url: `${served.address}/inbox?token=${inbox.token}`, secrets: inbox.secrets }
    const { store, clock } = database
    // Before the first claim: events planned by old rules would go out at the wrong hour.
    await replanIfNewer({ store, clock, planner, telemetry: observed.telemetry, onPlanned })
    if (role !== 'api')
      worker.engine = await startWorker(config, database, observed, { inbox: inboxTarget, planner })
    const { host, metricsPort: port } = config
    if (port !== null) watched = await serveMetrics(observed.metrics, { host, port })
    return {
      address: served?.address ?? null,
      open: served?.open ?? false,
      metricsAddress: watched?.address ?? null,
      target: config.webhookUrl ?? inboxTarget?.url ?? null,
      tzVersion: planner.table.version,
      stop,
    }
  } catch (error) {
    await stop()
    worker.engine = null
    throw error
  }
}

/** The token identifies our own worker to the inbox. */
function openInbox({ webhookSecrets }: Config): Inbox {
  const secrets = webhookSecrets.length > 0 ? webhookSecrets : [newSecret()]
  return createInbox({ capacity: 1_000, token: randomToken(), secrets })
}

async function serveApi(
  config: Config,
  database: Database,
  { telemetry, metrics, live }: Observed,
  process: {
    onPlanned: (at: number) => void
    state: { stopping: boolean }
    inbox: Inbox | null
    planner: Planner
  },
) {
  const { store, clock } = database
  const { onPlanned, state, inbox, planner } = process
  const access = accessOf(config, database, telemetry)
  const open = await isOpen(config, access)
  const { deliverAt, notAfter, quietHours } = config
  const ready = createReadiness(clock, () => readyInTime(store))
  const app = createApp({
    users: { store, planner, clock, telemetry, deliverAt, notAfter, quietHours, onPlanned },
    inbox,
    keys: keysOf(database),
    access,
    web: readWebFiles(),
    live,
    retries: config.retryPolicy.delaysMs,
    version: VERSION,
    metrics,
    channels: channelsOf(config, { store, clock, ids: planner.ids }),
    ready: () => (state.stopping ? Promise.reject(new Error('Terce is stopping.')) : ready()),
    onError: (error) => telemetry({ kind: 'error', operation: 'request', error, retryInMs: null }),
  })
  const server = await new Promise<ServerType>((resolve, reject) => {
    const started = serve({ fetch: app.fetch, port: config.port, hostname: config.host }, () =>
      resolve(started),
    )
    started.once('error', reject)
  })
  const { port } = server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return {
    address: `http://${host}:${port}`,
    open,
    close: () => closeServer(server),
  }
}

/** A database that takes longer than this to respond is not ready. */
const READY_MS = 2_000

function readyInTime(store: Store): Promise<void> {
  const deadline = systemClock.now() + READY_MS
  return withDeadline(systemClock, deadline, store.check(), 'The database does not respond.')
}

/** Waits for requests in flight, but not for clients that keep idle connections open. */
function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeIdleConnections' in server) {
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), 2_000).unref()
    }
  })
}

async function startWorker(
  config: Config,
  database: Database,
  { telemetry }: Observed,
  { inbox, planner }: { inbox: InboxTarget | null; planner: Planner },
): Promise<Engine> {
  const { clock } = database
  const store = traceStore(database.store)
  await reportOverdue({ store, clock, telemetry })
  const { concurrency, leaseMs, retryPolicy, lateness } = config
  const destinations = await openDestinations(config, { store, clock, telemetry, ids: planner.ids }, inbox)
  const engine = startEngine(
    {
      store,
      destinations,
      planner,
      telemetry,
      clock,
      dice: Math.random,
      retryPolicy,
      templates: createTemplates({ store, clock, telemetry }),
      lateness,
    },
    {
      workerId: `${hostname()}-${process.pid}`,
      leaseMs,
      concurrency,
      batchSize: BATCH_SIZE,
      pollMs: database.pollMs,
      graceMs: GRACE_MS,
      breaker: breakerFor(retryPolicy.delaysMs.length + 1),
    },
  )
  database.listen(engine.wake)
  return {
    wake: engine.wake,
    stop: async () => {
      await engine.stop()
      await destinations.close()
    },
  }
}

const GRACE_MS = 10_000
