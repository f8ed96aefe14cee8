// A Node process with PostgreSQL.
import type { PostgresServer } from '../../../support/postgres-server.ts'
import type { Home } from '../scenario-steps.ts'
import { openProcess } from './process.ts'

export async function openNodePostgres(env: Record<string, string>, server: PostgresServer): Promise<Home> {
  // The database is removed with its server.
  return openProcess({ ...env, DATABASE_URL: await server.createDatabase() }, async () => {})
}
