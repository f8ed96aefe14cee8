// Erases a user with everything that belongs to them, in one batch.
import type { Executor } from '../executor.ts'
import { eraseFromLedger } from '../ledger/journal.ts'

export async function deleteUser(executor: Executor, userId: string, at: number): Promise<boolean> {
  const ofUser = 'occasion_id IN (SELECT id FROM occasions WHERE user_id = ?)'
  const events = `(SELECT id FROM events WHERE ${ofUser})`
  const results = await executor.batch(
    [
      ...eraseFromLedger('person', userId, at),
      ...[
        'UPDATE responses SET body = NULL WHERE key IN (SELECT response_key FROM response_users WHERE user_id = ?)',
        `DELETE FROM attempts WHERE event_id IN ${events}`,
        `DELETE FROM moves WHERE ${ofUser}`,
        `DELETE FROM payloads WHERE event_id IN ${events}`,
        `DELETE FROM events WHERE ${ofUser}`,
        // Occasions with their tasks, feeds and the links to stored responses cascade.
        'DELETE FROM users WHERE id = ?',
      ].map((sql) => ({ sql, params: [userId] })),
    ],
    { erases: true },
  )
  return results.at(-1)!.changes > 0
}
