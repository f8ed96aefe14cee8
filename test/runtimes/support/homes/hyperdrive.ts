// The Worker in workerd, with PostgreSQL through Hyperdrive and a queue. A tick runs its cron.
import { Miniflare } from 'miniflare'
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import type { PostgresServer } from '../../../support/postgres-server.ts'
import { COMPATIBILITY } from '../../../support/workerd/deployment.ts'
import { callerOf, keepOutput, terceWorker } from '../../../support/workerd/terce.ts'
import type { Home } from '../scenario-steps.ts'

/** An empty database with the tables of this release, as `terce migrate` makes them. */
export async function migratedDatabase(server: PostgresServer): Promise<string> {
  const url = await server.createDatabase()
  await (await openPostgresStore(url)).close()
  return url
}

export async function startHyperdrive(env: Record<string, string>, postgres: string, output: string[] = []) {
  const address = new URL(postgres)
  // Miniflare requires one; the server of the tests accepts any.
  address.password ||= 'any'
  const worker = await terceWorker('terce', env, { consumes: true, postgres: address.href })
  const miniflare = new Miniflare({
    cf: false,
    handleRuntimeStdio: keepOutput(output),
    workers: [{ ...COMPATIBILITY, ...worker }],
  })
  return { miniflare, ...(await callerOf(miniflare, 'terce')) }
}

export async function openHyperdrive(env: Record<string, string>, server: PostgresServer): Promise<Home> {
  const url = await migratedDatabase(server)
  let running: Awaited<ReturnType<typeof startHyperdrive>> | null = await startHyperdrive(env, url)
  async function stop() {
    await running?.miniflare.dispose()
    running = null
  }
  return {
    async request(method, path, body) {
      const { status, body: answer } = await running!.call<unknown>(method, path, body)
      return { status, body: answer === '' ? null : answer }
    },
    tick: () => running!.cron(),
    stop,
    start: async () => {
      running = await startHyperdrive(env, url)
    },
    // The database is removed with its server.
    remove: stop,
  }
}
