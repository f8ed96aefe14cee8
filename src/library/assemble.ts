// Puts a Terce together in the process of an application: calls, handlers, engine. Opens nothing by itself, so that a test can give
// it a database in memory and a clock.
import type { Logger } from 'pino'
import { createAudit } from '../app/access/audit.ts'
import { replan } from '../app/timezones/replan.ts'
import { createIds } from '../domain/events/uuid.ts'
import { isTypeName } from '../domain/occasions/occasion-types.ts'
import type { Destination } from '../engine/deliver/destinations.ts'
import type { Engine } from '../engine/engine.ts'
import type { Planner } from '../engine/plan.ts'
import type { Clock, Dice } from '../ports/clock.ts'
import type { Config } from '../runtimes/config/config.ts'
import { createNodeApp } from '../runtimes/node/api-server.ts'
import type { Database } from '../runtimes/node/database.ts'
import { type Observed, observe } from '../runtimes/node/observe.ts'
import { accessOf } from '../runtimes/shared/access.ts'
import { createLogger } from '../telemetry/logger.ts'
import { createCall, type InProcess } from './call.ts'
import { collecting } from './handlers/deletions.ts'
import type { Handler } from './handlers/handler.ts'
import { ANY_TYPE, handlerDestination } from './handlers/handler-channel.ts'
import { type HandlerHooks, linesTo, printTo, reportTo, type TerceLogger } from './handlers/hooks.ts'
import { createJoin } from './joined-store.ts'
import type { Terce } from './library.ts'
import { type Authenticate, createMount } from './mounted.ts'
import { createResources } from './resources.ts'
import type { Transactions } from './transactions.ts'

/** The parts that differ between an application and a test. */
export type LibraryParts<Tx> = {
  config: Config
  /** The schema on PostgreSQL; with `_` the beginning of every table's name on SQLite. */
  schema: string
  /** Opens the database, with its clock. Called at the first use. */
  open(logger: Logger): Promise<Database>
  /** `timers`: by the clock of the database if not given. */
  handlers: HandlerConnections<Tx> & { timeoutMs: number; timers?: Pick<Clock, 'after'> }
  /** The path of the mounted app: empty, or such as `/admin/terce`. */
  basePath?: string
  /** Null if API keys and sessions identify the callers of the mounted app. */
  authenticate?: Authenticate | null
  /** The random part of every id. */
  dice: Dice
  hooks?: HandlerHooks
  /** Gets the log lines instead of standard output. */
  logger?: TerceLogger | undefined
  /** Starts the engine. */
  deliver(own: Deliverer): Promise<Engine>
}

/** What the engine delivers with. `handlers`: null if the application has registered none. */
export type Deliverer = {
  database: Database
  observed: Observed
  planner: Planner
  handlers: Destination | null
}

/** The transactions that handlers write in. */
export type HandlerConnections<Tx> = {
  transactions: Transactions<Tx>
  /** How many handlers run at once: each of them holds a connection. */
  concurrency: number
  close(): Promise<void>
}

type Opened<Tx> = InProcess<Tx> & {
  database: Database
  observed: Observed
  planner: Planner
  /** The app for callers of the web server. Made at its first request. */
  mounted(): Promise<ReturnType<typeof createNodeApp>>
}

export function assemble<Tx>(parts: LibraryParts<Tx>): Terce<Tx> {
  const { config, schema } = parts
  const { transactions, concurrency, timeoutMs, close } = parts.handlers
  const handlers = new Map<string, Handler<Tx>>()
  let opened: Promise<Opened<Tx>> | null = null
  let engine: Engine | null = null
  let starting: Promise<void> | null = null
  let ending: Promise<void> | null = null
  const state = { stopping: false }

  async function open(): Promise<Opened<Tx>> {
    const logger = createLogger(config.logLevel, parts.logger && linesTo(parts.logger))
    const database = await parts.open(logger)
    const observed = observe(logger, database, config)
    const { telemetry } = observed
    const planner = { ids: createIds(parts.dice), table: config.timezoneTable }
    const { store, clock } = database
    const { deliverAt, notAfter, quietHours } = config
    const audit = createAudit({ store, clock, telemetry })
    const wake = (at: number) => engine?.wake(at)
    const onPlanned = (at: number) => {
      wake(at)
      database.announce(at)
    }
    const rules = { deliverAt, notAfter, quietHours, hasHandlers: true }
    let mounted: ReturnType<typeof createNodeApp> | null = null
    return {
      database,
      observed,
      planner,
      audit,
      wake,
      app: { store: collecting(store), planner, clock, telemetry, onPlanned, ...rules },
      mounted: async () => {
        const { basePath = '', authenticate = null } = parts
        const own = { basePath, local: false, isClosed: true, ...(authenticate && { authenticate }) } as const
        const access = { ...accessOf(config, database, telemetry), ...own }
        const wiring = { onPlanned, state, inbox: null, hasHandlers: true, planner, access, audit } as const
        mounted ??= createNodeApp(config, { store, clock }, observed, wiring)
        return mounted
      },
      join: createJoin(transactions, schema),
    }
  }

  function ready(): Promise<Opened<Tx>> {
    if (state.stopping) return Promise.reject(new Error('Terce is stopped.'))
    opened ??= open().catch((error) => {
      opened = null
      throw error
    })
    return opened
  }

  async function start(): Promise<void> {
    const { database, observed, planner, join } = await ready()
    const { store, clock } = database
    const { telemetry } = observed
    await replan({ store, clock, planner, telemetry, onPlanned: () => {} }, { check: 'recent' })
    const destination = handlerDestination({
      clock: parts.handlers.timers ?? clock,
      handlers,
      transactions,
      storeIn: join,
      timeoutMs,
      concurrency,
      report: reportTo(parts.hooks ?? {}, printTo(parts.logger, config.logLevel)),
    })
    const { types: handled } = destination
    if (handled !== undefined && handlers.size > 0) {
      const types = (await store.listOccasionTypes()).filter((type) => !handled.includes(type))
      if (types.length > 0) telemetry({ kind: 'unhandled', types })
    }
    engine = await parts.deliver({
      database,
      observed,
      planner,
      handlers: handlers.size > 0 ? destination : null,
    })
  }

  async function end(): Promise<void> {
    state.stopping = true
    await starting?.catch(() => {})
    await engine?.stop()
    await close()
    const open = await opened?.catch(() => null)
    await open?.audit.close()
    await open?.database.close()
  }

  return {
    ...createResources(createCall<Tx>(ready)),
    ...createMount(parts.basePath ?? '', async () => {
      const app = await (await ready()).mounted()
      return app.fetch
    }),
    on: (type, handler) => {
      if (type !== ANY_TYPE && !isTypeName(type))
        throw new TypeError(
          `No event has the type "${type}": types are in capitals, such as BIRTHDAY. For errors of handlers, pass onError to createTerce.`,
        )
      if (starting !== null) throw new Error('Register handlers before start().')
      handlers.set(type, handler as unknown as Handler<Tx>)
    },
    ready: async () => {
      await ready()
    },
    start: () => {
      starting ??= start().catch((error) => {
        starting = null
        throw error
      })
      return starting
    },
    stop: () => {
      ending ??= end()
      return ending
    },
  }
}
