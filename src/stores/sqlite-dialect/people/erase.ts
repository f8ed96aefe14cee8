// Erases users with everything that belongs to them, in one batch.
import type { Executor } from '../executor.ts'
import { eraseFromLedger } from '../ledger/journal.ts'

export async function deleteUsers(
  executor: Executor,
  userIds: readonly string[],
  at: number,
): Promise<string[]> {
  if (userIds.length === 0) return []
  const users = '(SELECT value FROM json_each(?1))'
  const ofUsers = `occasion_id IN (SELECT id FROM occasions WHERE user_id IN ${users})`
  const events = `(SELECT id FROM events WHERE ${ofUsers})`
  const statements = [
    `UPDATE responses SET body = NULL WHERE key IN (SELECT response_key FROM response_users WHERE user_id IN ${users})`,
    `DELETE FROM attempts WHERE event_id IN ${events}`,
    `DELETE FROM moves WHERE ${ofUsers}`,
    `DELETE FROM payloads WHERE event_id IN ${events}`,
    `DELETE FROM events WHERE ${ofUsers}`,
    // Occasions with their tasks, feeds and the links to stored responses cascade.
    `DELETE FROM users WHERE id IN ${users} RETURNING id`,
  ]
  const params = [JSON.stringify(userIds)]
  const results = await executor.batch(
    [
      ...eraseFromLedger('person', userIds, at),
      ...statements.map((sql) => ({ sql, params, returns: sql.endsWith('RETURNING id') })),
    ],
    { erases: true },
  )
  return results.at(-1)!.rows.map((row) => row[0] as string)
}
