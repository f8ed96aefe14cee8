// One process and a PostgreSQL beside it.
import type { PostgresServer } from '../../../support/postgres-server.ts'
import type { Home } from '../scenario-steps.ts'
import { openProcess } from './process.ts'

export async function openNodePostgres(env: Record<string, string>, server: PostgresServer): Promise<Home> {
  // The database goes with its server.
  return openProcess({ ...env, DATABASE_URL: await server.createDatabase() }, async () => {})
}
