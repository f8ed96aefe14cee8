// The transactions that handlers write in where the application brings none of a library: on a pool, and on a SQLite file.
import type { DatabaseSync } from 'node:sqlite'
import { checkOut } from '../stores/postgres/connection.ts'
import { isBusy } from '../stores/sqlite/lock.ts'
import { openSqlite } from '../stores/sqlite/node-sqlite.ts'
import type { PgPool, PgTransaction, SqliteClient, Transactions } from './transactions.ts'

/** `timeoutMs`: how long a handler may take. */
export function onPool(pool: PgPool, timeoutMs: number): Transactions<PgTransaction> {
  // A process that vanishes inside a transaction would keep its rows locked until the server notices, two hours by default.
  const begin = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs + GRACE_MS}`
  const abandoned = new WeakSet<PgTransaction>()
  return {
    async run(work) {
      const { client, release } = await checkOut(() => pool.connect())
      let isBroken = false
      try {
        await client.query(begin)
        const result = await work(client)
        const { command } = await client.query('COMMIT')
        // PostgreSQL responds to the COMMIT of a failed transaction with ROLLBACK, and not with an error.
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back.')
        return result
      } catch (error) {
        if (abandoned.has(client)) isBroken = true
        else
          await client.query('ROLLBACK').catch(() => {
            isBroken = true
          })
        throw error
      } finally {
        release(isBroken)
      }
    },
    clientOf: (tx) => tx,
    abandon(tx) {
      abandoned.add(tx)
      // Not awaited: a server that does not respond would hold up the event.
      void (tx as PgTransaction & { end(): Promise<void> }).end().catch(() => {})
    },
  }
}

const GRACE_MS = 10_000

/** One connection, one handler at a time: SQLite has one writer. */
export function onFile(path: string): Transactions<SqliteClient> & { close(): void } {
  let db: DatabaseSync | null = null
  function open(): DatabaseSync {
    const opened = openSqlite(path, { timeout: 0 })
    opened.exec('PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON')
    return opened
  }
  return {
    async run(work) {
      db ??= open()
      const own = db
      await begin(own)
      try {
        const result = await work(own)
        own.exec('COMMIT')
        return result
      } catch (error) {
        if (own.isOpen && own.isTransaction) own.exec('ROLLBACK')
        throw error
      }
    },
    clientOf: (tx) => tx,
    abandon(tx) {
      if (tx === db) db = null
      tx.close()
    },
    close: () => db?.close(),
  }
}

/**
 * Waits for the lock without SQLite's own busy timeout, which blocks the thread: the transaction that holds the lock may be one of
 * the application, in this very thread.
 */
async function begin(db: DatabaseSync): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      return db.exec('BEGIN IMMEDIATE')
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

const BUSY_TIMEOUT_MS = 5_000
const POLL_MS = 5
