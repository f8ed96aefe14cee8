// Removes events of a user or of one occasion, open and settled, with all that hangs on them.
import { uuids } from '../arrays.ts'
import type { Run } from '../connection.ts'
import { ids } from '../events/claim.ts'

/** Within a transaction. The occasions stay locked to its end, so that no replay and no save plants anew. */
export async function eraseEvents(run: Run, by: 'id' | 'user_id', id: string): Promise<void> {
  const values = [id]
  await run({ text: `SELECT id FROM occasions WHERE ${by} = $1 ORDER BY id FOR UPDATE`, values })
  const those = `occasion_id IN (SELECT id FROM occasions WHERE ${by} = $1)`
  // A settlement under way takes its event from under the first deletion and leaves a successor: look again.
  let open: unknown[]
  do {
    await erase(run, 'events', those, id)
    open = await run({ text: `SELECT id FROM events WHERE ${those}`, values })
  } while (open.length > 0)
  await erase(run, 'settled_events', those, id)
}

/**
 * Locks in order of id, as everybody does, then deletes events, and then what hangs on them: in statements of their own,
 * for only a new one sees the body or the attempt that the lock had to wait for.
 */
async function erase(run: Run, table: 'events' | 'settled_events', those: string, id: string): Promise<void> {
  const found = await run({
    text: `SELECT id FROM ${table} WHERE ${those} ORDER BY id FOR UPDATE`,
    values: [id],
  })
  const values = [uuids(ids(found))]
  await run({ text: `DELETE FROM ${table} WHERE id = ANY ($1::uuid[])`, values })
  await run({ text: 'DELETE FROM payloads WHERE event_id = ANY ($1::uuid[])', values })
  await run({ text: 'DELETE FROM attempts WHERE event_id = ANY ($1::uuid[])', values })
}
