// The PostgreSQL store keeps no state in a session, so a pooler in transaction mode may lie between; and it lives in a schema of
// its own choice, beside an application with tables of the same names.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { makePerson } from '../../support/fixtures.ts'
import { type SharedPostgres, sharedPostgres } from '../../support/shared-postgres.ts'
import { spawnClaimer } from '../support/spawn-claimer.ts'
import { createApplication } from './support/application.ts'
import { query } from './support/audit.ts'
import { emptiedDatabases } from './support/reused-database.ts'
import { type ForgetfulProxy, startForgetfulProxy } from './support/transaction-pooler.ts'

const SCHEMA = 'greetings'

let server: SharedPostgres
let proxy: ForgetfulProxy
const databases = emptiedDatabases(createDatabase, SCHEMA)

beforeAll(async () => {
  server = await sharedPostgres()
  proxy = await startForgetfulProxy(server)
})
afterAll(() => proxy.close())

async function createDatabase(): Promise<string> {
  const url = new URL(await server.createDatabase())
  await createApplication(url.href)
  url.port = String(proxy.port)
  return url.href
}

describeStoreContract('PostgreSQL, in another schema and through sessions that forget,', async () => {
  const url = await databases.take()
  const opened: Store[] = []
  const open = async () => {
    const store = await openPostgresStore(url, { connections: 2, schema: SCHEMA })
    opened.push(store)
    return store
  }
  return {
    store: await open(),
    another: open,
    spawnClaimer: (claim) => spawnClaimer(url, claim, SCHEMA),
    deleteRow: async (table, id) =>
      void (await query(url, `DELETE FROM "${SCHEMA}".${table} WHERE id = '${id}'`)),
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
