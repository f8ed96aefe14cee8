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
  /** What may take long is asked here: lists, and counts over everybody. */
  survey: { executor: Executor; reader: Database } = { executor, reader: db.reader },
): Store {
  const { listUsers, listEvents } = readOperations(survey.reader)
  const { listPeople } = planOperations(survey.reader)
  const { listTasks } = taskOperations(survey.reader)
  return {
    ...peopleOperations(executor),
    ...occasionOperations(executor),
    ...claimOperations(executor),
    ...readOperations(db.reader),
    ...planOperations(db.reader),
    ...overviewOperations(survey.executor, survey.reader),
    ...taskOperations(db.reader),
    ...registryOperations(db),
    ...zoneOperations(executor, db.reader),
    ...feedOperations(executor, db.reader),
    settle: (settlements) => settle(executor, settlements),
    replan: (reschedules, at) => replan(executor, reschedules, at),
    replay: (replays) => replay(executor, replays),
    replayOutlook: (eventIds) => replayOutlook(executor, eventIds),
    countFailures: (of) => countFailures(survey.executor, of),
    prune: (what) => prune(executor, what),
    countPrunable: (before) => countPrunable(executor, before),
    listUsers,
    listEvents,
    listPeople,
    listTasks,
    ...own,
  }
}
