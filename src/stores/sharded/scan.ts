// Pages of all records for a caller that needs no order: one shard after the other, so that a page costs one call and not one
// for each shard. The cursor is an id, whose bucket is that of the shard. It is valid while the number of shards stays.
import { bucketFrom, bucketOf, shardOf } from '../../domain/events/bucket.ts'
import type { Page } from '../../ports/query.ts'
import type { Store } from '../../ports/store.ts'
import type { Routes } from './routes.ts'

export async function scanShards<T>(
  { count, store }: Pick<Routes, 'count' | 'store'>,
  { limit, cursor }: { limit: number; cursor: string | null },
  read: (store: Store, page: { limit: number; cursor: string | null }) => Promise<Page<T>>,
): Promise<Page<T>> {
  const shards = count()
  const items: T[] = []
  let from = cursor ?? startOf(0)
  for (let index = shardOf(bucketOf(from), shards); index < shards; index += 1) {
    if (items.length === limit) return { items, nextCursor: from }
    const page = await read(store(index), { limit: limit - items.length, cursor: from })
    items.push(...page.items)
    if (page.nextCursor !== null) return { items, nextCursor: page.nextCursor }
    from = startOf(index + 1)
  }
  return { items, nextCursor: null }
}

/** Comes before every id of the shard. */
function startOf(index: number): string {
  return `00000000-0000-0000-0000-00000000${bucketFrom(index)}`
}
