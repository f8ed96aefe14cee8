// Removes lines of old days and old entries of the journal, a few at a time.
import { dayName } from '../../../domain/ledger/day.ts'
import type { LedgerPrune } from '../../../ports/store.ts'
import { deleteEntries, deleteLines, markPruned } from '../../shared/ledger/prune.ts'
import type { Connection, Query } from '../connection.ts'
import { atMs } from '../instant.ts'

const MARK = markPruned({ schema: 'terce.', day: '$1', instant: atMs('$2') })
const LINES = deleteLines({ schema: 'terce.', day: '$1', limit: '$2' })
const ENTRIES = deleteEntries({ schema: 'terce.', day: '$1', instant: atMs('$2'), limit: '$3' })

/** Days are marked before their lines are deleted: a check in between finds a day that needs no lines. */
export async function pruneLedger(
  connection: Connection,
  { linesBefore, entriesBefore, at, limit }: LedgerPrune,
): Promise<number> {
  await connection.query({ text: MARK, values: [linesBefore, at] })
  const count = async ({ text, values }: Query) =>
    (await connection.batch({ text: `${text} RETURNING 1`, values })).length
  const lines = await count({ text: LINES, values: [linesBefore, limit] })
  return lines + (await count({ text: ENTRIES, values: [dayName(entriesBefore), entriesBefore, limit] }))
}
