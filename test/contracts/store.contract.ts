// What every store promises. Uses nothing but the port, and no instant later than 2021 as now: a store may trust
// its own clock over a caller's that runs ahead.
import { afterEach, beforeEach, describe } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import { describeBatches } from './store/batches.ts'
import { describeChanging } from './store/changing.ts'
import { describeClaiming } from './store/claiming.ts'
import { describeCreating } from './store/creating.ts'
import { describeDeleting } from './store/deleting.ts'
import { describeExternalIds } from './store/external-ids.ts'
import { describeFailures } from './store/failures.ts'
import { describeFeeds } from './store/feeds.ts'
import { describeFreezing } from './store/freezing.ts'
import { describeLeases } from './store/leases.ts'
import { describeOccasionConflicts } from './store/occasion-conflicts.ts'
import { describeOccasionResponses } from './store/occasion-responses.ts'
import { describeOccasions } from './store/occasions.ts'
import { describeOverview } from './store/overview.ts'
import { describePlans } from './store/plans.ts'
import { describePruning } from './store/pruning.ts'
import { describeReading } from './store/reading.ts'
import { describeRegistry } from './store/registry.ts'
import { describeRemoving } from './store/removing.ts'
import { describeReplaying } from './store/replaying.ts'
import { describeRivals } from './store/rivals.ts'
import { describeSettling } from './store/settling.ts'
import { describeTasks } from './store/tasks.ts'
import { describeZones } from './store/zones.ts'

/** An empty database of its own for each test. */
export type StoreUnderTest = {
  store: Store
  /** A second connection to the same database. */
  another(): Promise<Store>
  /** A real process that claims in batches until nothing is left, and the ids it got. */
  spawnClaimer?(claim: { now: number; limit: number }): Promise<string[]>
  /** Closes every connection and removes the database. */
  cleanup(): Promise<void>
}

/** The store of the test that is running. */
export type Current = () => StoreUnderTest

/** `onlyTheRoad`: the statements are another store's, which passes all of this; what is new is the road to them. */
export function describeStoreContract(
  name: string,
  open: () => Promise<StoreUnderTest>,
  how: { onlyTheRoad: boolean } = { onlyTheRoad: false },
): void {
  describe(`the ${name} store`, () => {
    let underTest: StoreUnderTest
    beforeEach(async () => {
      underTest = await open()
    })
    afterEach(() => underTest.cleanup())

    const current: Current = () => underTest
    describeCreating(current)
    describeClaiming(current)
    describeFreezing(current)
    describeSettling(current)
    describeBatches(current)
    describeRivals(current)
    if (how.onlyTheRoad) return
    describeExternalIds(current)
    describeLeases(current)
    describeChanging(current)
    describeDeleting(current)
    describeOccasions(current)
    describeOccasionConflicts(current)
    describeOccasionResponses(current)
    describeRemoving(current)
    describeTasks(current)
    describePlans(current)
    describePruning(current)
    describeReading(current)
    describeReplaying(current)
    describeFailures(current)
    describeOverview(current)
    describeRegistry(current)
    describeZones(current)
    describeFeeds(current)
  })
}
