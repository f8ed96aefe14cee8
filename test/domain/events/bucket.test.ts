// Buckets: stable, evenly spread, and kept in their shard or moved to one other when the number of shards doubles.
import { expect, it } from 'vitest'
import { bucketOf, bucketOfText, isShardCount, shardOf } from '../../../src/domain/events/bucket.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { seededDice } from '../../support/fixtures.ts'

it('puts an external id into the bucket that earlier releases put it into', () => {
  const texts = ['', 'a', 'crm-4711', 'Łódź', '寿', '018f3c4e-7a10-7000-8000-000000000001']
  expect(texts.map(bucketOfText)).toEqual(['1cd9', 'fb60', 'fc11', '7bd9', 'f212', 'ee8c'])
})

it.each([
  ['numbered external ids', (i: number) => bucketOfText(`crm-${i}`)],
  [
    'external ids that are UUIDs with equal ends',
    (i: number) => bucketOfText(`${i}-7a10-7000-8000-0242ac120002`),
  ],
  ['e-mail addresses', (i: number) => bucketOfText(`person${i}@example.com`)],
  ...[1, 2, 3, 4, 8].map((step) => [
    `people without an external id who take ${step} ids each`,
    spreadBy(step),
  ]),
] as [string, (i: number) => string][])('spreads %s evenly over 256 shards', (_, bucket) => {
  const counts = new Array<number>(256).fill(0)
  for (let i = 0; i < 256 * 400; i++) counts[shardOf(bucket(i), 256)]! += 1
  // Six standard deviations of 400 people thrown at random.
  expect(Math.min(...counts)).toBeGreaterThan(280)
  expect(Math.max(...counts)).toBeLessThan(520)
})

function spreadBy(step: number): (i: number) => string {
  const ids = createIds(seededDice(step))
  return () => {
    const id = ids(0)
    for (let further = 1; further < step; further++) ids(0)
    return bucketOf(id)
  }
}

it('leaves a bucket in its shard or moves it by the old number of shards when that number doubles', () => {
  const buckets = Array.from({ length: 0x1_0000 }, (_, value) => value.toString(16).padStart(4, '0'))
  const moves = buckets.map((bucket) => shardOf(bucket, 128) - shardOf(bucket, 64))
  expect(new Set(moves)).toEqual(new Set([0, 64]))
})

it('accepts powers of two up to the number of buckets as numbers of shards', () => {
  expect([1, 2, 4, 256, 65_536].map(isShardCount)).toEqual([true, true, true, true, true])
  expect([0, -2, 3, 2.5, 131_072, Number.NaN].map(isShardCount)).toEqual(Array(6).fill(false))
})
