// The operations of the store that an application reaches in a transaction of its library: every statement and every kind of value
// travels through the adapter.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { createJoin } from '../../../../src/library/calls/joined-store.ts'
import type { Store } from '../../../../src/ports/store.ts'
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { describeChanging } from '../../../contracts/store/changing.ts'
import { describeCreating } from '../../../contracts/store/creating.ts'
import { describeDeleting } from '../../../contracts/store/deleting.ts'
import { describeExchanges } from '../../../contracts/store/exchanges.ts'
import { describeExternalIds } from '../../../contracts/store/external-ids.ts'
import { describeOccasions } from '../../../contracts/store/occasions.ts'
import { describeReading } from '../../../contracts/store/reading.ts'
import { describeSettling } from '../../../contracts/store/settling.ts'
import { describeTasks } from '../../../contracts/store/tasks.ts'
import { storeIt } from '../../../contracts/store.contract.ts'
import { query } from '../../../stores/postgres/support/audit.ts'
import { emptiedDatabases } from '../../../stores/postgres/support/reused-database.ts'
import { sharedPostgres } from '../../../support/shared-postgres.ts'
import type { OpenLibrary } from './library.ts'

const GROUPS = [
  describeCreating,
  describeExternalIds,
  describeChanging,
  describeDeleting,
  describeOccasions,
  describeTasks,
  describeReading,
  describeSettling,
  describeExchanges,
]

export function describeStoreInTransactions<Tx>(name: string, open: OpenLibrary<Tx>): void {
  describe(`The store in transactions of ${name}`, () => {
    let url: string
    let store: Store
    const cleanups: (() => Promise<unknown>)[] = []
    const databases = emptiedDatabases(async () => (await sharedPostgres()).createMigratedDatabase())

    beforeAll(async () => {
      url = await databases.take()
      const own = await openPostgresStore(url)
      const pool = new pg.Pool({ connectionString: url, max: 20 })
      const library = open(pool, url)
      cleanups.push(
        () => own.close(),
        async () => library.close?.(),
        () => pool.end(),
      )
      store = inTransactions(own, library.transactions)
    })
    beforeEach(async () => {
      await databases.giveBack(url)
      await databases.take()
    })
    afterAll(async () => {
      for (const cleanup of cleanups) await cleanup()
    })
    const deleteRow = async (table: string, id: string) =>
      void (await query(url, `DELETE FROM terce.${table} WHERE id = '${id}'`))
    const current = () => ({ store, another: async () => store, deleteRow, cleanup: async () => {} })
    for (const group of GROUPS) group(storeIt(current), current)
  })
}

/** Runs each operation in a transaction of its own. */
function inTransactions<Tx>(
  store: Store,
  { run, clientOf }: ReturnType<OpenLibrary<Tx>>['transactions'],
): Store {
  const join = createJoin({ clientOf }, 'terce')
  type Operation = (...args: unknown[]) => Promise<unknown>
  const operations = Object.keys(store).map((name) => [
    name,
    (...args: unknown[]) => run((tx) => (join(tx) as unknown as Record<string, Operation>)[name]!(...args)),
  ])
  return Object.fromEntries(operations) as Store
}
