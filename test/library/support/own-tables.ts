// The tables and transactions of the application that is killed, on PostgreSQL and on SQLite.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { PgTransaction } from '../../../src/library/transactions.ts'

/** A transaction of the application. */
export type Transaction = PgTransaction | DatabaseSync

/** `effects` has no key: an effect that is written twice must be seen. */
export const OWN_TABLES = `
  CREATE TABLE accounts (external_id text PRIMARY KEY, user_id text, last_name text NOT NULL, date_of_birth text NOT NULL,
    timezone text NOT NULL);
  CREATE TABLE todos (task_id text PRIMARY KEY, external_id text NOT NULL REFERENCES accounts ON DELETE CASCADE);
  CREATE TABLE effects (event_id text NOT NULL, external_id text NOT NULL REFERENCES accounts ON DELETE CASCADE)`

export type Account = { external_id: string; user_id: string }

/** The database of the application, as one of its processes uses it. */
export type OwnDatabase = {
  begin(): Promise<Transaction>
  commit(tx: Transaction): Promise<void>
  rollback(tx: Transaction): Promise<void>
  /** Runs a statement whose parameters are written `?`. */
  run(tx: Transaction, sql: string, values: readonly SQLInputValue[]): Promise<unknown[]>
  /** Locks an account that no other transaction has locked; null if there is none. */
  lockAccount(tx: Transaction): Promise<Account | null>
}

export function onPostgres(pool: pg.Pool): OwnDatabase {
  const run: OwnDatabase['run'] = async (tx, sql, values) => {
    let at = 0
    const numbered = sql.replace(/\?/g, () => `$${++at}`)
    return (await (tx as PgTransaction).query(numbered, [...values])).rows
  }
  return {
    run,
    async begin() {
      const client = await pool.connect()
      client.on('error', ignore)
      await client.query('BEGIN').catch((error) => {
        client.release(true)
        throw error
      })
      return client
    },
    commit: async (tx) => {
      await (tx as pg.PoolClient).query('COMMIT')
      release(tx)
    },
    rollback: async (tx) => {
      const failed = await (tx as pg.PoolClient).query('ROLLBACK').catch(() => true)
      release(tx, failed === true)
    },
    lockAccount: async (tx) => {
      const some =
        'SELECT external_id, user_id FROM accounts ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED'
      return ((await run(tx, some, []))[0] as Account | undefined) ?? null
    },
  }
}

function release(tx: Transaction, isBroken = false): void {
  const client = tx as pg.PoolClient
  client.off('error', ignore)
  client.release(isBroken)
}

/** A connection that breaks between two statements emits an error; the next statement fails. */
function ignore(): void {}

export function onSqlite(file: string): OwnDatabase {
  // Another transaction may be open in this very thread: a connection that waits for it would block it.
  const db = new DatabaseSync(file, { timeout: 0 })
  const run: OwnDatabase['run'] = async (tx, sql, values) => (tx as DatabaseSync).prepare(sql).all(...values)
  return {
    run,
    async begin() {
      for (;;) {
        try {
          db.exec('PRAGMA foreign_keys = ON; BEGIN IMMEDIATE')
          return db
        } catch (error) {
          if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
          await sleep(2)
        }
      }
    },
    commit: async () => db.exec('COMMIT'),
    rollback: async () => db.exec('ROLLBACK'),
    lockAccount: async (tx) => {
      const some = 'SELECT external_id, user_id FROM accounts ORDER BY random() LIMIT 1'
      return ((await run(tx, some, []))[0] as Account | undefined) ?? null
    },
  }
}

const SQLITE_BUSY = 5
