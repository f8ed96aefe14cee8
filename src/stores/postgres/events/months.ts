// The partitions of the history, one for each month of the ids. Functions of the database create and drop them: the role of a process
// has no right to change a table.
import type { Connection } from '../connection.ts'
import { atMs } from '../instant.ts'
import { patiently } from '../migrations/patiently.ts'

export type Month = { name: string; fromId: string; beforeId: string }

/** Whether it has only the rows that stayed when its month was dropped. */
export const isKept = ({ name }: Month) => name.endsWith('_kept')

/** Most events of the last day of a month are settled by the end of the day after it. */
export const MONTH_MARGIN_MS = 24 * 3_600_000

/** Rows that stay are copied while erasures of people in the month wait: about a second. The function has the number too. */
export const MAX_KEPT = 50_000

/** Oldest first. */
export async function readMonths(
  connection: Connection,
  of: 'settled_events' | 'payloads',
): Promise<Month[]> {
  const text = 'SELECT name, from_id, before_id FROM terce.history_months($1) ORDER BY before_id'
  const rows = await connection.query({ text, values: [of] })
  return rows.map(([name, fromId, beforeId]) => ({ name, fromId, beforeId }) as Month)
}

/** The next run creates a month that this one did not. */
const CREATE = { attempts: 5, blocked: 'a new month of the history' }

/** Creates the partitions of this month and the next ones. An event of another month is stored in the default partition. */
export async function createMonths(connection: Connection): Promise<void> {
  const create = () => connection.query({ text: 'SELECT terce.create_history_month()', values: [] })
  for (;;) {
    const [row] = await patiently(connection, create, CREATE)
    if (row![0] === null) return
  }
}

/** False if more rows must stay than can be copied under its lock. */
export async function dropMonth(
  connection: Connection,
  { name, kept, searchedAt }: { name: string; kept: readonly string[]; searchedAt: number },
): Promise<boolean> {
  const text = `SELECT terce.drop_history_month($1, $2::uuid[], ${atMs('$3')})`
  const drop = () => connection.query({ text, values: [name, `{${kept.join()}}`, searchedAt] })
  const [row] = await patiently(connection, drop, { blocked: `the drop of ${name}` })
  return row![0] === true
}
