// One page of a list in a global order, from the pages of all shards. A cursor is a place in the order, which every shard
// understands. Each shard is asked for its likely share of the page, and again if that was too little: 500 people of 256 shards
// are 256 calls that read some 2,500 rows, and not 128,000.
import type { Page } from '../../ports/query.ts'
import { inParallel } from './routes.ts'

export type Read<T> = (page: { limit: number; cursor: string | null }) => Promise<Page<T>>

type Entry<T, P> = { item: T; place: string; key: P }

type Source<T, P> = {
  read: Read<T>
  ahead: Entry<T, P>[]
  /** Where the next read continues; null after the last. */
  next: { cursor: string | null; limit: number } | null
}

/** A shard that filters may return an empty page with a cursor. After this many rounds the page is returned as it is. */
const MOST_ROUNDS = 12

export async function mergePages<T, P>(of: {
  reads: readonly Read<T>[]
  limit: number
  cursor: string | null
  parse: (place: string) => P
  compare: (a: P, b: P) => number
  /** The place of an item, unless the page has them. */
  placeOf?: (item: T) => string
  withPlaces?: boolean
}): Promise<Page<T>> {
  const { limit, parse, compare } = of
  const begin = { cursor: of.cursor, limit: Math.min(limit, shareOf(limit, of.reads.length)) }
  const sources = of.reads.map((read): Source<T, P> => ({ read, ahead: [], next: begin }))
  const taken: Entry<T, P>[] = []
  for (let round = 0; round < MOST_ROUNDS && taken.length < limit; round += 1) {
    const empty = sources.filter(({ ahead, next }) => ahead.length === 0 && next !== null)
    await inParallel(empty, (source) => fill(source, of))
    takeSafe(sources, taken, { limit, parse, compare })
    if (sources.every(({ ahead, next }) => ahead.length === 0 && next === null)) break
  }
  return {
    items: taken.map(({ item }) => item),
    nextCursor: cursorAfter(sources, taken, of),
    ...(of.withPlaces && { places: taken.map(({ place }) => place) }),
  }
}

/** What a shard rarely exceeds of a page, if people are spread at random: the mean and three standard deviations. */
function shareOf(limit: number, shards: number): number {
  const mean = limit / shards
  return Math.ceil(mean + 3 * Math.sqrt(mean) + 2)
}

async function fill<T, P>(
  source: Source<T, P>,
  { limit, parse, placeOf }: { limit: number; parse: (place: string) => P; placeOf?: (item: T) => string },
): Promise<void> {
  const { read, next } = source
  const page = await read(next!)
  source.ahead = page.items.map((item, i) => {
    const place = page.places?.[i] ?? placeOf!(item)
    return { item, place, key: parse(place) }
  })
  const more = Math.min(limit, 2 * next!.limit)
  source.next = page.nextCursor === null ? null : { cursor: page.nextCursor, limit: more }
}

/** Takes the least items while no shard can have a lesser one that was not read. */
function takeSafe<T, P>(
  sources: readonly Source<T, P>[],
  taken: Entry<T, P>[],
  { limit, parse, compare }: { limit: number; parse: (place: string) => P; compare: (a: P, b: P) => number },
): void {
  while (taken.length < limit) {
    let least: Source<T, P> | null = null
    for (const source of sources) {
      const [head] = source.ahead
      if (head !== undefined && (least === null || compare(head.key, least.ahead[0]!.key) < 0)) least = source
    }
    if (least === null) return
    const { key } = least.ahead[0]!
    const isUnsafe = sources.some(
      ({ ahead, next }) => ahead.length === 0 && next !== null && compare(parse(next.cursor!), key) < 0,
    )
    if (isUnsafe) return
    taken.push(least.ahead.shift()!)
  }
}

/** The last item of a full page or, where a filter made it short, the least place that a shard was read up to. */
function cursorAfter<T, P>(
  sources: readonly Source<T, P>[],
  taken: readonly Entry<T, P>[],
  { limit, parse, compare }: { limit: number; parse: (place: string) => P; compare: (a: P, b: P) => number },
): string | null {
  const left = sources.filter(({ ahead, next }) => ahead.length > 0 || next !== null)
  if (left.length === 0) return null
  if (taken.length === limit) return taken.at(-1)!.place
  const places = left.flatMap(({ next }) => (next === null ? [] : [next.cursor!]))
  return places.reduce((least, place) => (compare(parse(place), parse(least)) < 0 ? place : least))
}
