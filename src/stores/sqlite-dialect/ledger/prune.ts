// Removes lines of old days and old entries of the journal, a few at a time.
import type { LedgerPrune } from '../../../ports/store.ts'
import { pruneStatements } from '../../shared/ledger/prune.ts'
import type { Executor } from '../executor.ts'

const statementsOf = pruneStatements({ schema: '', at: (number) => `?${number}`, instant: (at) => at })

export async function pruneLedger(executor: Executor, what: LedgerPrune): Promise<number> {
  const statements = statementsOf(what).map(({ text, values }) => ({ sql: text, params: values }))
  const [, lines, entries] = await executor.batch(statements, { erases: true })
  return lines!.changes + entries!.changes
}
