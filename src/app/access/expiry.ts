// Removes sessions that ended, and creates the next months of the history.
import type { Clock } from '../../ports/clock.ts'
import type { AccessStore, HistoryStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { removeEndedSessions } from './sessions.ts'

type Deps = { store: AccessStore & Pick<HistoryStore, 'createMonths'>; clock: Clock }

/** Returns how many sessions were removed. */
export async function removeExpired(deps: Deps): Promise<number> {
  const removed = await removeEndedSessions(deps)
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
