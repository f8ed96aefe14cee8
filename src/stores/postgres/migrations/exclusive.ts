// Of many processes that start at once, one migrates a schema. Works through a transaction pooler.
import pg from 'pg'
import { optionsOf } from '../clients/beside-pool.ts'
import type { PooledConnection } from '../connection.ts'

/** Any number, and it must not change between releases. */
const LOCK = 1_952_805_475
const IDLE_TIMEOUT_MS = 10_000
const PING_MS = 3_000

/**
 * Runs `work` while no other process migrates this schema. Returns null at once if another process does. The lock belongs to an
 * open transaction of its own connection: CREATE INDEX CONCURRENTLY cannot run inside a transaction. The lock is never waited
 * for on the server, because CREATE INDEX CONCURRENTLY waits for the snapshots of waiting statements.
 */
export async function exclusively<T>(
  connection: PooledConnection,
  work: () => Promise<T>,
): Promise<T | null> {
  const holder = new pg.Client(optionsOf(connection.pool))
  // A lost connection frees the lock. At worst two processes then migrate: the second fails and is restarted.
  holder.on('error', () => {})
  let ping: NodeJS.Timeout | undefined
  try {
    await holder.connect()
    await holder.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`)
    // Without parameters: their portal would keep a snapshot until the next statement, and CREATE INDEX CONCURRENTLY waits for it.
    const { rows } = await holder.query(
      `SELECT pg_try_advisory_xact_lock(${LOCK}, hashtext(${pg.escapeLiteral(connection.schema)})) AS ours`,
    )
    if (rows[0].ours !== true) return null
    // One at a time: pg 9 has no queue for a second query.
    let isPinging = false
    ping = setInterval(async () => {
      if (isPinging) return
      isPinging = true
      await holder.query('SELECT 1').catch(() => {})
      isPinging = false
    }, PING_MS)
    return await work()
  } finally {
    clearInterval(ping)
    await holder.end().catch(() => {})
  }
}
