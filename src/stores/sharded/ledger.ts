// The ledger over shards. The lines of a page and its progress are written to the shard of its people in one transaction: of a page
// that two processes compute, one is saved. The registry has the days and their seals.
import { type LedgerCounts, noCounts } from '../../domain/ledger/line.ts'
import type { LedgerDay, LedgerStore, Store } from '../../ports/store.ts'
import { mergePages } from './merge.ts'
import type { Routes } from './routes.ts'
import { compareText } from './user-order.ts'

type Operations = Pick<
  LedgerStore,
  | ('readAccounts' | 'readAccount' | 'listVanished')
  | ('saveAccountPage' | 'closeLedgerDay' | 'listLedgerDays')
  | ('listLedgerLines' | 'findLedgerLines' | 'pruneLedger')
>

export function ledgerOperations(registry: Store, routes: Routes): Operations {
  const { count, store, of, all, each, upTo } = routes
  return {
    async readAccounts({ cursor, ...query }) {
      const place = placeIn(cursor, count())!
      const page = await store(place.shard).readAccounts({ ...query, cursor: place.cursor })
      return { ...page, nextCursor: nextPlace(place, page.nextCursor) }
    },
    readAccount: (query) => of(query.occasionId).readAccount(query),
    async listVanished({ cursor, ...query }) {
      const place = placeIn(cursor?.replace('#', '@') ?? null, count())!
      const page = await store(place.shard).listVanished({ ...query, cursor: place.cursor })
      // Another mark: it does not stand for people in the progress of an account.
      return { ...page, nextCursor: nextPlace(place, page.nextCursor)?.replace('@', '#') ?? null }
    },

    async saveAccountPage(page) {
      // The caller may put a word before the cursor of `readAccounts`. Pages that come after all people belong to the last shard.
      const place = placeIn(page.from, count())
      const shard = place?.shard ?? count() - 1
      const isFirst = place?.cursor === null
      if (isFirst) {
        const [day] = await registry.listLedgerDays({ from: page.day, to: page.day, limit: 1 })
        if (day === undefined || day.closedAt !== null) return false
        await store(shard).openLedgerDay(day)
      }
      return store(shard).saveAccountPage({ ...page, from: isFirst ? null : page.from })
    },
    // The shards first: from then on an erasure keeps the commitments of the day. The registry decides who closes it.
    async closeLedgerDay(seal) {
      await each((shard) => shard.closeLedgerDay(seal))
      return registry.closeLedgerDay(seal)
    },
    async listLedgerDays(query) {
      const days = await registry.listLedgerDays(query)
      return Promise.all(days.map((day) => (day.closedAt === null ? progressOf(day, routes) : day)))
    },

    listLedgerLines: (query) =>
      mergePages({
        ...query,
        reads: all().map((shard) => (page) => shard.listLedgerLines({ ...query, ...page })),
        parse: (commitment) => commitment,
        compare: compareText,
        placeOf: ({ commitment }) => commitment,
      }),
    // The registry first: from then on the days need no lines.
    async pruneLedger(prune) {
      const removed = await registry.pruneLedger(prune)
      return removed + (await upTo(prune.limit, (shard, limit) => shard.pruneLedger({ ...prune, limit })))
    },
    // Lines of an occasion that vanished are in the shard that was accounted last.
    async findLedgerLines(eventId) {
      const lines = (await each((shard) => shard.findLedgerLines(eventId))).flat()
      return lines.sort((a, b) => compareText(a.day, b.day))
    },
  }
}

/** A place in a scan of all shards: a shard, and the cursor in it. */
type Place = { shards: number; shard: number; cursor: string | null }

const PLACE = /@(\d+)\/(\d+) (.*)$/

function placeIn(text: string | null, shards: number): Place | null {
  if (text === null) return { shards, shard: 0, cursor: null }
  const found = PLACE.exec(text)
  if (found === null) return null
  const [, shard, of, cursor] = found
  // People have moved between shards: the account would have some of them twice.
  if (Number(of) !== shards)
    throw new Error(`An account was begun with ${of} shards, and there are ${shards}.`)
  return { shards, shard: Number(shard), cursor: cursor! === '' ? null : cursor! }
}

/** The place after a page that ended at this cursor of its shard. */
function nextPlace({ shards, shard }: Place, cursor: string | null): string | null {
  if (cursor !== null) return `@${shard}/${shards} ${cursor}`
  return shard + 1 < shards ? `@${shard + 1}/${shards} ` : null
}

/** The day with the cursor and the sums of its shards, of which each one begins when the one before has ended. */
async function progressOf(day: LedgerDay, { each }: Routes): Promise<LedgerDay> {
  const only = { from: day.day, to: day.day, limit: 1 }
  const parts = (await each((shard) => shard.listLedgerDays(only))).flat()
  const sums = { ...noCounts(), people: 0 }
  for (const part of parts) for (const name of COUNTS) sums[name] += part[name]
  return { ...day, ...sums, cursor: parts.at(-1)?.cursor ?? null }
}

const COUNTS = [...(Object.keys(noCounts()) as (keyof LedgerCounts)[]), 'people'] as const
