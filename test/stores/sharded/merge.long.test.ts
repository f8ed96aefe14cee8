// Pages merged from several shards: every item once, in order, also if a shard returns short or empty pages with a cursor.
import { expect, it } from 'vitest'
import type { Page } from '../../../src/ports/query.ts'
import { mergePages, type Read } from '../../../src/stores/sharded/merge.ts'
import { inParallel } from '../../../src/stores/sharded/routes.ts'
import { compareText } from '../../../src/stores/sharded/user-order.ts'
import { seededDice, shuffled } from '../../support/fixtures.ts'

type Item = { id: string; isWanted: boolean }

/** Tries the filter on so many items for each call, as a store does. */
function readOf(items: readonly Item[], scanned: number, calls: number[]): Read<Item> {
  return async ({ limit, cursor }): Promise<Page<Item>> => {
    calls.push(limit)
    const after = items.filter(({ id }) => cursor === null || id > cursor)
    const found = after.slice(0, scanned).filter(({ isWanted }) => isWanted)
    const end = after.length > scanned ? after[scanned - 1]!.id : null
    const isFull = found.length > limit
    return { items: found.slice(0, limit), nextCursor: isFull ? found[limit - 1]!.id : end }
  }
}

async function everyPage(reads: readonly Read<Item>[], limit: number): Promise<Item[][]> {
  const pages: Item[][] = []
  let cursor: string | null = null
  do {
    const order = { parse: (id: string) => id, compare: compareText, placeOf: ({ id }: Item) => id }
    const page: Page<Item> = await mergePages({ reads, limit, cursor, ...order })
    pages.push(page.items)
    cursor = page.nextCursor
  } while (cursor !== null && pages.length < 10_000)
  return pages
}

it.each([
  [1, 1, 1_000],
  [4, 7, 1_000],
  [16, 10, 3],
  [16, 50, 20],
  [64, 25, 1],
])(
  'has every item once and in order from %i shards with pages of %i, where a shard scans %i at once',
  async (shards, limit, scanned) => {
    const dice = seededDice(shards + limit)
    const items = Array.from({ length: 600 }, (_, i) => ({
      id: String(i).padStart(4, '0'),
      isWanted: dice() < 0.3,
    }))
    const parts = Map.groupBy(items, () => Math.floor(dice() * shards))
    const reads = Array.from({ length: shards }, (_, i) => readOf(parts.get(i) ?? [], scanned, []))
    const pages = await everyPage(reads, limit)
    expect(pages.flat()).toEqual(items.filter(({ isWanted }) => isWanted))
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(limit)
    // Without a bound on what is scanned, only the last page is short.
    if (scanned >= items.length) expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
  },
)

it('asks each shard for its share of a page, and again only a shard that has more', async () => {
  const items = Array.from({ length: 5_000 }, (_, i) => ({ id: String(i).padStart(5, '0'), isWanted: true }))
  const mixed = shuffled(items, seededDice(1))
  const calls: number[] = []
  const reads = Array.from({ length: 50 }, (_, shard) =>
    readOf(
      mixed.filter((_, i) => i % 50 === shard).sort((a, b) => (a.id < b.id ? -1 : 1)),
      9_999,
      calls,
    ),
  )
  const order = { parse: (id: string) => id, compare: compareText, placeOf: ({ id }: Item) => id }
  const page = await mergePages({ reads, limit: 500, cursor: null, ...order })
  expect(page.items).toEqual(items.slice(0, 500))
  expect(calls.length).toBeLessThan(60)
  expect(calls.reduce((sum, limit) => sum + limit, 0)).toBeLessThan(1_500)
})

it('compares text by code points, as SQLite does', () => {
  const texts = ['ﬁona', '😀', 'ada', 'ad', 'Zoë', 'émile', '😁', '']
  const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(texts.toSorted(compareText)).toEqual(byBytes)
  expect(texts.toSorted()).not.toEqual(byBytes)
})

it('begins no further call after an error', async () => {
  let calls = 0
  const failing = inParallel(Array.from({ length: 100 }), async () => {
    calls += 1
    throw new Error('down')
  })
  await expect(failing).rejects.toThrow('down')
  expect(calls).toBeLessThanOrEqual(32)
})
