// Terce as a library: people, occasions and tasks in the transactions of an application, handlers in its process, and the API and
// dashboard as a fetch handler. Wiring only.
import type { Pool } from 'pg'
import { createAudit } from '../../app/access/audit.ts'
import { replanIfNewer } from '../../app/timezones/replan.ts'
import { createIds } from '../../domain/events/uuid.ts'
import type { Engine } from '../../engine/engine.ts'
import { createLogger } from '../../telemetry/logger.ts'
import { type Config, readConfig } from '../config/config.ts'
import { accessOf } from '../node/access.ts'
import { createNodeApp } from '../node/api-server.ts'
import { type Database, openDatabase, openPool } from '../node/database.ts'
import { type Observed, observe } from '../node/observe.ts'
import { startWorker } from '../node/worker.ts'
import { announceOnCommit, createCalls, type InProcess, routed } from './calls.ts'
import { type OwnTransactions, ownTransactions } from './connections.ts'
import { type Handler, handlerDestination } from './handlers.ts'
import { joinTransaction, type Transaction } from './transaction.ts'

export type TerceOptions = {
  /** A `pg` pool, the URL of a PostgreSQL, or a SQLite file such as `./app.db`. */
  database: Pool | string
  /** The schema on PostgreSQL, or the beginning of every table's name on SQLite. `terce` if not given. */
  schema?: string
  /** Settings by their names in docs/operate.md, such as `{ DELIVER_AT: '08:00' }`. The environment is not read. */
  settings?: Readonly<Record<string, string>>
}

export type Terce = ReturnType<typeof createCalls> & {
  /** Handles events of a type, or of every other type with `*`. Register handlers before `start`. */
  on(type: string, handler: Handler<Transaction>): void
  /** Begins to deliver. */
  start(): Promise<void>
  /** Waits for deliveries in flight and closes everything that Terce opened. */
  stop(): Promise<void>
}

type Opened = InProcess & { database: Database; observed: Observed; planner: Planner }
type Planner = { ids: ReturnType<typeof createIds>; table: Config['timezoneTable'] }

export function createTerce(options: TerceOptions): Terce {
  const { database: given, schema = 'terce' } = options
  const handlers = new Map<string, Handler<Transaction>>()
  const config = readConfig(environmentOf(options))
  let opened: Promise<Opened> | null = null
  let engine: Engine | null = null
  let own: OwnTransactions | null = null
  let stopped = false

  async function open(): Promise<Opened> {
    const logger = createLogger(config.logLevel)
    const database =
      typeof given === 'string'
        ? await openDatabase(config.database, logFatal, { attempts: 5 })
        : await openPool(given, schema)
    const observed = observe(logger, database, config)
    const planner = { ids: createIds(Math.random), table: config.timezoneTable }
    const { store, clock } = database
    const app = createNodeApp(config, { store: routed(store), clock }, observed, {
      onPlanned: (at) => {
        engine?.wake(at)
        if (!announceOnCommit(at)) database.announce(at)
      },
      state: { stopping: false },
      inbox: null,
      planner,
      access: { ...accessOf(config, database, observed.telemetry), ...OF_THIS_PROCESS },
      audit: createAudit({ store, clock, telemetry: observed.telemetry }),
    })
    function logFatal(error: Error): void {
      logger.fatal({ error }, 'The database thread ended')
    }
    return {
      database,
      observed,
      planner,
      fetch: (request) => app.fetch(request),
      join: (tx) => joinTransaction(tx, schema),
    }
  }

  function ready(): Promise<Opened> {
    if (stopped) return Promise.reject(new Error('Terce is stopped.'))
    opened ??= open().catch((error) => {
      opened = null
      throw error
    })
    return opened
  }

  return {
    ...createCalls(ready),
    on: (type, handler) => {
      if (engine !== null) throw new Error('Register handlers before start().')
      handlers.set(type, handler)
    },
    start: async () => {
      const { database, observed, planner } = await ready()
      const { store, clock } = database
      const { telemetry } = observed
      await replanIfNewer({ store, clock, planner, telemetry, onPlanned: () => {} })
      own = ownTransactions(given, schema, config)
      const destination = handlerDestination({ clock, handlers, timeoutMs: HANDLER_TIMEOUT_MS, ...own })
      engine = await startWorker(config, database, observed, {
        planner,
        handlers: handlers.size > 0 ? destination : null,
      })
    },
    stop: async () => {
      stopped = true
      await engine?.stop()
      await own?.close()
      const open = await opened?.catch(() => null)
      await open?.database.close()
      open?.observed.flushLog()
    },
  }
}

const HANDLER_TIMEOUT_MS = 30_000

/** A call of the application itself needs no key and has no limit. */
const OF_THIS_PROCESS = {
  keyring: {
    check: async () => ({ kind: 'open' as const }),
    keyOfSession: async () => null,
    forget() {},
  },
  limiter: null,
  local: true,
  remoteAddress: () => '127.0.0.1',
}

function environmentOf({ database, schema = 'terce', settings = {} }: TerceOptions): Record<string, string> {
  const base = { LOG_LEVEL: 'warn', ...settings, DATABASE_SCHEMA: schema }
  if (typeof database !== 'string') return base
  const isUrl = /^(sqlite|postgres(ql)?):/.test(database)
  return { ...base, DATABASE_URL: isUrl ? database : `sqlite:${database}` }
}
