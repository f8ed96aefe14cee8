// Writes a page of an account: its lines, the occasions it saw first and its progress, in one transaction.
import { LAST_STAGE } from '../../../domain/ledger/day.ts'
import type { LedgerStore } from '../../../ports/store.ts'
import { nameList } from '../../shared/columns/columns.ts'
import { additions, isAllowed, LINE } from '../../shared/ledger/line-row.ts'
import { arrays, unnest, uuids } from '../arrays.ts'
import type { Connection } from '../connection.ts'
import { AWAIT_ERASURES } from './journal.ts'

// A deletion of a person locks their occasions first: it waits for this transaction, and then finds its rows, or comes before it.
const LOCK_OCCASIONS = 'SELECT id FROM terce.occasions WHERE id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE'

const INSERT_LINES = `INSERT INTO terce.ledger_lines (${nameList(LINE)}) SELECT ${nameList(LINE)}
  FROM ${unnest(LINE)} WHERE ${isAllowed('terce.')}`

const INSERT_SEEN = `INSERT INTO terce.ledger_occasions (occasion_id) SELECT ref.occasion_id
  FROM unnest($1::uuid[]) AS ref (occasion_id) ON CONFLICT DO NOTHING`

export async function saveAccountPage(
  connection: Connection,
  page: Parameters<LedgerStore['saveAccountPage']>[0],
): Promise<boolean> {
  const { day, from, to, lines, newlySeen } = page
  const added = additions(page)
  const sums = added.map(([name], i) => `${name} = ${name} + $${i + 4}::int`)
  const progress = `UPDATE terce.ledger_days SET cursor = $3, ${sums.join(', ')}
    WHERE day = $1 AND closed_at IS NULL AND cursor IS NOT DISTINCT FROM $2 RETURNING day`
  return connection.byKeys(async (run) => {
    if (to.startsWith(LAST_STAGE)) await run(AWAIT_ERASURES)
    // First of the writes: a second writer waits here, and then finds another cursor.
    const [current] = await run({
      text: progress,
      values: [day, from, to, ...added.map(([, count]) => count)],
    })
    if (current === undefined) return false
    const named = new Set([...newlySeen, ...lines.flatMap(({ occasionId }) => occasionId ?? [])])
    const locked = named.size > 0 ? await run({ text: LOCK_OCCASIONS, values: [uuids([...named])] }) : []
    if (lines.length > 0) await run({ text: INSERT_LINES, values: arrays(LINE, lines) })
    const seen = new Set(newlySeen)
    const existing = locked.map(([id]) => id as string).filter((id) => seen.has(id))
    if (existing.length > 0) await run({ text: INSERT_SEEN, values: [uuids(existing)] })
    return true
  })
}
