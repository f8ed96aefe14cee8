// The PostgreSQL that all test files of a run share: for tests that keep to a database of their own. A test that crashes, stops or
// configures the server, or reads its log, starts one by `startPostgres`.
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { type Databases, databasesOn } from './postgres-databases.ts'

export type SharedPostgres = Databases & { port: number }

let shared: Promise<SharedPostgres> | null = null

/** Starts it if this is the first test of the run that asks. */
export function sharedPostgres(): Promise<SharedPostgres> {
  shared ??= reach()
  return shared
}

async function reach(): Promise<SharedPostgres> {
  const at = inject('sharedPostgresAt')
  if (at === undefined)
    throw new Error(
      'This run has no PostgreSQL: its project needs globalSetup test/support/postgres-global-setup.ts.',
    )
  const socket = connect(at, '127.0.0.1')
  await once(socket, 'connect')
  const said = await text(socket)
  const port = Number(said)
  if (!port) throw new Error(`The PostgreSQL of this run did not start: ${said}`)
  return { port, ...databasesOn(port) }
}
