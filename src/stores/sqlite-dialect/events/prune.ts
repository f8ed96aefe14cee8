// Removes old settled events, a few at a time.
import { firstIdAt } from '../../../domain/events/uuid.ts'
import type { Executor } from '../executor.ts'

// Ids begin with the instant an event was first due. ?1 that bound, ?2 the instant.
const PRUNABLE = `FROM events AS e
  WHERE e.id < ?1 AND e.wake_at IS NULL AND +e.executed_at < ?2
    AND EXISTS (SELECT 1 FROM events AS later
      WHERE later.occasion_id = e.occasion_id AND later.wake_at IS NULL
        AND (later.target_at, later.occurrence) > (e.target_at, e.occurrence))`
// The oldest first. ?3 how many.
const ofOld = (columns: string) => `SELECT ${columns} ${PRUNABLE} ORDER BY e.id LIMIT ?3`
const OLD = ofOld('e.id')

export async function prune(
  executor: Executor,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const params = [firstIdAt(before), before, limit]
  const statements = [
    { sql: `DELETE FROM attempts WHERE event_id IN (${OLD})`, params },
    { sql: `DELETE FROM moves WHERE (occasion_id, event_id) IN (${ofOld('e.occasion_id, e.id')})`, params },
    {
      sql: `DELETE FROM moves WHERE to_target_at IS NULL AND moved_at < ?2 AND occasion_id IN (${ofOld('e.occasion_id')})`,
      params,
    },
    { sql: `DELETE FROM payloads WHERE event_id IN (${OLD})`, params },
    { sql: `DELETE FROM events WHERE id IN (${OLD})`, params },
  ]
  const results = await executor.batch(statements, { erases: true })
  return results.at(-1)!.changes
}

export async function countPrunable(executor: Executor, before: number): Promise<number> {
  const sql = `SELECT count(*) ${PRUNABLE}`
  const [row] = await executor.read({ sql, params: [firstIdAt(before), before] })
  return row![0] as number
}
