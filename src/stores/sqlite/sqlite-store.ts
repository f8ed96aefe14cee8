// The embedded store: one SQLite file, owned by this process or shared with others on the same machine.
import type { DatabaseSync } from 'node:sqlite'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import { outageOf } from '../shared/outage.ts'
import { createStore } from '../sqlite-dialect/store.ts'
import { joinTransaction, openShared } from './connection.ts'
import { executorOn, inThreadExecutor, type SqliteExecutor, threadedExecutor } from './executor.ts'
import { isBusy } from './lock.ts'

/** Opens or creates the file at the path; `:memory:` for a database that ends with the store. `prefix` begins each table's name. */
export function openSqliteStore(path: string, prefix = ''): Store {
  return storeOn(inThreadExecutor(path, prefix))
}

/** The store of a test, and its connection: an application in the test writes on it, and a database in memory has no other. */
export function openSharedSqliteStore(path: string, prefix: string): { db: DatabaseSync; store: Store } {
  const { db, connection } = openShared(path, prefix)
  return { db, store: storeOn(executorOn(connection)) }
}

/** The store inside a transaction that an application has begun on its connection to the file. */
export function storeInSqliteTransaction(db: DatabaseSync, prefix: string): Store {
  return storeOn(executorOn(joinTransaction(db, prefix)))
}

/** Runs the database in threads of its own, as the product does. Throws a StoreUnavailableError for a locked file. */
export async function openThreadedSqliteStore(
  path: string,
  clock: Clock,
  onDeath: (error: Error) => void,
  prefix = '',
): Promise<Store> {
  return storeOn(
    await threadedExecutor(path, clock, onDeath, prefix).catch((error: Error) => {
      // Another process may hold the lock longer than the busy timeout, such as a VACUUM.
      throw isBusy(error) ? outageOf(error) : error
    }),
  )
}

function storeOn(executor: SqliteExecutor): Store {
  const readBy = (read: SqliteExecutor['read']) =>
    drizzle(async (sql, params, method) => {
      const rows = await read({ sql, params })
      return { rows: method === 'get' ? (rows[0] as unknown as unknown[]) : rows }
    })
  const writer = drizzle(async (sql, params) => {
    const [result] = await executor.batch([{ sql, params, returns: true }])
    return { rows: result!.rows }
  })
  return createStore(executor, { reader: readBy(executor.read), writer }, () => executor.close(), {
    executor: { ...executor, read: executor.slowRead },
    reader: readBy(executor.slowRead),
  })
}
