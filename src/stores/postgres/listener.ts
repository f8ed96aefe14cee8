// Hears of new events on a connection of its own, and comes back by itself when that breaks.
import pg from 'pg'
import type { Clock } from '../../ports/clock.ts'
import { WAKE_CHANNEL } from './postgres-store.ts'

export type Listener = { close(): Promise<void> }

/** Calls back with the instant announced; after a break with minus infinity, for something may have been missed. */
export function listen(url: string, clock: Clock, onWake: (at: number) => void): Listener {
  let client: pg.Client | null = null
  let retry = { cancel() {} }
  let failures = 0
  let closed = false

  async function open(): Promise<void> {
    const own = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5_000 })
    client = own
    let gone = false
    const onGone = () => {
      if (gone) return
      gone = true
      own.end().catch(() => {})
      if (!closed) retry = clock.after(Math.min(30_000, 1_000 * 2 ** failures++), () => void open())
    }
    own.on('error', onGone)
    own.on('end', onGone)
    own.on('notification', ({ payload }) => onWake(Number(payload)))
    try {
      await own.connect()
      await own.query(`LISTEN ${WAKE_CHANNEL}`)
      failures = 0
      onWake(Number.NEGATIVE_INFINITY)
    } catch {
      onGone()
    }
  }

  void open()
  return {
    close: async () => {
      closed = true
      retry.cancel()
      await client?.end().catch(() => {})
    },
  }
}
