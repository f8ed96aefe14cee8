// Starts one Node process: wires the store, channels, engine and API together, with the real clock and randomness.
import type { DestinationStream, Logger } from 'pino'
import { replan } from '../../app/timezones/replan.ts'
import { createIds } from '../../domain/events/uuid.ts'
import { BUILT_IN } from '../../domain/settings/channel.ts'
import {
  defaultChannelId,
  type StoppedChannel,
  stoppedChannels,
} from '../../domain/settings/channel-status.ts'
import { createInbox, type Inbox } from '../../http/inbox/inbox.ts'
import { logTelemetry } from '../../telemetry/log.ts'
import { createLogger } from '../../telemetry/logger.ts'
import type { Config } from '../config/config.ts'
import { newSecret } from '../config/vault.ts'
import { randomToken } from '../shared/access.ts'
import type { InboxTarget } from '../shared/channels.ts'
import { type ApiServer, serveApi } from './api-server.ts'
import { addressOf, type Database, openDatabase } from './database.ts'
import { serveMetrics } from './metrics-server.ts'
import { nodeClock } from './node-clock.ts'
import { observe } from './observe.ts'
import { createPort, type Port } from './port.ts'
import { keyFileOf, withSecretKey } from './server-config.ts'
import { startWhenAvailable } from './wait.ts'
import { startWorker, type Worker } from './worker.ts'

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
  /** The file beside a SQLite file with the key of the secrets of channels; null if TERCE_SECRET_KEY has the key. */
  keyFile: { path: string; isMissing: boolean } | null
  /** The channels that are held or disabled. */
  stopped: StoppedChannel[]
  stop(): Promise<void>
}

/** `api` serves requests, `worker` delivers, `all` does both. */
export type Role = 'all' | 'api' | 'worker'

/**
 * Waits for a database that is unavailable. Rejects if `signal` is aborted before the first event can be claimed. Log lines go
 * to `log`, or to standard output.
 */
export async function startNode(
  config: Config,
  role: Role,
  { signal, log }: { signal: AbortSignal; log?: DestinationStream | undefined },
): Promise<Running> {
  const logger = createLogger(config.logLevel, log)
  const telemetry = logTelemetry(logger)
  const database = addressOf(config.database)
  const worker: WorkerState = { engine: null }
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      if (worker.engine === null) reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) return onAbort()
    const { host, port, metricsPort } = config
    const ports: Ports = {
      api: role === 'worker' ? null : createPort(port, host),
      metrics: metricsPort === null ? null : createPort(metricsPort, host),
    }
    startWhenAvailable(() => startOnce({ config, role, logger, worker, ports }), {
      clock: nodeClock,
      onWait: (wait) => {
        telemetry({ kind: 'waiting', database, ...wait })
        ports.api?.wait()
        ports.metrics?.wait()
      },
    }).then(resolve, async (error) => {
      await closePorts(ports)
      reject(error)
    })
  })
}

type Ports = { api: Port | null; metrics: Port | null }

async function closePorts({ api, metrics }: Ports): Promise<void> {
  await Promise.all([api?.close(), metrics?.close()])
}

/** The engine, once it runs. */
type WorkerState = { engine: Worker | null }

async function startOnce({
  config: given,
  role,
  logger,
  worker,
  ports,
}: {
  config: Config
  role: Role
  logger: Logger
  worker: WorkerState
  ports: Ports
}): Promise<Running> {
  const onDeath = (error: Error) => {
    // Nothing can be written any more. The supervisor restarts the process, and expired leases recover its events.
    logger.fatal({ error }, 'The database thread ended')
    process.exit(1)
  }
  const database = await openDatabase(given.database, onDeath, { attempts: 1 })
  const observed = observe(logger, database, given)
  const planner = { ids: createIds(Math.random), table: given.timezoneTable }
  const state = { stopping: false }
  let served: ApiServer | null = null
  const stop = async () => {
    state.stopping = true
    // Deliveries first: the built-in inbox has to respond to the last of them.
    await worker.engine?.stop()
    await closePorts(ports)
    await release()
  }
  const release = async () => {
    await served?.close()
    await database.close()
  }
  const onPlanned = (at: number) => {
    worker.engine?.wake(at)
    database.announce(at)
  }
  try {
    const config = await withSecretKey(given, database.store)
    const inbox = config.webhookUrl === null ? openInbox(config) : null
    if (ports.api !== null)
      served = await serveApi(ports.api, config, database, observed, {
        onPlanned,
        onChannelSaved: () => worker.engine?.reload(),
        state,
        inbox,
        planner,
      })
    const inboxTarget = inbox && served && targetOf(inbox, served)
    const { store, clock } = database
    // Before the first claim: events planned by old rules would go out at the wrong hour.
    await replan({ store, clock, planner, telemetry: observed.telemetry, onPlanned }, { check: 'recent' })
    if (role !== 'api')
      worker.engine = await startWorker(config, database, observed, { inbox: inboxTarget, planner })
    const metricsAddress =
      ports.metrics === null ? null : await serveMetrics(ports.metrics, observed.metrics, config)
    return {
      address: served?.address ?? null,
      open: served?.open ?? false,
      metricsAddress,
      target: config.webhookUrl ?? inboxTarget?.url ?? null,
      tzVersion: planner.table.version,
      keyFile: keyFileState(given, config),
      stopped: await readStopped(database),
      stop,
    }
  } catch (error) {
    await worker.engine?.stop()
    // The ports stay open: after an outage the next attempt serves them.
    ports.api?.wait()
    ports.metrics?.wait()
    await release()
    worker.engine = null
    throw error
  }
}

function keyFileState(given: Config, { secretKeys }: Config): Running['keyFile'] {
  const path = keyFileOf(given)
  return path === null || given.secretKeys !== null ? null : { path, isMissing: secretKeys === null }
}

/** The token identifies our own worker to the inbox. */
function openInbox({ webhookSecrets }: Config): Inbox {
  const secrets = webhookSecrets.length > 0 ? webhookSecrets : [newSecret()]
  return createInbox({ capacity: 1_000, token: randomToken(), secrets })
}

function targetOf({ token, secrets }: Inbox, { address }: ApiServer): InboxTarget {
  return { url: `${address}/inbox?token=${token}`, secrets }
}

/** Without a built-in channel that is held with all others, and is not the default. */
async function readStopped({ store, clock }: Pick<Database, 'store' | 'clock'>): Promise<StoppedChannel[]> {
  const [channels, destinations] = await Promise.all([store.listChannels(), store.listDestinations()])
  return stoppedChannels({ channels, destinations }, clock.now()).filter(
    ({ id }) => !BUILT_IN.has(id) || id === defaultChannelId(channels),
  )
}
