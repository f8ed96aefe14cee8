// The Worker in workerd, with PostgreSQL through Hyperdrive and a queue. A tick runs its cron.
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Databases } from '../../../support/postgres-databases.ts'
import { terceWorker } from '../../../support/workerd/terce.ts'
import type { Home } from '../scenario-steps.ts'
import { openWorker, type RunningWorker, startWorker } from './workerd.ts'

// Miniflare's proxy of Hyperdrive listens to no error of its sockets: a connection that workerd or the database resets would be an
// uncaught exception of the test run.
for (const opened of ['net.client.socket', 'net.server.socket'])
  subscribe(opened, (message) => (message as { socket: Socket }).socket.on('error', () => {}))

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

export async function openHyperdrive(env: Record<string, string>, server: Databases): Promise<Home> {
  const url = await server.createMigratedDatabase()
  return openWorker({ begin: () => startHyperdrive(env, url), removeData: () => server.dropDatabase(url) })
}
