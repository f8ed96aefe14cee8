// Which shard has a record: by the bucket of its id, of an external id, or all of them.
import { type Bucket, bucketFrom, bucketOf, shardOf } from '../../domain/events/bucket.ts'
import type { Store } from '../../ports/store.ts'

/** The stores of the shards. Their number is a power of two, and may double while the store is used. */
export type Shards = {
  count(): number
  store(index: number): Store
  /** Which shard has a bucket, and any bucket of a shard. By default buckets are divided by `shardOf`. */
  division?: { indexOf(bucket: Bucket): number; bucketIn(index: number): Bucket }
}

/** How many shards are called at once. */
const AT_ONCE = 32

export type Part<T> = { store: Store; items: T[] }

export type Routes = ReturnType<typeof routesTo>

export function routesTo(shards: Shards) {
  const { indexOf: indexAt, bucketIn } = shards.division ?? {
    indexOf: (bucket: Bucket) => shardOf(bucket, shards.count()),
    bucketIn: bucketFrom,
  }
  const all = () => Array.from({ length: shards.count() }, (_, index) => shards.store(index))

  /** The items by shard, in their order. */
  function parts<T>(items: readonly T[], bucketIn: (item: T) => Bucket): Part<T>[] {
    const byShard = Map.groupBy(items, (item) => indexAt(bucketIn(item)))
    return [...byShard].map(([index, some]) => ({ store: shards.store(index), items: some }))
  }

  return {
    all,
    parts,
    indexAt,
    bucketIn,
    count: () => shards.count(),
    store: (index: number) => shards.store(index),
    at: (bucket: Bucket) => shards.store(indexAt(bucket)),
    of: (id: string) => shards.store(indexAt(bucketOf(id))),

    each: <R>(call: (store: Store) => Promise<R>) => inParallel(all(), call),

    /** Calls each shard with its part of the items, which carry the id of their person or event. */
    split: <T, R>(
      items: readonly T[],
      idIn: (item: T) => string,
      call: (store: Store, items: T[]) => Promise<R>,
    ) =>
      inParallel(
        parts(items, (item) => bucketOf(idIn(item))),
        (part) => call(part.store, part.items),
      ),

    /** One shard after the other, each with what is left of the limit. Returns the sum. */
    async upTo(limit: number, call: (store: Store, limit: number) => Promise<number>): Promise<number> {
      let done = 0
      for (const store of all()) {
        if (done >= limit) break
        done += await call(store, limit - done)
      }
      return done
    },
  }
}

/** The results in the order of the items. After an error no further call begins. */
export async function inParallel<T, R>(items: readonly T[], call: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  async function work(): Promise<void> {
    while (next < items.length) {
      const index = next
      next += 1
      try {
        results[index] = await call(items[index]!)
      } catch (error) {
        next = items.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work))
  return results
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
