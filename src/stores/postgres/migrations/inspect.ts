// What the command line asks about a schema in PostgreSQL. Applies no migration.
import { readMigrations } from '../../migrations/files.ts'
import { compare, type SchemaState } from '../../migrations/schema-state.ts'
import { type PooledConnection, connect } from '../connection.ts'
import { readLedger } from './ledger.ts'
import { MIGRATIONS } from './migrate.ts'
import { dropLeftovers, leftovers } from './move.ts'
import { planOf } from './plan.ts'

type Where = { url: string; schema: string }

export function readSchemaState(where: Where): Promise<SchemaState> {
  return withConnection(where, async (connection) => {
    const ledger = await readLedger(connection)
    const { missing, ...state } = compare(readMigrations(MIGRATIONS), ledger.applied)
    const pending = await planOf(connection, missing, ledger)
    return { ...state, pending, unfinished: pending.length > 0 ? [] : await leftovers(connection) }
  })
}

/** Drops the views for processes of 0.1.0, which then stop working. Returns the statements. */
export function finishMigration(where: Where): Promise<string[]> {
  return withConnection(where, dropLeftovers)
}

async function withConnection<T>({ url, schema }: Where, work: (connection: PooledConnection) => Promise<T>): Promise<T> {
  const connection = connect(url, { connections: 1, schema })
  try {
    return await work(connection)
  } finally {
    await connection.pool.end()
  }
}
