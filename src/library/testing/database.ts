// The database of a test: SQLite in memory, a SQLite file, or a PostgreSQL of the application. It is empty when it opens.
import type { EnqueueStore } from '../../ports/enqueue.ts'
import type { Store } from '../../ports/store.ts'
import type { Config } from '../../runtimes/config/config.ts'
import type { PgPool, SqliteDatabase, Transactions } from '../transactions.ts'
import { emptySqlite } from './empty.ts'
import { openTestPostgres } from './postgres.ts'
import { openSharedSqlite } from './sqlite.ts'

type TestDatabase<Tx> = {
  store: Store
  /** Null on SQLite. */
  enqueued: EnqueueStore | null
  transactions: Transactions<Tx>
  /** The connection to SQLite; null on PostgreSQL. */
  sqlite: SqliteDatabase | null
  close(): Promise<void>
}

export type Given<Tx> = {
  /** Undefined: in memory. */
  database: PgPool | string | undefined
  transactions: Transactions<Tx> | undefined
  schema: string
  handlerTimeoutMs: number
  /** Called with the error of a call that met an open transaction. */
  onError: (error: Error) => void
}

export async function openTestDatabase<Tx>(
  given: Given<Tx>,
  { database: setting }: Config,
): Promise<TestDatabase<Tx>> {
  const { database, schema, transactions } = given
  if (database !== undefined && (typeof database !== 'string' || setting.kind === 'postgres')) {
    const { store, close, ...own } = await openTestPostgres(database, schema, given.handlerTimeoutMs)
    return {
      store,
      enqueued: store,
      close,
      transactions: transactions ?? asTx(own.transactions),
      sqlite: null,
    }
  }
  if (database === undefined && transactions !== undefined)
    throw new TypeError(
      'Give the database of these transactions too: createTestTerce({ database, transactions }).',
    )
  const path = database === undefined || setting.kind !== 'sqlite' ? ':memory:' : setting.path
  const { db, store, exclusively, ...own } = openSharedSqlite(path, schema, given.onError)
  const close = async () => db.close()
  try {
    emptySqlite(db, schema)
  } catch (error) {
    await close()
    throw error
  }
  const used: Transactions<Tx> = transactions ?? asTx(own.transactions)
  return {
    store,
    enqueued: null,
    transactions: { ...used, run: (work) => exclusively(() => used.run(work)) },
    sqlite: db,
    close,
  }
}

/** Without `transactions`, the application names the type of `tx`. */
function asTx<Tx>(transactions: unknown): Transactions<Tx> {
  return transactions as Transactions<Tx>
}
