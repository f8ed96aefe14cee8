// How a shard takes part in its own division: which calls it serves from both shards, and when its buckets move.
import { StoreUnavailableError } from '../../../domain/errors.ts'
import { bucketFrom } from '../../../domain/events/bucket.ts'
import type { Store } from '../../../ports/store.ts'
import { openShardedStore } from '../../../stores/sharded/sharded-store.ts'
import { remoteStore } from './calls.ts'
import { createGate } from './gate.ts'
import { type ObjectContext, type ShardedEnv, type SplitPlan, shardAt } from './object.ts'
import { beginSplit, hasMoved, isComplete, moveNext, newShardOf, readSplit, type Split } from './split.ts'

/** Buckets move for so long, then the shard delivers again. */
const MOVE_MS = 2_000

export type Splitting = {
  /** Runs a call of a caller that divides people by this number of shards, when no bucket is being moved. */
  run<T>(shards: number | undefined, call: (store: Store) => Promise<T>): Promise<T>
  /** Runs work on the people of this shard alone. */
  runOwn<T>(work: (store: Store) => Promise<T>): Promise<T>
  /** Whether this shard has the people of one of so many shards, and none of them is about to leave. */
  isDividedBy(shards: number): boolean
  /** True if the plan is carried out. */
  begin(plan: SplitPlan): boolean
  /** Moves buckets until an event is due. True if none is left to move. The engine must not run meanwhile. */
  moveBuckets(): Promise<boolean>
}

export function createSplitting(ctx: ObjectContext, env: ShardedEnv, own: Store): Splitting {
  const { storage } = ctx
  /** Closed while a bucket moves: a call would find it in neither shard, or in both. */
  const gate = createGate()
  const stubOf = (split: Split) => shardAt(env, newShardOf(split))
  const newShard = (split: Split) => remoteStore(() => stubOf(split), split.to)

  /** A caller with the number from before the division reaches both shards through this one, also afterwards. */
  function storeFor(shards: number | undefined): Store {
    const split = readSplit(storage)
    if (split === null || shards === split.to) return own
    if (split.unconfirmed !== null || (shards !== undefined && shards !== split.to / 2))
      throw new StoreUnavailableError('The people of this shard are being moved', 'SHARD_MOVING', null)
    const stores = [own, newShard(split)]
    const both = openShardedStore({
      shards: {
        count: () => (split.moved === 0 ? 1 : 2),
        store: (side) => stores[side]!,
        division: {
          indexOf: (bucket) => (hasMoved(split, bucket) ? 1 : 0),
          bucketIn: (side) => bucketFrom(side === 0 ? split.index : newShardOf(split)),
        },
      },
      registry: own,
    })
    // A deletion stays in the shard that it was written in.
    return { ...both, findDeletions: own.findDeletions }
  }

  return {
    run: (shards, call) => gate.pass(async () => call(storeFor(shards))),
    runOwn: (work) => gate.pass(() => work(own)),

    isDividedBy(shards) {
      const split = readSplit(storage)
      return split === null || (isComplete(split) && split.to === shards)
    },

    begin(plan) {
      const split = readSplit(storage)
      if (split?.to === plan.to) return isComplete(split)
      beginSplit(storage, plan)
      return false
    },

    async moveBuckets() {
      let split = readSplit(storage)
      if (split === null || isComplete(split)) return true
      const until = Date.now() + MOVE_MS
      // The new shard replans what was planned by older rules than its own.
      await newShard(split).saveZones(await own.listZones(), { at: Date.now(), onlyNew: true })
      while (!isComplete(split) && Date.now() < until) {
        const target = stubOf(split)
        split = await gate.close(() => moveNext(storage, target))
        if (((await own.nextWakeAt()) ?? until) <= Date.now()) break
      }
      return isComplete(split)
    },
  }
}
