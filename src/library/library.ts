// The types of the library. Imports only types that need no other package.
import type { Resources } from '../client/resources.ts'
import type { AnyData, EventType, Handler } from './handlers/handler.ts'
import type { HandlerHooks, TerceLogger } from './handlers/hooks.ts'
import type { SettingName } from './setting-names.ts'
import type { CallOptions, PgPool, PgTransaction, Transactions } from './transactions.ts'

export type TerceOptions<Tx = PgTransaction> = HandlerHooks & {
  /** A `pg` pool, the URL of a PostgreSQL, or a SQLite file such as `./app.db`. */
  database: PgPool | string
  /** The schema on PostgreSQL, or the beginning of every table's name on SQLite. `terce` if not given. */
  schema?: string
  /** The transactions of a library such as Drizzle. Without it, handlers get a client of `pg` or a connection of `node:sqlite`. */
  transactions?: Transactions<Tx>
  /** How long a handler may take before its transaction is rolled back and the event tried again. 30,000 if not given. */
  handlerTimeoutMs?: number
  /** The path that `fetch` and `listener` serve, such as `/admin/terce`. Without it they serve `/`. */
  basePath?: string
  /**
   * Identifies the caller of a request to `fetch` or `listener`; null if the caller has no access. `env` is the second argument of
   * `fetch`, or `{ incoming, outgoing }` of `listener`. Without it, the API keys and sessions of Terce are needed.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the application knows what it passes.
  authenticate?: (request: Request, env: any) => Caller | null | Promise<Caller | null>
  /** Settings by their names in docs/settings.md, such as `{ DELIVER_AT: '08:00' }`. The environment is not read. */
  settings?: Readonly<Partial<Record<SettingName, string>>>
  /** Gets the log lines, and the errors of handlers if there is no `onError`. Without it, log lines go to standard output. */
  logger?: TerceLogger
}

/** A caller that the application has identified. The audit log has the name. */
export type Caller = { name: string; scope: 'read' | 'write' | 'admin' }

export type Terce<Tx = PgTransaction> = Resources<CallOptions<Tx>> & {
  /**
   * Handles events of a type, or of every other type with `*`. Register handlers before `start`, one for each type; with `replace` in
   * place of an earlier one. `Data` is the type of the `data` that the application gives its occasions; it is not checked.
   */
  on<Type extends EventType, Data = AnyData>(
    type: Type,
    handler: Handler<Tx, Type, Data>,
    options?: { replace?: boolean },
  ): void
  /** The API and the dashboard under `basePath`, as a fetch handler. */
  fetch(request: Request, env?: unknown): Promise<Response>
  /** The API and the dashboard under `basePath`, as a listener of `node:http`, Express and Fastify. */
  listener(request: object, response: object): void
  /** Opens the database, as the first call does: migrates and checks it. Rejects with the reason if that fails. */
  ready(): Promise<void>
  /** Begins to deliver. */
  start(): Promise<void>
  /** Waits for deliveries in flight and closes everything that Terce opened. */
  stop(): Promise<void>
}
