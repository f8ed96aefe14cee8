// Terce as a library: people, occasions and tasks in the transactions of an application, and handlers in its process. Maps the options
// to the parts of a Terce.

import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { startExpiry } from '../app/access/expiry.ts'
import type { Engine } from '../engine/engine.ts'
import { type Config, readConfig } from '../runtimes/config/config.ts'
import { ConfigError } from '../runtimes/config/config-error.ts'
import { openDatabase, openPool } from '../runtimes/node/database.ts'
import { startWorker } from '../runtimes/node/worker.ts'
import { createPool } from '../stores/postgres/connection.ts'
import { assemble, type Deliverer, type HandlerConnections } from './assemble.ts'
import type { Terce, TerceOptions } from './library.ts'
import { parseBasePath } from './mounted.ts'
import { onFile, onPool } from './own-transactions.ts'
import { SETTING_NAMES } from './setting-names.ts'
import type { PgTransaction, SqliteClient, Transactions } from './transactions.ts'

export function createTerce<Tx = PgTransaction>(options: TerceOptions<Tx>): Terce<Tx> {
  const { database: given, schema = 'terce', handlerTimeoutMs = HANDLER_TIMEOUT_MS } = options
  const config = readConfig(environmentOf(options))
  if (config.database.kind === 'sqlite' && config.database.path === ':memory:' && typeof given === 'string')
    throw new TypeError(
      'A database in memory has one connection, and Terce needs several. Use a file, or createTestTerce of terce/testing.',
    )
  return assemble({
    config,
    schema,
    open: (logger) =>
      typeof given === 'string'
        ? openDatabase(config.database, (error) => logFatal(logger, error), { attempts: 5 })
        : openPool(given as unknown as Pool, schema, options.settings?.DATABASE_LISTEN_URL),
    handlers: { ...handlersOf(options, config, handlerTimeoutMs), timeoutMs: handlerTimeoutMs },
    dice: Math.random,
    basePath: parseBasePath(options.basePath ?? ''),
    authenticate: options.authenticate ?? null,
    hooks: options,
    logger: options.logger,
    deliver: (own) => deliver(config, own),
  })
}

export const HANDLER_TIMEOUT_MS = 30_000

/** Starts the engine, and the removal of expired sessions. */
async function deliver(config: Config, { database, observed, ...own }: Deliverer): Promise<Engine> {
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

function logFatal(logger: Logger, error: Error): void {
  logger.fatal({ error }, 'The database thread ended')
}

/** Connections that the engine needs besides the handlers: it claims, extends leases and settles. */
const ENGINE_CONNECTIONS = 3
/** Connections for handlers where the application gives no pool. */
const OWN_CONNECTIONS = 10
/** The limit of a `pg` pool without one. */
const DEFAULT_MAX = 10

function handlersOf<Tx>(
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

export function environmentOf({
  database,
  schema = 'terce',
  settings = {},
}: Pick<TerceOptions, 'database' | 'schema' | 'settings'>): Record<string, string> {
  const unknown = Object.keys(settings).find((name) => !SETTING_NAMES.some((known) => known === name))
  if (unknown !== undefined)
    throw new ConfigError([
      `There is no setting ${unknown} of the library. See docs/embed.md and docs/settings.md.`,
    ])
  const base = { LOG_LEVEL: 'warn', ...settings, DATABASE_SCHEMA: schema }
  if (typeof database !== 'string') {
    if (settings.DATABASE_CONNECTIONS !== undefined)
      throw new ConfigError([
        'DATABASE_CONNECTIONS has no effect: the pool of the application has its own limit.',
      ])
    return base
  }
  const isUrl = /^(sqlite|postgres(ql)?):/.test(database)
  return { ...base, DATABASE_URL: isUrl ? database : `sqlite:${database}` }
}
