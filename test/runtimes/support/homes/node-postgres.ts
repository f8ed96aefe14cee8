// A Node process with PostgreSQL.
import type { Databases } from '../../../support/postgres-databases.ts'
import type { Home } from '../scenario-steps.ts'
import { openProcess } from './process.ts'

export async function openNodePostgres(env: Record<string, string>, server: Databases): Promise<Home> {
  const url = await server.createDatabase()
  return openProcess({ ...env, DATABASE_URL: url }, () => server.dropDatabase(url))
}
