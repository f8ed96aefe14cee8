// Writes a page of an account: its lines, the occasions it saw first and its progress, in one batch.
import type { LedgerStore } from '../../../ports/store.ts'
import { nameList, rowsOf } from '../../shared/columns/columns.ts'
import { additions, isAllowed, LINE } from '../../shared/ledger/line-row.ts'
import type { Executor } from '../executor.ts'

// The last statement of the batch moves the cursor. The others require it where the account began; each row carries it, because a
// statement over rows has no other parameters.
const IS_CURRENT = `EXISTS (SELECT 1 FROM ledger_days AS d
    WHERE d.day = ref.day AND d.closed_at IS NULL AND d.cursor IS ref.from_cursor)`

const INSERT_LINES = `INSERT INTO ledger_lines (${nameList(LINE)}) SELECT ${nameList(LINE)} FROM {rows} AS ref
  WHERE ${IS_CURRENT} AND ${isAllowed('')}`

const INSERT_SEEN = `INSERT INTO ledger_occasions (occasion_id) SELECT ref.occasion_id FROM {rows} AS ref
  WHERE ${IS_CURRENT} AND EXISTS (SELECT 1 FROM occasions AS o WHERE o.id = ref.occasion_id) ON CONFLICT DO NOTHING`

export async function saveAccountPage(
  executor: Executor,
  page: Parameters<LedgerStore['saveAccountPage']>[0],
): Promise<boolean> {
  const { day, from, to, lines, newlySeen } = page
  const added = additions(page)
  // Closing the day is durable. An account that lost its last pages goes on before them.
  const results = await executor.batch(
    [
      {
        sql: INSERT_LINES,
        columns: [...Object.keys(LINE), 'from_cursor'],
        rows: rowsOf(LINE, lines).map((row) => [...row, from]),
      },
      {
        sql: INSERT_SEEN,
        columns: ['occasion_id', 'day', 'from_cursor'],
        rows: newlySeen.map((id) => [id, day, from]),
      },
      {
        sql: `UPDATE ledger_days SET cursor = ?, ${added.map(([name]) => `${name} = ${name} + ?`).join(', ')}
        WHERE day = ? AND closed_at IS NULL AND cursor IS ?`,
        params: [to, ...added.map(([, count]) => count), day, from],
      },
    ],
    { durable: false },
  )
  return results.at(-1)!.changes === 1
}
