// What the use cases of the ledger need.
import type { Planner } from '../../engine/plan.ts'
import type { Clock } from '../../ports/clock.ts'
import type { HistoryStore, LedgerStore, OccasionStore, UserStore, ZoneStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

export type LedgerDeps = {
  store: LedgerStore & HistoryStore & OccasionStore & UserStore & ZoneStore
  clock: Clock
  planner: Planner
  telemetry: Telemetry
}

/** Asked after each step; false leaves the rest to another call. */
export type MayContinue = () => boolean | Promise<boolean>
