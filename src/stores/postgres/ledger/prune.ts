// Removes lines of old days and old entries of the journal, a few at a time.
import type { LedgerPrune } from '../../../ports/store.ts'
import { pruneStatements } from '../../shared/ledger/prune.ts'
import type { Connection } from '../connection.ts'
import { atMs } from '../instant.ts'

const statementsOf = pruneStatements({ schema: 'terce.', at: (number) => `$${number}`, instant: atMs })

export async function pruneLedger(connection: Connection, what: LedgerPrune): Promise<number> {
  const [mark, ...deletions] = statementsOf(what)
  await connection.query({ ...mark, values: [...mark.values] })
  let count = 0
  for (const { text, values } of deletions)
    count += (await connection.batch({ text: `${text} RETURNING 1`, values: [...values] })).length
  return count
}
