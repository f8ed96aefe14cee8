// The store for many processes: one PostgreSQL, any number of workers on it.
import type pg from 'pg'
import { outageOf } from '../shared/outage.ts'
import { connectionOn, createPool } from './connection.ts'
import type { ClockOfClaims } from './events/claim.ts'
import { createMonths } from './events/months.ts'
import { migrate } from './migrations/migrate.ts'
import { check, type PostgresStore, storeOnPool } from './store.ts'

export { optionsOf, poolBeside } from './clients/beside-pool.ts'
export type { PostgresStore } from './store.ts'

/** Connects and brings the schema up to date. Needs no more than this many connections. */
export async function openPostgresStore(
  url: string,
  options: { connections?: number; schema?: string } = {},
): Promise<PostgresStore> {
  const pool = createPool(url, options.connections ?? 10)
  try {
    return { ...(await openOnPool(pool, options.schema)), close: () => pool.end() }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** Uses the pool of an application, which stays open. Brings the schema up to date. */
export async function openOnPool(
  pool: pg.Pool,
  schema?: string,
  clock: ClockOfClaims = 'database',
): Promise<PostgresStore> {
  const connection = connectionOn(pool, schema)
  try {
    await migrate(connection)
    await check(connection)
    // Without them events are stored in the default partition; the run of every hour reports an error.
    await createMonths(connection).catch(() => {})
  } catch (error) {
    throw outageOf(error) ?? error
  }
  return storeOnPool(connection, clock)
}

/** On a pool whose database is open. */
export function storeOn(pool: pg.Pool, schema: string): PostgresStore {
  return storeOnPool(connectionOn(pool, schema))
}
