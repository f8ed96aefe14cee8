// Which shard a record belongs to. The last four hex digits of an id are its bucket, and all ids of a person share one.

/** Four hex digits: one of 65,536 buckets. */
export type Bucket = string

export function bucketOf(id: string): Bucket {
  return id.slice(-4)
}

/** A stable hash: people with an external id are found by it, so it must never change. FNV-1a of the UTF-16 code units. */
export function bucketOfText(text: string): Bucket {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  return bucketFrom((hash >>> 16) ^ hash)
}

/** The bucket of the low 16 bits of a number. */
export function bucketFrom(bits: number): Bucket {
  return (0x1_0000 | (bits & 0xffff)).toString(16).slice(1)
}

/** `count` is a power of two: when it doubles, a bucket stays in its shard or moves from shard s to s + count. */
export function shardOf(bucket: Bucket, count: number): number {
  return Number.parseInt(bucket, 16) % count
}

/** The numbers of shards that `shardOf` can divide the buckets by. */
export function isShardCount(count: number): boolean {
  return count >= 1 && count <= 0x1_0000 && Number.isInteger(Math.log2(count))
}
