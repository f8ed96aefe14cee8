// The store of SQLite and D1, put together from its operations.
import type { Store } from '../../ports/store.ts'
import { claimOperations } from './claims.ts'
import type { Executor } from './executor.ts'
import { peopleOperations } from './people.ts'
import { prune } from './prune.ts'
import { type Database, readOperations } from './reads.ts'
import { settle } from './settle.ts'

export function createStore(executor: Executor, db: Database, own: Pick<Store, 'check' | 'close'>): Store {
  return {
    ...peopleOperations(executor),
    ...claimOperations(executor),
    ...readOperations(db),
    settle: (settlements) => settle(executor, settlements),
    prune: (what) => prune(executor, what),
    ...own,
  }
}
