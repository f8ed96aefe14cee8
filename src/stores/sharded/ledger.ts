// The ledger over shards. Each shard accounts for its own people and has their lines; the registry has the days and their seals.
import type { LedgerStore, Store } from '../../ports/store.ts'
import { mergePages } from './merge.ts'
import type { Routes } from './routes.ts'
import { compareText } from './user-order.ts'

type Operations = Pick<
  LedgerStore,
  | ('readAccounts' | 'findAccounts' | 'listVanished' | 'saveAccountPage')
  | ('listLedgerLines' | 'findLedgerLines' | 'pruneLedger')
>

async function onlyInShard(): Promise<never> {
  throw new Error('Only a shard accounts for its people.')
}

export function ledgerOperations(registry: Store, { of, all, split, upTo }: Routes): Operations {
  return {
    readAccounts: onlyInShard,
    listVanished: onlyInShard,
    async findAccounts({ occasionIds, ...query }) {
      const parts = split(
        occasionIds,
        (id) => id,
        (shard, some) => shard.findAccounts({ ...query, occasionIds: some }),
      )
      return (await parts).flat()
    },
    /** The progress of all shards: a page without lines. */
    saveAccountPage: (page) => (page.lines.length > 0 ? onlyInShard() : registry.saveAccountPage(page)),

    listLedgerLines: (query) =>
      mergePages({
        ...query,
        reads: all().map((shard) => (page) => shard.listLedgerLines({ ...query, ...page })),
        parse: (commitment) => commitment,
        compare: compareText,
        placeOf: ({ commitment }) => commitment,
      }),
    async findLedgerLines(eventId) {
      return (await of(eventId).findLedgerLines(eventId)).sort((a, b) => compareText(a.day, b.day))
    },
    // The registry first: from then on the days need no lines.
    async pruneLedger(prune) {
      const removed = await registry.pruneLedger(prune)
      return removed + (await upTo(prune.limit, (shard, limit) => shard.pruneLedger({ ...prune, limit })))
    },
  }
}
