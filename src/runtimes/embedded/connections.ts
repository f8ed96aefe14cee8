// The connections that handlers write on, each in a transaction of its own.
import { DatabaseSync } from 'node:sqlite'
import type { Pool } from 'pg'
import { createPool } from '../../stores/postgres/connection.ts'
import type { Config } from '../config/config.ts'
import type { HandlerTransaction } from './handlers.ts'
import { joinTransaction, type Transaction } from './transaction.ts'

export type OwnTransactions = {
  begin: () => Promise<HandlerTransaction<Transaction>>
  concurrency: number
  close(): Promise<void>
}

/** Connections that the engine needs besides the handlers: it claims, extends leases and settles. */
const ENGINE_CONNECTIONS = 3
/** Connections for handlers where Terce opens the pool. */
const OWN_CONNECTIONS = 10

export function ownTransactions(given: Pool | string, schema: string, { database }: Config): OwnTransactions {
  if (database.kind === 'sqlite' && typeof given === 'string') return onFile(database.path, schema)
  const begin = (pool: Pool) => () => beginOnPool(pool, schema)
  if (typeof given !== 'string') {
    const concurrency = Math.max(1, given.options.max - ENGINE_CONNECTIONS)
    return { begin: begin(given), concurrency, close: async () => {} }
  }
  const pool = createPool(given, OWN_CONNECTIONS)
  return { begin: begin(pool), concurrency: OWN_CONNECTIONS, close: () => pool.end() }
}

async function beginOnPool(pool: Pool, schema: string): Promise<HandlerTransaction<Transaction>> {
  const client = await pool.connect()
  await client.query('BEGIN')
  return {
    tx: client,
    store: joinTransaction(client, schema),
    commit: async () => {
      await client.query('COMMIT')
      client.release()
    },
    rollback: async ({ isRunning }) => {
      if (isRunning) return client.release(true)
      await client.query('ROLLBACK').catch(() => {})
      client.release()
    },
  }
}

/** One connection, one handler at a time: SQLite has one writer. */
function onFile(path: string, schema: string): OwnTransactions {
  let db: DatabaseSync | null = null
  return {
    concurrency: 1,
    begin: async () => {
      const open = db ?? new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
      db = open
      open.exec('PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; BEGIN IMMEDIATE')
      return {
        tx: open,
        store: joinTransaction(open, schema),
        commit: async () => open.exec('COMMIT'),
        rollback: async ({ isRunning }) => {
          if (!isRunning) return open.exec('ROLLBACK')
          db = null
          open.close()
        },
      }
    },
    close: async () => db?.close(),
  }
}

const BUSY_TIMEOUT_MS = 5_000
