// SQLite for a test, in memory or in a file: one connection that the store, the handlers and the test share. A handler's transaction
// keeps all other statements waiting, as the single writer of SQLite does.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type AnyDecorator, decorateEach } from '../../domain/decorate.ts'
import type { Store } from '../../ports/store.ts'
import { openSharedSqliteStore } from '../../stores/sqlite/sqlite-store.ts'
import type { SqliteDatabase, Transactions } from '../transactions.ts'

type SharedSqlite = {
  db: SqliteDatabase
  store: Store
  transactions: Transactions<SqliteDatabase>
  /** Runs a handler's transaction while no statement of the store runs. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

/** `onConflict` is called with the error of a statement that met an open transaction: it would fail in an application too. */
export function openSharedSqlite(
  path: string,
  schema: string,
  onConflict: (error: Error) => void,
): SharedSqlite {
  const { db: connection, store } = openSharedSqliteStore(path, `${schema}_`)
  const db = connection as unknown as SqliteDatabase
  // Nothing else runs in this process while a statement waits for a transaction to end.
  db.exec('PRAGMA busy_timeout = 1000')
  const lock = createLock()
  const handler = new AsyncLocalStorage<true>()

  /** A statement of a handler itself does not wait for the handler. */
  const waiting: AnyDecorator =
    (operation) =>
    (...args) => {
      if (handler.getStore() === undefined) return lock.shared(() => named(operation(...args)))
      return named(operation(...args))
    }

  async function named<T>(result: Promise<T>): Promise<T> {
    try {
      return await result
    } catch (error) {
      if (!/within a transaction|SQLITE_BUSY/.test(String(error))) throw error
      const conflict = new Error(
        'A transaction is open in this database. Pass it to the call as tx, or end it first.',
        { cause: error },
      )
      onConflict(conflict)
      throw conflict
    }
  }

  return {
    db,
    store: decorateEach(store, waiting),
    exclusively: (work) => lock.exclusive(() => handler.run(true, work)),
    transactions: {
      async run(work) {
        db.exec('BEGIN IMMEDIATE')
        try {
          const result = await work(db)
          db.exec('COMMIT')
          return result
        } catch (error) {
          if (db.isTransaction) db.exec('ROLLBACK')
          throw error
        }
      },
      clientOf: (tx) => tx,
    },
  }
}

type Lock = {
  shared<T>(work: () => Promise<T>): Promise<T>
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

function createLock(): Lock {
  let sharing = 0
  let isExclusive = false
  let released = Promise.withResolvers<void>()

  function release(): void {
    released.resolve()
    released = Promise.withResolvers()
  }

  return {
    async shared(work) {
      while (isExclusive) await released.promise
      sharing += 1
      try {
        return await work()
      } finally {
        sharing -= 1
        release()
      }
    },
    async exclusive(work) {
      while (isExclusive || sharing > 0) await released.promise
      isExclusive = true
      try {
        return await work()
      } finally {
        isExclusive = false
        release()
      }
    },
  }
}
