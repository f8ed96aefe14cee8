// The types of the library. Imports only types that need no other package.
import type { createCalls } from './calls.ts'
import type { EventType, Handler } from './handler.ts'
import type { PgPool, PgTransaction, Transactions } from './transactions.ts'

export type TerceOptions<Tx = PgTransaction> = {
  /** A `pg` pool, the URL of a PostgreSQL, or a SQLite file such as `./app.db`. */
  database: PgPool | string
  /** The schema on PostgreSQL, or the beginning of every table's name on SQLite. `terce` if not given. */
  schema?: string
  /** The transactions of a library such as Drizzle. Without it, handlers get a client of `pg` or a connection of `node:sqlite`. */
  transactions?: Transactions<Tx>
  /** How long a handler may take before its transaction is rolled back and the event tried again. 30,000 if not given. */
  handlerTimeoutMs?: number
  /** Settings by their names in docs/operate.md, such as `{ DELIVER_AT: '08:00' }`. The environment is not read. */
  settings?: Readonly<Record<string, string>>
}

export type Terce<Tx = PgTransaction> = ReturnType<typeof createCalls<Tx>> & {
  /** Handles events of a type, or of every other type with `*`. Register handlers before `start`. */
  on<Type extends EventType>(type: Type, handler: Handler<Tx, Type>): void
  /** Begins to deliver. */
  start(): Promise<void>
  /** Waits for deliveries in flight and closes everything that Terce opened. */
  stop(): Promise<void>
}
