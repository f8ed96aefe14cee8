// Measures how long claims wait while something else happens: workers claim and release in a loop, and a sampler reads which
// statements hold up others.
import pg from 'pg'
import type { Store } from '../../../../../src/ports/store.ts'

export type Waits = {
  claims: number
  /** The longest claim. */
  longestMs: number
  /** The longest time that a statement waited for a table lock, as sampled. */
  longestLockWaitMs: number
}

/** Stores of any release. */
export function watchClaims(options: { url: string; store: Pick<Store, 'claimDue'>; workers: number }) {
  const { url, store, workers } = options
  let waits = noWaits()
  let stopped = false

  async function claim(worker: number): Promise<void> {
    while (!stopped) {
      const from = performance.now()
      // The lease expires soon, so that there is always an event to claim.
      const how = { limit: 5, leaseMs: 300, claimedBy: `worker ${worker}`, render: () => 'body' }
      await store.claimDue({ now: Date.now(), ...how })
      waits.claims += 1
      waits.longestMs = Math.max(waits.longestMs, performance.now() - from)
    }
  }

  async function sample(): Promise<void> {
    const client = new pg.Client(url)
    await client.connect()
    while (!stopped) {
      const { rows } = await client.query<{ ms: number }>(WAITING)
      waits.longestLockWaitMs = Math.max(waits.longestLockWaitMs, rows[0]!.ms)
    }
    await client.end()
  }

  const running = [...Array.from({ length: workers }, (_, i) => claim(i)), sample()]
  return {
    report: (): Waits => ({
      ...waits,
      longestMs: Math.round(waits.longestMs),
      longestLockWaitMs: Math.round(waits.longestLockWaitMs),
    }),
    reset: () => {
      waits = noWaits()
    },
    stop: async () => {
      stopped = true
      await Promise.all(running)
    },
  }
}

const noWaits = (): Waits => ({ claims: 0, longestMs: 0, longestLockWaitMs: 0 })

const WAITING = `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart) * 1000), 0)::float8 AS ms
  FROM pg_locks JOIN pg_database AS d ON d.oid = database
  WHERE NOT granted AND locktype = 'relation' AND datname = current_database()`
