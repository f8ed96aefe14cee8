// What the command line asks about a schema in PostgreSQL. Applies no migration.
import { readMigrations } from '../../migrations/files.ts'
import { compare, type SchemaState } from '../../migrations/schema-state.ts'
import { connect, type PooledConnection } from '../connection.ts'
import { readApplied } from './applied.ts'
import { MIGRATIONS } from './migrate.ts'
import { planOf } from './plan.ts'

type Where = { url: string; schema: string }

export function readSchemaState(where: Where): Promise<SchemaState> {
  return withConnection(where, async (connection) => {
    const applied = await readApplied(connection)
    const { missing, ...state } = compare(readMigrations(MIGRATIONS), applied ?? [])
    return { ...state, pending: await planOf(connection, missing) }
  })
}

async function withConnection<T>(
  { url, schema }: Where,
  work: (connection: PooledConnection) => Promise<T>,
): Promise<T> {
  const connection = connect(url, { connections: 1, schema })
  try {
    return await work(connection)
  } finally {
    await connection.pool.end()
  }
}
