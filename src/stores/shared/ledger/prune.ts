// Statements that remove lines of pruned days and old entries of the journal.
import type { JournalKind } from '../../../domain/ledger/journal.ts'

/** Kept for ever: a plan may be older than any age, and these are few. */
const KEPT: readonly JournalKind[] = ['zone-changed', 'limits-changed']

const LAST = '9223372036854775807'

/** How a dialect writes the parameters, and the name of a table. */
type Parameters = { schema: '' | 'terce.'; day: string; instant: string; limit: string }

/** `day`: the first day that keeps its lines. `instant`: when the days are pruned. */
export function markPruned({ schema, day, instant }: Omit<Parameters, 'limit'>): string {
  return `UPDATE ${schema}ledger_days SET pruned_at = ${instant}
    WHERE day < ${day} AND closed_at IS NOT NULL AND pruned_at IS NULL`
}

export function deleteLines({ schema, day, limit }: Omit<Parameters, 'instant'>): string {
  return `DELETE FROM ${schema}ledger_lines WHERE (day, number) IN
    (SELECT day, number FROM ${schema}ledger_lines WHERE day < ${day} ORDER BY day, number LIMIT ${limit})`
}

/**
 * `instant`: entries recorded since then stay, and `day` is the day of it. An occasion with an end, or a task, may have been planned by
 * its first state: their entries stay until the end or the due time. The search stops at the first entry that is not old.
 */
export function deleteEntries({ schema, day, instant, limit }: Parameters): string {
  const isAhead = (
    id: string,
    ofTask: string,
  ) => `EXISTS (SELECT 1 FROM ${schema}occasions AS o WHERE o.${id} AND o.until >= ${day})
      OR EXISTS (SELECT 1 FROM ${schema}tasks AS t WHERE t.${ofTask} AND t.due_at >= ${instant})`
  return `DELETE FROM ${schema}journal WHERE number IN (SELECT j.number FROM ${schema}journal AS j
    WHERE j.at < ${instant} AND j.kind NOT IN (${KEPT.map((kind) => `'${kind}'`).join(', ')})
      AND j.number < coalesce((SELECT number FROM ${schema}journal WHERE at >= ${instant} ORDER BY number LIMIT 1), ${LAST})
      AND NOT (${isAhead('user_id = j.user_id', 'user_id = j.user_id')}
        OR ${isAhead('id = j.occasion_id', 'id = j.occasion_id')})
    ORDER BY j.number LIMIT ${limit})`
}
