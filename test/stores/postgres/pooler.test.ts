// The PostgreSQL store keeps no state in a session, so a pooler in transaction mode may lie between.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { makePerson } from '../../support/fixtures.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import { spawnClaimer } from '../support/spawn-claimer.ts'
import { emptiedDatabases } from './support/reused-database.ts'
import { type ForgetfulProxy, startForgetfulProxy } from './support/transaction-pooler.ts'

let server: PostgresServer
let proxy: ForgetfulProxy
const databases = emptiedDatabases(createDatabase)

beforeAll(async () => {
  server = await startPostgres({ fast: true })
  proxy = await startForgetfulProxy(server)
})
afterAll(async () => {
  await proxy.close()
  await server.stop()
})

async function createDatabase(): Promise<string> {
  const url = new URL(await server.createDatabase())
  url.port = String(proxy.port)
  return url.href
}

describeStoreContract('PostgreSQL, through sessions that forget,', async () => {
  const url = await databases.take()
  const opened: Store[] = []
  const open = async () => {
    const store = await openPostgresStore(url, { connections: 2 })
    opened.push(store)
    return store
  }
  return {
    store: await open(),
    another: open,
    spawnClaimer: (claim) => spawnClaimer(url, claim),
    async cleanup() {
      for (const store of opened) await store.close()
      await databases.giveBack(url)
    },
  }
})

describe('the sessions of these tests', () => {
  it('forget after every transaction', async () => {
    const store = await openPostgresStore(await createDatabase(), { connections: 1 })
    const before = proxy.forgotten()
    await store.createUsers([makePerson()])
    await store.check()
    expect(proxy.forgotten()).toBe(before + 2)
    await store.close()
  })
})
