// The PostgreSQL store: the contract on a real server, and what many connections and processes add to it.
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { describeStoreContract } from '../contracts/store.contract.ts'
import { type PostgresServer, startPostgres } from '../postgres/server.ts'
import { spawnClaimer } from './spawn-claimer.ts'

let server: PostgresServer
let databases = 0

beforeAll(async () => {
  server = await startPostgres({ fast: true })
})
afterAll(() => server.stop())

/** A new, empty database. */
async function createDatabase(): Promise<string> {
  databases += 1
  const name = `terce_${databases}`
  const admin = new pg.Client(server.url('postgres'))
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
  return server.url(name)
}

describeStoreContract('PostgreSQL', async () => {
  const url = await createDatabase()
  const opened: Store[] = []
  const open = async () => {
    const store = await openPostgresStore(url)
    opened.push(store)
    return store
  }
  return {
    store: await open(),
    another: open,
    spawnClaimer: (claim) => spawnClaimer(url, claim),
    async cleanup() {
      for (const store of opened) await store.close()
    },
  }
})
