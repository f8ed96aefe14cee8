// The store of SQLite and D1, put together from its operations.
import type { Store } from '../../ports/store.ts'
import { claimOperations } from './claims.ts'
import type { Executor } from './executor.ts'
import { peopleOperations } from './people.ts'
import { prune } from './prune.ts'
import { type Database, readOperations } from './reads.ts'
import { registryOperations } from './registry.ts'
import { replay } from './replay.ts'
import { settle } from './settle.ts'

export function createStore(
  executor: Executor,
  db: { reader: Database; writer: Database },
  own: Pick<Store, 'check' | 'close'>,
): Store {
  return {
    ...peopleOperations(executor),
    ...claimOperations(executor),
    ...readOperations(db.reader),
    ...registryOperations(db),
    settle: (settlements) => settle(executor, settlements),
    replay: (replays) => replay(executor, replays),
    prune: (what) => prune(executor, what),
    ...own,
  }
}
