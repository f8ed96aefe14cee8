// Removes lines of old days and old entries of the journal, a few at a time.
import { dayName } from '../../../domain/ledger/day.ts'
import type { LedgerPrune } from '../../../ports/store.ts'
import { deleteEntries, deleteLines, markPruned } from '../../shared/ledger/prune.ts'
import type { Executor } from '../executor.ts'

const MARK = markPruned({ schema: '', day: '?1', instant: '?2' })
const LINES = deleteLines({ schema: '', day: '?1', limit: '?2' })
const ENTRIES = deleteEntries({ schema: '', day: '?1', instant: '?2', limit: '?3' })

export async function pruneLedger(
  executor: Executor,
  { linesBefore, entriesBefore, at, limit }: LedgerPrune,
): Promise<number> {
  const statements = [
    { sql: MARK, params: [linesBefore, at] },
    { sql: LINES, params: [linesBefore, limit] },
    { sql: ENTRIES, params: [dayName(entriesBefore), entriesBefore, limit] },
  ]
  const [, lines, entries] = await executor.batch(statements, { erases: true })
  return lines!.changes + entries!.changes
}
