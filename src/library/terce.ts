// Terce as a library: people, occasions and tasks in the transactions of an application, and handlers in its process. Maps the options
// to the parts of a Terce.

import { readConfig } from '../runtimes/config/config.ts'
import { ConfigError } from '../runtimes/config/config-error.ts'
import { assemble } from './assemble.ts'
import type { Terce, TerceOptions } from './library.ts'
import { parseBasePath } from './mounted.ts'
import { SETTING_NAMES } from './setting-names.ts'
import type { PgTransaction } from './transactions.ts'

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
    open: async (logger) => (await load()).openFor(options, config, logger),
    handlers: {
      connect: async () => (await load()).connectionsFor(options, config, handlerTimeoutMs),
      timeoutMs: handlerTimeoutMs,
    },
    dice: Math.random,
    basePath: parseBasePath(options.basePath ?? ''),
    authenticate: options.authenticate ?? null,
    hooks: options,
    logger: options.logger,
    deliver: async (own) => (await load()).deliver(config, own),
  })
}

const load = () => import('./node-parts.ts')

export const HANDLER_TIMEOUT_MS = 30_000

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
