// Exports closed days as one file, which the verifier checks without the database.
import { type FileDay, ledgerFileText } from '../../domain/ledger/file.ts'
import { headerText } from '../../domain/ledger/seal.ts'
import type { LedgerDay, LedgerStore } from '../../ports/store/ledger.ts'
import { headerOf, pagesOf } from './stored-day.ts'

type Reads = Pick<LedgerStore, 'listLedgerDays' | 'listLedgerLines'>

/** The most days in one file. */
export const MOST_IN_FILE = 366

/** The text of the file in parts. `to` is closed; days of the range that are not closed or do not exist are left out. */
export async function* exportLedger(
  store: Reads,
  { from, to }: { from: string; to: string },
): AsyncGenerator<string> {
  const days = await store.listLedgerDays({ from, to, limit: MOST_IN_FILE })
  const files = days.reverse().flatMap((day) => fileDay(store, day))
  yield* ledgerFileText(files[0]?.publicKey ?? '', files)
}

function fileDay(store: Reads, day: LedgerDay): FileDay[] {
  const header = headerOf(day)
  if (header === null) return []
  const lines = day.prunedAt === null ? pagesOf(store, day.day) : null
  const { signature, publicKey } = day
  return [{ header: headerText(header), signature: signature ?? '', publicKey: publicKey ?? '', lines }]
}
