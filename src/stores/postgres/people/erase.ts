// Deletes the events of users or of occasions, open and settled, with their bodies, attempts and moves.
import { uuids } from '../arrays.ts'
import type { Query, Run } from '../connection.ts'
import { ids } from '../events/claim.ts'

/** Runs inside a transaction. The occasions stay locked to its end, so that no replay and no save inserts an event. */
export async function eraseEvents(run: Run, by: 'id' | 'user_id', keys: readonly string[]): Promise<void> {
  const values = [uuids(keys)]
  const occasions = `terce.occasions WHERE ${by} = ANY ($1::uuid[])`
  await run({ text: `SELECT id FROM ${occasions} ORDER BY id FOR UPDATE`, values })
  const those = `occasion_id IN (SELECT id FROM ${occasions})`
  // A settlement in flight removes its event before the first deletion sees it and inserts a successor: delete again.
  let open: unknown[]
  do {
    await erase(run, 'terce.events', those, values)
    open = await run({ text: `SELECT id FROM terce.events WHERE ${those}`, values })
  } while (open.length > 0)
  await erase(run, 'terce.settled_events', those, values)
  await run({ text: `DELETE FROM terce.moves WHERE ${those}`, values })
}

/**
 * Locks in order of id to avoid deadlocks, deletes the events, then their bodies and attempts. These are separate statements,
 * because only a new statement sees a body or an attempt that was committed while the lock was awaited.
 */
async function erase(
  run: Run,
  table: 'terce.events' | 'terce.settled_events',
  those: string,
  of: Query['values'],
): Promise<void> {
  const found = await run({
    text: `SELECT id FROM ${table} WHERE ${those} ORDER BY id FOR UPDATE`,
    values: of,
  })
  const values = [uuids(ids(found))]
  await run({ text: `DELETE FROM ${table} WHERE id = ANY ($1::uuid[])`, values })
  await run({ text: 'DELETE FROM terce.payloads WHERE event_id = ANY ($1::uuid[])', values })
  await run({ text: 'DELETE FROM terce.attempts WHERE event_id = ANY ($1::uuid[])', values })
}
