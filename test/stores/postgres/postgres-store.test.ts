// The PostgreSQL store: the contract on a real server, and what many connections and processes add to it.
import type { Store } from '../../../src/ports/store.ts'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { sharedPostgres } from '../../support/shared-postgres.ts'
import { spawnClaimer } from '../support/spawn-claimer.ts'
import { query } from './support/audit.ts'
import { emptiedDatabases } from './support/reused-database.ts'

const databases = emptiedDatabases(async () => (await sharedPostgres()).createMigratedDatabase())

describeStoreContract('PostgreSQL', async () => {
  const url = await databases.take()
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
    deleteRow: async (table, id) => void (await query(url, `DELETE FROM terce.${table} WHERE id = '${id}'`)),
    async cleanup() {
      for (const store of opened) await store.close()
      await databases.giveBack(url)
    },
  }
})
