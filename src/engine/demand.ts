// How many events the worker claims next, and of which lanes. Remembers which lanes have more due than was claimed of them.
import type { LaneLimits } from '../domain/events/lane.ts'
import type { Claim } from '../ports/claim.ts'
import type { MonotonicClock } from '../ports/clock.ts'
import { backlogAfter, hasBacklog } from './deliver/lanes.ts'
import type { Sender } from './deliver/sender.ts'
import type { LeaseKeeper } from './leases.ts'
import { ageMs, type Moment } from './timing.ts'

export type Demand = { lanes: LaneLimits; limit: number; free: number }

export type Demands = {
  /** `most`: in all lanes together. */
  next(most: number): Demand
  /** A claim that began at that moment took these. */
  onClaimed(demand: Demand, claims: readonly Claim[], began: Moment): void
  hasBacklog(): boolean
  /** Whether a claim finds more of a lane with a backlog: so many at least. */
  findsMore(demand: Demand, least?: number): boolean
}

export function createDemands(
  { sender, leases, clock }: { sender: Sender; leases: LeaseKeeper; clock: MonotonicClock },
  batchSize: number,
): Demands {
  let backlog: ReadonlySet<number> = new Set()
  /** How long a claim takes: the mean of the last few. */
  let claimMs = 0

  return {
    // Also limits the worker to four batches, two in flight or being settled and two being claimed, beside those that wait for the
    // limit of a destination: these must not hold up the other destinations.
    next(most) {
      const { capacity, free, limited } = sender.room(claimMs)
      const isFull = leases.size() - limited > 2 * batchSize
      const limit = Math.max(1, Math.floor(Math.min(most, batchSize, capacity)))
      const of = { capacity: isFull ? 0 : capacity, backlog, limit }
      return { lanes: sender.queues.lanes(of, clock.now()), limit, free }
    },
    onClaimed({ lanes, limit }, claims, began) {
      backlog = backlogAfter(backlog, { ...lanes, limit }, claims)
      if (claims.length > 0) claimMs += (ageMs(clock, began) - claimMs) / 4
    },
    hasBacklog: () => backlog.size > 0,
    findsMore: ({ lanes }, least) => hasBacklog(lanes, backlog, least),
  }
}
