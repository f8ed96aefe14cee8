// What every store promises. Uses nothing but the port, and no instant later than 2021 as now: a store may trust
// its own clock over a caller's that runs ahead.
import { afterEach, beforeEach, describe, it } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import { describeAudit } from './store/audit.ts'
import { describeBodies } from './store/bodies.ts'
import { describeChanging } from './store/changing.ts'
import { describeClaiming } from './store/claiming.ts'
import { describeConcurrentChanges } from './store/concurrent-changes.ts'
import { describeCreating } from './store/creating.ts'
import { describeDeleting } from './store/deleting.ts'
import { describeDestinations } from './store/destinations.ts'
import { describeExchanges } from './store/exchanges.ts'
import { describeExternalIds } from './store/external-ids.ts'
import { describeFailures } from './store/failures.ts'
import { describeFeeds } from './store/feeds.ts'
import { describeKeyedIds } from './store/keyed-ids.ts'
import { describeLanes } from './store/lanes.ts'
import { describeLargeBatches } from './store/large-batches.ts'
import { describeLeases } from './store/leases.ts'
import { describeLedger } from './store/ledger.ts'
import { describeMoves } from './store/moves.ts'
import { describeOccasionConflicts } from './store/occasion-conflicts.ts'
import { describeOccasions } from './store/occasions.ts'
import { describeOverview } from './store/overview.ts'
import { describePeopleLists } from './store/people-lists.ts'
import { describePlans } from './store/plans.ts'
import { describeProcesses } from './store/processes.ts'
import { describePruning } from './store/pruning.ts'
import { describeReading } from './store/reading.ts'
import { describeRemoving } from './store/removing.ts'
import { describeReplaying } from './store/replaying.ts'
import { describeSettings } from './store/settings.ts'
import { describeSettling } from './store/settling.ts'
import { describeTasks } from './store/tasks.ts'
import { describeTransitions } from './store/transitions.ts'
import { describeUpserts } from './store/upserts.ts'
import { describeWorkers } from './store/workers.ts'
import { describeZones } from './store/zones.ts'

/** An empty database of its own for each test. */
export type StoreUnderTest = {
  store: Store
  /** A second connection to the same database. */
  another(): Promise<Store>
  /** A real process that claims in batches until nothing is left, and the ids it got. */
  spawnClaimer?(claim: { now: number; limit: number }): Promise<string[]>
  /** Deletes a row behind the store's back, by a connection of the test's own. */
  deleteRow(table: 'occasions' | 'events', id: string): Promise<void>
  /** Closes every connection and removes the database. */
  cleanup(): Promise<void>
}

/** The store of the test that is running. */
export type Current = () => StoreUnderTest

type StoreTest = (store: Store, underTest: StoreUnderTest) => Promise<void>
type Register = (name: string, test: StoreTest) => void

/**
 * A test of the contract, with the store that it is about. `it.transport` is one that can fail on a store that runs the statements of
 * another store: values of every type, batches of many rows, conflicts, rejected writes, two connections, and each kind of statement.
 */
export type StoreIt = Register & { transport: Register }

/** With `cases: 'transport'` only those tests are registered. Vitest rejects a suite without one. */
export function storeIt(current: Current, cases: 'all' | 'transport' = 'all'): StoreIt {
  const register: Register = (name, test) => it(name, () => test(current().store, current()))
  const others: Register = cases === 'all' ? (name, test) => register(name, test) : () => {}
  return Object.assign(others, { transport: register })
}

/** The groups with tests of the transport in each of their suites. */
const TRANSPORT = [
  describeBodies,
  describeChanging,
  describeClaiming,
  describeCreating,
  describeDeleting,
  describeDestinations,
  describeExchanges,
  describeExternalIds,
  describeLargeBatches,
  describeLeases,
  describeOccasions,
  describeReading,
  describeReplaying,
  describeSettling,
  describeUpserts,
  describeLanes,
]

/**
 * `subset: 'transport'` for a store that runs the statements of another store, which passes the whole contract: only the way
 * that statements and rows travel is new. `'processes'` has the tests that start processes, and `'one process'` the others, for a
 * store whose contract is in two files.
 */
export function describeStoreContract(
  name: string,
  open: () => Promise<StoreUnderTest>,
  { subset }: { subset?: 'transport' | 'processes' | 'one process' } = {},
): void {
  describe(`the ${name} store`, () => {
    let underTest: StoreUnderTest
    beforeEach(async () => {
      const opened = await open()
      underTest = { ...opened, store: requirePromises(opened.store) }
    })
    afterEach(() => underTest.cleanup())

    const current: Current = () => underTest
    if (subset !== 'one process') describeProcesses(current)
    if (subset === 'processes') return
    const it = storeIt(current, subset === 'transport' ? 'transport' : 'all')
    if (subset === 'transport') {
      for (const group of TRANSPORT) group(it, current)
      return
    }
    describeCreating(it)
    describeClaiming(it)
    describeBodies(it, current)
    describeSettling(it)
    describeExchanges(it)
    describeLargeBatches(it)
    describeConcurrentChanges(it)
    describeTransitions(it)
    describeLanes(it, current)
    describeDestinations(it, current)
    describeExternalIds(it)
    describeUpserts(it)
    describeLeases(it)
    describeChanging(it)
    describeDeleting(it)
    describeMoves(it)
    describeOccasions(it)
    describeOccasionConflicts(it)
    describeKeyedIds(it)
    describeRemoving(it)
    describeTasks(it)
    describePlans(it)
    describePruning(it)
    describeReading(it, current)
    describePeopleLists(it, current)
    describeReplaying(it)
    describeFailures(it)
    describeOverview(it)
    describeWorkers(it)
    describeAudit(it)
    describeLedger(it)
    describeSettings(it)
    describeZones(it)
    describeFeeds(it)
  })
}

/** Fails on an operation that returns a query builder: each `await` of one runs its statement again. */
function requirePromises(store: Store): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const operation = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        const result = operation.apply(target, args)
        if (!(result instanceof Promise)) throw new Error(`${name} returned a query instead of a promise.`)
        return result
      }
    },
  })
}
