// Pages of all records for a caller that needs no order: one shard after the other, so that a page costs one call and not one
// for each shard. The cursor is an id, whose bucket is that of the shard. It is valid while the number of shards stays.
import { bucketOf } from '../../domain/events/bucket.ts'
import type { Page } from '../../ports/query.ts'
import type { Store } from '../../ports/store.ts'
import type { Routes } from './routes.ts'

export async function scanShards<T>(
  { count, store, indexAt, bucketIn }: Pick<Routes, 'count' | 'store' | 'indexAt' | 'bucketIn'>,
  { limit, cursor }: { limit: number; cursor: string | null },
  read: (store: Store, page: { limit: number; cursor: string | null }) => Promise<Page<T>>,
): Promise<Page<T>> {
  const shards = count()
  const items: T[] = []
  /** Comes before every id of the shard. */
  const startOf = (index: number) => `00000000-0000-0000-0000-00000000${bucketIn(index)}`
  let from = cursor ?? startOf(0)
  for (let index = indexAt(bucketOf(from)); index < shards; index += 1) {
    if (items.length === limit) return { items, nextCursor: from }
    const page = await read(store(index), { limit: limit - items.length, cursor: from })
    items.push(...page.items)
    if (page.nextCursor !== null) return { items, nextCursor: page.nextCursor }
    from = startOf(index + 1)
  }
  return { items, nextCursor: null }
}
