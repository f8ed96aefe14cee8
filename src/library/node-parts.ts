// The database, the connections of handlers and the engine of an application on Node. Not loaded by the import of the library.
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { startExpiry } from '../app/access/expiry.ts'
import type { Engine } from '../engine/engine.ts'
import type { Config } from '../runtimes/config/config.ts'
import { type Database, openDatabase, openPool } from '../runtimes/node/database.ts'
import { startWorker } from '../runtimes/node/worker.ts'
import { createPool } from '../stores/postgres/connection.ts'
import type { TerceOptions } from './library.ts'
import { onFile, onPool } from './own-transactions.ts'
import type { Deliverer, HandlerConnections } from './parts.ts'
import type { PgTransaction, SqliteClient, Transactions } from './transactions.ts'

export function openFor<Tx>(options: TerceOptions<Tx>, config: Config, logger: Logger): Promise<Database> {
  const { database: given, schema = 'terce', settings } = options
  if (typeof given !== 'string')
    return openPool(given as unknown as Pool, schema, settings?.DATABASE_LISTEN_URL)
  const onDeath = (error: Error) => logger.fatal({ error }, 'The database thread ended')
  return openDatabase(config.database, onDeath, { attempts: 5 })
}

/** Starts the engine, and the removal of expired sessions. */
export async function deliver(config: Config, { database, observed, ...own }: Deliverer): Promise<Engine> {
  const engine = await startWorker(config, database, observed, own)
  const { store, clock } = database
  const { telemetry } = observed
  const stops = [startExpiry({ store, clock, telemetry })]
  return {
    wake: engine.wake,
    stop: async () => {
      for (const stop of stops) stop()
      await engine.stop()
    },
  }
}

/** Connections that the engine needs besides the handlers: it claims, extends leases and settles. */
const ENGINE_CONNECTIONS = 3
/** Connections for handlers where the application gives no pool. */
const OWN_CONNECTIONS = 10
/** The limit of a `pg` pool without one. */
const DEFAULT_MAX = 10

export function connectionsFor<Tx>(
  { database: given, transactions }: TerceOptions<Tx>,
  { database }: Config,
  timeoutMs: number,
): HandlerConnections<Tx> {
  const concurrency =
    typeof given === 'string'
      ? OWN_CONNECTIONS
      : Math.max(1, (given.options.max ?? DEFAULT_MAX) - ENGINE_CONNECTIONS)
  // Without `transactions` the application names the type of `tx`: `createTerce<DatabaseSync>({ database: './app.db' })`.
  const on = (own: Transactions<PgTransaction> | Transactions<SqliteClient>) =>
    own as unknown as Transactions<Tx>
  const close = async () => {}
  if (transactions !== undefined) return { transactions, concurrency, close }
  if (typeof given !== 'string') return { transactions: on(onPool(given, timeoutMs)), concurrency, close }
  if (database.kind === 'sqlite') {
    const file = onFile(database.path)
    return { transactions: on(file), concurrency: 1, close: async () => file.close() }
  }
  const pool = createPool(given, concurrency)
  return { transactions: on(onPool(pool, timeoutMs)), concurrency, close: () => pool.end() }
}
