// The store of SQLite and D1, put together from its operations.
import type { Store } from '../../ports/store.ts'
import { coldOperations, type Reads } from '../shared/cold-store.ts'
import { dashboardOperations } from '../shared/dashboard/operations.ts'
import type { DrizzleDatabase } from '../shared/database.ts'
import { ledgerOperations } from '../shared/ledger.ts'
import { reportOutages } from '../shared/outage.ts'
import * as tables from '../tables/sqlite.ts'
import { DASHBOARD } from './dashboard.ts'
import { dialect } from './dialect.ts'
import { claimOperations } from './events/claim.ts'
import { eventSource } from './events/event-source.ts'
import { listOpenPlans, listOutdatedPlans } from './events/open-plans.ts'
import { countPrunable, prune } from './events/prune.ts'
import { replay, replayOutlook } from './events/replay.ts'
import { replan } from './events/reschedules.ts'
import { settle } from './events/settle.ts'
import type { Executor } from './executor.ts'
import { LEDGER } from './ledger.ts'
import { occasionOperations } from './people/occasions.ts'
import { peopleOperations } from './people/people.ts'
import { readPlans } from './people/plans.ts'
import { saveReplanCursor, saveZones } from './zones.ts'

export function createStore(
  executor: Executor,
  db: { reader: DrizzleDatabase; writer: DrizzleDatabase },
  close: Store['close'],
  /** Runs lists and counts over everybody, so that the engine's reads never wait for them. */
  slow: { executor: Executor; reader: DrizzleDatabase } = { executor, reader: db.reader },
): Store {
  const readsBy = (reader: DrizzleDatabase): Reads => ({
    shared: { reader, writer: db.writer, tables, dialect },
    events: eventSource(reader),
    readPlans: (userIds) => readPlans(reader, userIds),
  })
  const quickReads = readsBy(db.reader)
  const slowReads = readsBy(slow.reader)
  const readSlowly = (sql: string, params: (string | number)[]) => slow.executor.read({ sql, params })
  return reportOutages({
    ...coldOperations(quickReads, slowReads),
    ...peopleOperations(executor),
    ...occasionOperations(executor),
    ...claimOperations(executor),
    ...dashboardOperations(DASHBOARD, readSlowly, slowReads.events),
    ...ledgerOperations(quickReads.shared, readSlowly, LEDGER),
    saveZones: (zones, how) => saveZones(executor, zones, how),
    saveReplanCursor: (zone) => saveReplanCursor(executor, zone),
    settle: (settlements) => settle(executor, settlements),
    listOpenPlans: (of) => listOpenPlans(slow.executor, of),
    listOutdatedPlans: (of) => listOutdatedPlans(slow.executor, of),
    replan: (reschedules, at) => replan(executor, reschedules, at),
    replay: (replays) => replay(executor, replays),
    replayOutlook: (eventIds) => replayOutlook(executor, eventIds),
    prune: (what) => prune(executor, what),
    // One table for all months.
    pruneMonths: async () => {},
    createMonths: async () => {},
    countPrunable: (before) => countPrunable(executor, before),
    check: () => checkWrite(executor),
    close,
  })
}

/** Writes and deletes a row of several pages in one transaction: a full disk can be read, and takes rows that fit a page. */
async function checkWrite(executor: Executor): Promise<void> {
  const name = 'readiness'
  await executor.batch([
    {
      sql: `INSERT OR REPLACE INTO timezones (name, rules, version) VALUES (?, hex(zeroblob(8192)), '')`,
      params: [name],
    },
    { sql: 'DELETE FROM timezones WHERE name = ?', params: [name] },
  ])
}
