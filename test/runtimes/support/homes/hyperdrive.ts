// The Worker in workerd, with PostgreSQL through Hyperdrive and a queue. A tick runs its cron.
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import type { PostgresServer } from '../../../support/postgres-server.ts'
import { terceWorker } from '../../../support/workerd/terce.ts'
import type { Home } from '../scenario-steps.ts'
import { openWorker, type RunningWorker, startWorker } from './workerd.ts'

/** An empty database with the tables of this release, as `terce migrate` makes them. */
export async function migratedDatabase(server: PostgresServer): Promise<string> {
  const url = await server.createDatabase()
  await (await openPostgresStore(url)).close()
  return url
}

export async function startHyperdrive(
  env: Record<string, string>,
  postgres: string,
  output: string[] = [],
): Promise<RunningWorker> {
  const address = new URL(postgres)
  // Miniflare requires one; the server of the tests accepts any.
  address.password ||= 'any'
  const worker = await terceWorker('terce', env, { consumes: true, postgres: address.href })
  return startWorker(worker, { output })
}

/** The database is removed with its server. */
export async function openHyperdrive(env: Record<string, string>, server: PostgresServer): Promise<Home> {
  const url = await migratedDatabase(server)
  return openWorker({ begin: () => startHyperdrive(env, url) })
}
