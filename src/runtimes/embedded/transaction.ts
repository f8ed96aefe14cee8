// A transaction that an application has begun: the store joins it. One entry for each kind of connection.
import { DatabaseSync } from 'node:sqlite'
import type { Store } from '../../ports/store.ts'
import type { Client } from '../../stores/postgres/clients/naming.ts'
import { storeInTransaction } from '../../stores/postgres/postgres-store.ts'
import { storeInSqliteTransaction } from '../../stores/sqlite/sqlite-store.ts'

/** A `pg` client that has begun a transaction, or a connection of `node:sqlite` that has. */
export type Transaction = Client | DatabaseSync

export type JoinedStore = Store & {
  /** Notifies the workers of an event that is due at that instant, when the transaction commits. */
  announce(at: number): Promise<void>
}

/** Statements that were prepared on a connection serve its next transaction. */
const joined = new WeakMap<DatabaseSync, Store>()

export function joinTransaction(tx: Transaction, schema: string): JoinedStore {
  if (!(tx instanceof DatabaseSync)) return storeInTransaction(tx, schema)
  if (!tx.isTransaction) throw new TypeError('Begin a transaction before you pass the connection as tx.')
  const store = joined.get(tx) ?? storeInSqliteTransaction(tx, `${schema}_`)
  joined.set(tx, store)
  // SQLite has no notifications: workers look for due events every second.
  return { ...store, announce: async () => {} }
}
