// Erases users with everything that belongs to them, in one batch.
import { recordKeyed } from '../../shared/people/keyed-ids.ts'
import type { Executor } from '../executor.ts'

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
    `DELETE FROM attempts WHERE event_id IN ${events}`,
    `DELETE FROM moves WHERE ${ofUsers}`,
    `DELETE FROM payloads WHERE event_id IN ${events}`,
    `DELETE FROM events WHERE ${ofUsers}`,
    // Occasions with their tasks and problems of the ledger, and feeds cascade.
    `DELETE FROM users WHERE id IN ${users} RETURNING id`,
  ]
  const params = [JSON.stringify(userIds)]
  const results = await executor.batch(
    [
      { sql: RECORD_KEYED, params: [at, ...params] },
      ...statements.map((sql) => ({ sql, params, returns: sql.endsWith('RETURNING id') })),
    ],
    { erases: true },
  )
  return results.at(-1)!.rows.map((row) => row[0] as string)
}

const RECORD_KEYED = recordKeyed('', { at: '?', which: 'user_id IN (SELECT value FROM json_each(?))' })
