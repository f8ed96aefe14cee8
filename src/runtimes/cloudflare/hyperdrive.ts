// The Cloudflare Worker with PostgreSQL, through Hyperdrive. A socket belongs to the call that opened it, so each call has its own
// connections. An isolate keeps everything else, such as circuit breakers and rate limits, and uses the store of the current call.

import { waitUntil } from 'cloudflare:workers'
import { AsyncLocalStorage } from 'node:async_hooks'
import { drainEnqueued } from '../../app/enqueue/drain.ts'
import { forward } from '../../domain/decorate.ts'
import { createCloudflareQueue, type QueueBinding } from '../../queues/cloudflare.ts'
import { connect, type PooledConnection } from '../../stores/postgres/connection.ts'
import { missingColumns } from '../../stores/postgres/migrations/schema-check.ts'
import { type PostgresStore, storeOnPool } from '../../stores/postgres/store.ts'
import type { Dataset } from '../../telemetry/data-points.ts'
import { drainDepsOf } from '../enqueue.ts'
import { engineDepsOf } from '../shared/serverless.ts'
import { MOST_CONNECTIONS } from './consume.ts'
import { createHandlers } from './handlers.ts'
import { type CloudflareParts, createSchemaCheck, makeHome, requireBindings } from './parts.ts'

/** The bindings of deploy/cloudflare/wrangler.hyperdrive.jsonc, and the settings as text. */
type Env = {
  HYPERDRIVE: { connectionString: string }
  DUE: QueueBinding
  METRICS?: Dataset
  DATABASE_SCHEMA?: string
} & Readonly<Record<string, unknown>>

type Call = { connection: PooledConnection; store: PostgresStore; background: Promise<unknown>[] }

const calls = new AsyncLocalStorage<Call>()

/** Database connections of one call. They count against the connections that its webhooks may use. Hyperdrive shares its connections to the database. */
const CONNECTIONS = 2
/** The time for changes that were enqueued by SQL; the next run continues. */
const DRAIN_MS = 20_000

const MIGRATE = "DATABASE_URL='postgres://USER:PASSWORD@HOST/DATABASE?sslmode=verify-full' npx terce migrate"

const handlers = createHandlers(makeParts)

export default {
  fetch: (request: Request, env: Env) => inCall(env, () => handlers.fetch(request, env)),
  scheduled: (event: { scheduledTime: number }, env: Env) =>
    inCall(env, () => handlers.scheduled(event, env)),
  queue: (batch: Parameters<typeof handlers.queue>[0], env: Env) =>
    inCall(env, () => handlers.queue(batch, env)),
}

/** Closes the connections after the call and the writes that it does not wait for. */
async function inCall<T>(env: Env, work: () => Promise<T>): Promise<T> {
  // `makeParts` says what is missing.
  if (env.HYPERDRIVE === undefined) return work()
  const schema = env.DATABASE_SCHEMA?.trim()
  const connection = connect(env.HYPERDRIVE.connectionString, {
    connections: CONNECTIONS,
    ...(schema && { schema }),
  })
  const call: Call = { connection, store: storeOnPool(connection), background: [] }
  try {
    return await calls.run(call, work)
  } finally {
    waitUntil(Promise.all(call.background).then(() => connection.pool.end()))
  }
}

function currentCall(): Call {
  return calls.getStore()!
}

function makeParts(env: Env): CloudflareParts {
  requireBindings(env, ['HYPERDRIVE', 'DUE'], 'wrangler.hyperdrive.jsonc')
  const enqueued = forward(() => currentCall().store)
  const keepAlive = (call: Promise<unknown>) => void currentCall().background.push(call)
  const made = makeHome(env, { store: enqueued, databaseSize: () => null, keepAlive })
  const concurrency = Math.min(made.config.concurrency, MOST_CONNECTIONS - CONNECTIONS)
  const runtime = { ...made, config: { ...made.config, concurrency } }
  const { config, store, clock, telemetry, planner } = runtime
  const drain = drainDepsOf(config, { enqueued, store, clock }, { telemetry, planner, onPlanned: () => {} })!
  return {
    ...runtime,
    flow: { ...engineDepsOf(runtime), queue: createCloudflareQueue(env.DUE, clock) },
    // PostgreSQL has no limit of queries.
    openCounted: () => ({ store, queries: () => 0 }),
    checkSchema: createSchemaCheck(() => missingColumns(currentCall().connection), MIGRATE, runtime.logger),
    async drain() {
      const until = clock.now() + DRAIN_MS
      await drainEnqueued(drain, () => clock.now() >= until)
    },
  }
}
