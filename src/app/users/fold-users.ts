// Folds the search text of users that a release without folding has written, so that they are found without regard to
// accents. Runs until none is left.
import type { Clock } from '../../ports/clock.ts'
import type { UserStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

const BATCH = 200
const RETRY_MS = 60_000

/** Folds users until none is left or the time is up. Returns how many it folded. */
export async function foldUsers(store: UserStore, isTimeUp: () => boolean): Promise<number> {
  let folded = 0
  for (let count = BATCH; count === BATCH && !isTimeUp(); folded += count)
    count = await store.foldUsers(BATCH)
  return folded
}

/** Folds all users in the background. Returns a function that stops it. */
export function startFolding(deps: { store: UserStore; clock: Clock; telemetry: Telemetry }): () => void {
  const { store, clock, telemetry } = deps
  let isStopped = false
  let timer: ReturnType<Clock['after']> | null = null

  function run(): void {
    foldUsers(store, () => isStopped).catch((error) => {
      if (isStopped) return
      telemetry({ kind: 'error', operation: 'fold-users', error, retryInMs: RETRY_MS })
      timer = clock.after(RETRY_MS, run)
    })
  }
  run()
  return () => {
    isStopped = true
    timer?.cancel()
  }
}
