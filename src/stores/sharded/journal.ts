// The journal. Entries of people and of timezones are in the shards; those of channels and limits are in the registry.
import type { EntryOf, JournalEntry, JournalKind } from '../../domain/ledger/journal.ts'
import type { LedgerStore, Store } from '../../ports/store.ts'
import { inParallel, type Routes } from './routes.ts'

type Journal = Pick<LedgerStore, 'readJournal' | 'findDeletions' | 'recordLimits'>

const OF_REGISTRY: readonly JournalKind[] = ['channel-changed', 'limits-changed']

/** Added to the numbers of the registry: those of shards are smaller. */
const REGISTRY_NUMBERS = 2 ** 52
const MOST_SHARDS = 4_096

/**
 * The number of a deletion over all shards, for a line that has no other trace of its shard. The entry stays in the shard that it
 * was written in. Those of a shard are below 2 ** 40 (src/stores/durable-object/bucket-rows.ts).
 */
export const deletionNumber = (number: number, shard: number) => number * MOST_SHARDS + shard

export function journalOperations(registry: Store, { each, store }: Routes): Journal {
  const inRegistry = <E extends JournalEntry>(entries: readonly E[]) =>
    entries.map((entry) => ({ ...entry, number: entry.number + REGISTRY_NUMBERS }))

  return {
    async readJournal<K extends JournalKind>({ kinds, from }: { kinds: readonly K[]; from: number }) {
      const [ofRegistry, ofShards] = [true, false].map((is) =>
        kinds.filter((kind) => OF_REGISTRY.includes(kind) === is),
      ) as [K[], K[]]
      const found = await Promise.all([
        ofRegistry.length === 0 ? [] : registry.readJournal({ kinds: ofRegistry, from }).then(inRegistry),
        ofShards.length === 0 ? [] : each((store) => store.readJournal({ kinds: ofShards, from })),
      ])
      const entries = found.flat(2) as EntryOf<K>[]
      return firstOfEachZone(entries.sort((a, b) => a.at - b.at || a.number - b.number))
    },

    async findDeletions(numbers) {
      const byShard = Map.groupBy(numbers, (number) => number % MOST_SHARDS)
      const found = await inParallel([...byShard], async ([shard, some]) => {
        const own = some.map((number) => Math.floor(number / MOST_SHARDS))
        const entries = await store(shard).findDeletions(own)
        return entries.map((entry) => ({ ...entry, number: deletionNumber(entry.number, shard) }))
      })
      return found.flat()
    },

    recordLimits: (limits, at) => registry.recordLimits(limits, at),
  }
}

/** Each shard records by itself which rules it plans by. Of entries with equal rules the first one stays. */
function firstOfEachZone<E extends JournalEntry>(entries: readonly E[]): E[] {
  const inForce = new Map<string, string>()
  return entries.filter((entry) => {
    if (entry.kind !== 'zone-changed') return true
    const after = JSON.stringify(entry.after)
    const isKnown = inForce.get(entry.zone) === after
    inForce.set(entry.zone, after)
    return !isKnown
  })
}
