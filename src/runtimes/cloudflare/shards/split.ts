// The division of a shard in two. Its buckets for the new shard move one at a time, in ascending order; at every instant exactly
// one of the two shards has a bucket. Meanwhile the old shard passes calls for moved buckets on.
import { type Bucket, bucketFrom } from '../../../domain/events/bucket.ts'
import {
  createBucketIndex,
  deleteBucket,
  findBucket,
  type RowsPart,
  readBucket,
  removeBucketIndex,
} from '../../../stores/durable-object/bucket-rows.ts'
import type { ObjectContext, ShardStub, SplitPlan } from './object.ts'

export type Split = SplitPlan & {
  /** How many of the buckets of the new shard have left, in their order. */
  moved: number
  /** The last of them, until the new shard has confirmed it. */
  unconfirmed: Bucket | null
}

const SPLIT = 'split'
const BUCKETS = 0x1_0000
/** Sent in one call: some 5 MB. */
const PARTS_PER_CALL = 16

type Storage = ObjectContext['storage']

/** Null if this shard was never split. */
export function readSplit({ kv }: Storage): Split | null {
  return kv.get<Split>(SPLIT) ?? null
}

export function beginSplit(storage: Storage, plan: SplitPlan): Split {
  createBucketIndex(storage)
  const split = { ...plan, moved: 0, unconfirmed: null }
  storage.kv.put(SPLIT, split)
  return split
}

export const isComplete = ({ moved, to, unconfirmed }: Split) =>
  moved === BUCKETS / to && unconfirmed === null

export const newShardOf = ({ index, to }: SplitPlan) => index + to / 2

/** Whether the bucket is in the new shard. */
export function hasMoved(split: Split, bucket: Bucket): boolean {
  const number = numberOf(split, bucket)
  return number !== null && number < split.moved
}

/** The place of the bucket in the order of moving; null for a bucket that stays. */
function numberOf(split: SplitPlan, bucket: Bucket): number | null {
  const value = Number.parseInt(bucket, 16)
  return value % split.to === newShardOf(split) ? Math.floor(value / split.to) : null
}

/** The next bucket for the new shard that has people. */
function nextBucket(storage: Storage, split: Split): Bucket | null {
  const target = newShardOf(split)
  let value = target + split.moved * split.to
  while (value < BUCKETS) {
    const bucket = findBucket(storage, bucketFrom(value))
    if (bucket === null || numberOf(split, bucket) !== null) return bucket
    // This bucket stays: continue with the first one after it that moves.
    value = target + Math.ceil((Number.parseInt(bucket, 16) - target) / split.to) * split.to
  }
  return null
}

/**
 * Moves the next bucket that has people. No call may run meanwhile. Safe to repeat after a stop at any point: the rows are kept
 * aside in the new shard, then deleted here together with the record of the move, then inserted there.
 */
export async function moveNext(storage: Storage, target: ShardStub): Promise<Split> {
  let split = await confirm(storage, readSplit(storage)!, target)
  const bucket = nextBucket(storage, split)
  if (bucket === null) {
    split = { ...split, moved: BUCKETS / split.to }
    storage.kv.put(SPLIT, split)
    removeBucketIndex(storage)
    return split
  }
  await send(target, bucket, readBucket(storage, bucket))
  split = { ...split, moved: numberOf(split, bucket)! + 1, unconfirmed: bucket }
  storage.transactionSync(() => {
    deleteBucket(storage, bucket)
    storage.kv.put(SPLIT, split)
  })
  return confirm(storage, split, target)
}

async function send(target: ShardStub, bucket: Bucket, parts: readonly RowsPart[]): Promise<void> {
  for (let first = 0; first < parts.length; first += PARTS_PER_CALL)
    await target.receive(bucket, first, parts.slice(first, first + PARTS_PER_CALL))
}

async function confirm(storage: Storage, split: Split, target: ShardStub): Promise<Split> {
  if (split.unconfirmed === null) return split
  await target.admit(split.unconfirmed, split.to)
  const confirmed = { ...split, unconfirmed: null }
  storage.kv.put(SPLIT, confirmed)
  return confirmed
}
