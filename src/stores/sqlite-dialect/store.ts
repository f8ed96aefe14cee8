// The store of SQLite and D1, put together from its operations.
import type { Store } from '../../ports/store.ts'
import { claimOperations } from './claims.ts'
import type { Executor } from './executor.ts'
import { countFailures } from './failures.ts'
import { feedOperations } from './feeds.ts'
import { occasionOperations } from './occasions.ts'
import { overviewOperations } from './overview.ts'
import { peopleOperations } from './people.ts'
import { planOperations } from './plans.ts'
import { countPrunable, prune } from './prune.ts'
import { type Database, readOperations } from './reads.ts'
import { registryOperations } from './registry.ts'
import { replay, replayOutlook } from './replay.ts'
import { replan } from './reschedules.ts'
import { settle } from './settle.ts'
import { taskOperations } from './tasks.ts'
import { zoneOperations } from './zones.ts'

export function createStore(
  executor: Executor,
  db: { reader: Database; writer: Database },
  own: Pick<Store, 'check' | 'close'>,
): Store {
  return {
    ...peopleOperations(executor),
    ...occasionOperations(executor),
    ...claimOperations(executor),
    ...readOperations(db.reader),
    ...planOperations(db.reader),
    ...overviewOperations(executor, db.reader),
    ...taskOperations(db.reader),
    ...registryOperations(db),
    ...zoneOperations(executor, db.reader),
    ...feedOperations(executor, db.reader),
    settle: (settlements) => settle(executor, settlements),
    replan: (reschedules, at) => replan(executor, reschedules, at),
    replay: (replays) => replay(executor, replays),
    replayOutlook: (eventIds) => replayOutlook(executor, eventIds),
    countFailures: (of) => countFailures(executor, of),
    prune: (what) => prune(executor, what),
    countPrunable: (before) => countPrunable(executor, before),
    ...own,
  }
}
