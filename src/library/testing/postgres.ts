// PostgreSQL for a test: the pool of the application, or one of its own, under the clock of the test.
import type { Pool } from 'pg'
import { createPool } from '../../stores/postgres/connection.ts'
import { openOnPool, type PostgresStore } from '../../stores/postgres/postgres-store.ts'
import { onPool } from '../own-transactions.ts'
import type { PgPool, PgTransaction, Transactions } from '../transactions.ts'
import { emptyPostgres, rejectInstallation } from './empty.ts'

type TestPostgres = {
  store: PostgresStore
  transactions: Transactions<PgTransaction>
  /** Closes the pool if the test did not give it. */
  close(): Promise<void>
}

export async function openTestPostgres(
  database: PgPool | string,
  schema: string,
  timeoutMs: number,
): Promise<TestPostgres> {
  const own = typeof database === 'string' ? createPool(database, CONNECTIONS) : null
  const pool = (own ?? database) as PgPool
  const close = async () => {
    await own?.end()
  }
  try {
    await rejectInstallation(pool, schema)
    const store = await openOnPool(pool as unknown as Pool, schema, 'caller')
    await emptyPostgres(pool, schema)
    return { store, transactions: onPool(pool, timeoutMs), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** One for a handler, the others for the engine and for calls. */
const CONNECTIONS = 4
