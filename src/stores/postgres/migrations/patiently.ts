// Retries a change of a table whose lock is not free. A waiting ACCESS EXCLUSIVE lock holds up every claim that comes after it, so
// each attempt waits for a moment only.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../connection.ts'

/** Claims wait for as long as the lock is waited for and held: together less than 100 ms. */
export const LOCK_TIMEOUT_MS = 50
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1_000
/** About five minutes. */
const ATTEMPTS = 300

const LOCK_NOT_AVAILABLE = '55P03'

export async function patiently<T>(
  { query }: Pick<Connection, 'query'>,
  attempt: () => Promise<T>,
  { attempts = ATTEMPTS, blocked = 'the migration' }: { attempts?: number; blocked?: string } = {},
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error
      if (failures + 1 >= attempts) throw await explained(query, error, blocked)
    }
    // The pause lets the waiting claims catch up.
    await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures))
  }
}

async function explained(query: Connection['query'], error: Error, blocked: string): Promise<Error> {
  const [oldest] = await query({ text: OLDEST, values: [] })
  if (oldest === undefined) return error
  const [pid, name, seconds] = oldest
  const blocker = `process ${pid}${name === '' ? '' : ` (${name})`}`
  return new Error(`${blocker} has had a transaction open for ${seconds} s and blocks ${blocked}; end it`)
}

const OLDEST = `SELECT pid, application_name, round(extract(epoch FROM clock_timestamp() - xact_start))::int
  FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
    AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = pg_stat_activity.pid AND l.locktype = 'relation')
  ORDER BY xact_start LIMIT 1`
