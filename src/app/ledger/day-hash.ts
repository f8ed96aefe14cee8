// Reads the counts and the hash of a day from its lines.
import { addLine, hashOfDay, NO_PREVIOUS } from '../../domain/ledger/day-hash.ts'
import { countLine, type LedgerCounts, noCounts, type StoredLine } from '../../domain/ledger/line.ts'
import type { LedgerDay, LedgerStore } from '../../ports/store.ts'
import { linesOf } from './stored-day.ts'

type Reads = Pick<LedgerStore, 'listLedgerDays' | 'listLedgerLines'>

/** `previous`: the hash of the day before. `lines`: the hash with all lines of the day. `last`: the last of them. */
type Read = { counts: LedgerCounts; previous: string; lines: string; last: StoredLine | null }

export async function readLinesOf(store: Reads, day: string): Promise<Read> {
  const counts = noCounts()
  const previous = await hashBefore(store, day)
  let lines = previous
  let last: StoredLine | null = null
  for await (const line of linesOf(store, day)) {
    countLine(counts, line)
    lines = addLine(lines, line)
    last = line
  }
  return { counts, previous, lines, last }
}

/** The hash that the stored rows of a closed day give; null if its lines were pruned. */
export async function recomputeHash(store: Reads, day: LedgerDay): Promise<string | null> {
  if (day.prunedAt !== null) return null
  return hashOfDay((await readLinesOf(store, day.day)).lines, day)
}

/** The hash of the last closed day before this one. */
export async function hashBefore(store: Pick<LedgerStore, 'listLedgerDays'>, day: string): Promise<string> {
  const before = (await store.listLedgerDays({ to: day, limit: 2 })).find((one) => one.day < day)
  return before?.hash ?? NO_PREVIOUS
}
