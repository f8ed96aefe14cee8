// Removes what expires by itself: sessions that ended, and stored responses of requests with an idempotency key. Creates the next
// months of the history.
import type { Clock } from '../../ports/clock.ts'
import type { AccessStore, HistoryStore, UserStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { removeOldResponses } from './idempotency.ts'
import { removeEndedSessions } from './sessions.ts'

type Deps = { store: AccessStore & UserStore & Pick<HistoryStore, 'createMonths'>; clock: Clock }

export async function removeExpired(deps: Deps): Promise<{ sessions: number; responses: number }> {
  const removed = { sessions: await removeEndedSessions(deps), responses: await removeOldResponses(deps) }
  await deps.store.createMonths()
  return removed
}

const EVERY_MS = 3_600_000

/** Removes them every hour. Returns a function that stops it. */
export function startExpiry(deps: Deps & { telemetry: Telemetry }): () => void {
  const { clock, telemetry } = deps
  let timer = clock.after(EVERY_MS, run)

  function run(): void {
    timer = clock.after(EVERY_MS, run)
    removeExpired(deps).catch((error) =>
      telemetry({ kind: 'error', operation: 'remove-expired', error, retryInMs: EVERY_MS }),
    )
  }
  return () => timer.cancel()
}
