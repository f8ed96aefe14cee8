// Statements that remove lines of pruned days and old entries of the journal.
import { dayName } from '../../../domain/ledger/day.ts'
import type { JournalKind } from '../../../domain/ledger/journal.ts'
import type { LedgerPrune } from '../../../ports/store.ts'

/** Kept for ever: a plan may be older than any age, and these are few. */
const KEPT: readonly JournalKind[] = ['zone-changed', 'limits-changed']

const LAST = '9223372036854775807'

/** How a dialect writes the name of a table, the parameters by number, and an instant. */
type Dialect = { schema: '' | 'terce.'; at(number: number): string; instant(parameter: string): string }

/** Marks days before it deletes their lines, so that a check in between finds a day that needs none, and then deletes entries. */
export function pruneStatements({ schema, at, instant }: Dialect) {
  const [day, then, limit] = [at(1), instant(at(2)), at(3)]
  /**
   * An occasion with an end, or a task, may have been planned by its first state: their entries stay until the end or the due
   * time. The search stops at the first entry that is not old.
   */
  const isAhead = (
    id: string,
    ofTask: string,
  ) => `EXISTS (SELECT 1 FROM ${schema}occasions AS o WHERE o.${id} AND o.until >= ${day})
      OR EXISTS (SELECT 1 FROM ${schema}tasks AS t WHERE t.${ofTask} AND t.due_at >= ${then})`
  const mark = `UPDATE ${schema}ledger_days SET pruned_at = ${then}
    WHERE day < ${day} AND closed_at IS NOT NULL AND pruned_at IS NULL`
  const lines = `DELETE FROM ${schema}ledger_lines WHERE (day, number) IN
    (SELECT day, number FROM ${schema}ledger_lines WHERE day < ${day} ORDER BY day, number LIMIT ${at(2)})`
  const entries = `DELETE FROM ${schema}journal WHERE number IN (SELECT j.number FROM ${schema}journal AS j
    WHERE j.at < ${then} AND j.kind NOT IN (${KEPT.map((kind) => `'${kind}'`).join(', ')})
      AND j.number < coalesce((SELECT number FROM ${schema}journal WHERE at >= ${then} ORDER BY number LIMIT 1), ${LAST})
      AND NOT (${isAhead('user_id = j.user_id', 'user_id = j.user_id')}
        OR ${isAhead('id = j.occasion_id', 'id = j.occasion_id')})
    ORDER BY j.number LIMIT ${limit})`
  return ({ linesBefore, entriesBefore, at, limit }: LedgerPrune) =>
    [
      { text: mark, values: [linesBefore, at] },
      { text: lines, values: [linesBefore, limit] },
      { text: entries, values: [dayName(entriesBefore), entriesBefore, limit] },
    ] as const
}
