// The store inside a transaction that an application has begun. One entry for each kind of connection.
import type { DatabaseSync } from 'node:sqlite'
import type { Store } from '../../ports/store.ts'
import type { Client } from '../../stores/postgres/clients/naming.ts'
import { storeInTransaction } from '../../stores/postgres/store.ts'
import { storeInSqliteTransaction } from '../../stores/sqlite/sqlite-store.ts'
import { collecting } from '../handlers/deletions.ts'
import type { PgClient, PgQuery, SqliteClient, Transactions } from '../transactions.ts'
import { NOT_BEGUN } from './rejection.ts'

/** A `pg` client that has begun a transaction, or a connection of `node:sqlite` that has. */
export type HostConnection = PgClient | SqliteClient

export type JoinedStore = Store & {
  /** Notifies the workers of an event that is due at that instant, when the transaction commits. */
  announce(at: number): Promise<void>
}

/** Joins transactions of the library, and connections that the application passes itself. */
export function createJoin<Tx>(transactions: Pick<Transactions<Tx>, 'clientOf'>, schema: string) {
  // One store for each: calls that are made at once then run one after the other. On SQLite, statements that were prepared on a
  // connection serve its next transaction.
  const joined = new WeakMap<object, JoinedStore>()
  return (tx: Tx | HostConnection): JoinedStore => {
    const connection = isPgClient(tx) || isSqlite(tx) ? tx : transactions.clientOf(tx)
    if (isSqlite(connection) && connection.isTransaction === undefined)
      throw new TypeError('A connection to SQLite that is passed as tx must be one of node:sqlite.')
    if (isSqlite(connection) && !connection.isTransaction) throw new TypeError(NOT_BEGUN)
    const store = joined.get(tx as object) ?? collecting(storeOn(connection, schema))
    joined.set(tx as object, store)
    return store
  }
}

function storeOn(connection: HostConnection, schema: string): JoinedStore {
  if (!isSqlite(connection)) return storeInTransaction(clientOn(connection), schema)
  // SQLite has no notifications: workers look for due events every second.
  return { ...storeInSqliteTransaction(connection as DatabaseSync, `${schema}_`), announce: async () => {} }
}

/** Not by its class: the connection may come from a library that wraps it. */
function isSqlite(tx: unknown): tx is SqliteClient {
  return hasMethod(tx, 'prepare') && hasMethod(tx, 'exec')
}

/** `query` alone is no proof: transactions of other libraries have a method of that name. */
function isPgClient(tx: unknown): tx is PgClient {
  return hasMethod(tx, 'query') && hasMethod(tx, 'escapeIdentifier')
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof (value as never)[name] === 'function'
}

/** Passes each statement as one object, so that an adapter implements one form of `query`. */
function clientOn(connection: PgClient): Client {
  const query = (statement: string | PgQuery, values?: unknown[]) => {
    const asked = typeof statement === 'string' ? { text: statement } : statement
    return connection.query(values === undefined ? asked : { ...asked, values })
  }
  return { query } as Client
}
