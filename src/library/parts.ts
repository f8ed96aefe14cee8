// The parts of a Terce in the process of an application. Types only.
import type { Logger } from 'pino'
import type { Destination } from '../engine/deliver/destinations.ts'
import type { Engine } from '../engine/engine.ts'
import type { Planner } from '../engine/plan.ts'
import type { Clock, Dice } from '../ports/clock.ts'
import type { Config } from '../runtimes/config/config.ts'
import type { Database } from '../runtimes/node/database.ts'
import type { Observed } from '../runtimes/node/observe.ts'
import type { Handler } from './handlers/handler.ts'
import type { HandlerHooks, TerceLogger } from './handlers/hooks.ts'
import type { TerceOptions } from './library.ts'
import type { Transactions } from './transactions.ts'

/** The parts that differ between an application and a test. */
export type LibraryParts<Tx> = {
  config: Config
  /** The schema on PostgreSQL; with `_` the beginning of every table's name on SQLite. */
  schema: string
  /** Opens the database, with its clock. Called at the first use. */
  open(logger: Logger): Promise<Database>
  /** `timers`: by the clock of the database if not given. */
  handlers: { connect(): Promise<HandlerConnections<Tx>>; timeoutMs: number; timers?: Pick<Clock, 'after'> }
  /** The path of the mounted app: empty, or such as `/admin/terce`. */
  basePath?: string
  /** Null if API keys and sessions identify the callers of the mounted app. */
  authenticate?: TerceOptions['authenticate'] | null
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

/** What the application has registered, and whether it stops. */
export type LibraryState<Tx> = {
  handlers: ReadonlyMap<string, Handler<Tx>>
  stopping: boolean
  /** Null until the engine has started. */
  engine: Engine | null
}
