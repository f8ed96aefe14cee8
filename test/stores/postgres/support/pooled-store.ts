// The PostgreSQL store behind a pooler in transaction mode, in a schema of its own beside an application with tables of the same
// names.
import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../../../../src/ports/store.ts'
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import type { StoreUnderTest } from '../../../contracts/store.contract.ts'
import { type SharedPostgres, sharedPostgres } from '../../../support/shared-postgres.ts'
import { spawnClaimer } from '../../support/spawn-claimer.ts'
import { createApplication } from './application.ts'
import { query } from './audit.ts'
import { emptiedDatabases } from './reused-database.ts'
import { type ForgetfulProxy, startForgetfulProxy } from './transaction-pooler.ts'

const SCHEMA = 'greetings'

export type Pooled = {
  proxy(): ForgetfulProxy
  /** A database without the tables of Terce, at the address of the pooler. */
  createDatabase(): Promise<string>
  /** For the contract. */
  open(): Promise<StoreUnderTest>
}

export function usePooler(): Pooled {
  let server: SharedPostgres
  let proxy: ForgetfulProxy
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
  const databases = emptiedDatabases(createDatabase, SCHEMA)

  return {
    proxy: () => proxy,
    createDatabase,
    async open() {
      const url = await databases.take()
      const opened: Store[] = []
      const another = async () => {
        const store = await openPostgresStore(url, { connections: 2, schema: SCHEMA })
        opened.push(store)
        return store
      }
      return {
        store: await another(),
        another,
        spawnClaimer: (claim) => spawnClaimer(url, claim, SCHEMA),
        deleteRow: async (table, id) =>
          void (await query(url, `DELETE FROM "${SCHEMA}".${table} WHERE id = '${id}'`)),
        async cleanup() {
          for (const store of opened) await store.close()
          await databases.giveBack(url)
        },
      }
    },
  }
}
