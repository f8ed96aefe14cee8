// Removes old history in small steps, so that nobody who claims or settles has to wait for it.
import type { HistoryStore } from '../../ports/store.ts'

const STEP = 1_000

/** Calls back after each step with the number removed so far. */
export async function pruneHistory(
  store: HistoryStore,
  before: number,
  onStep: (removed: number) => void,
): Promise<number> {
  let removed = 0
  for (;;) {
    const gone = await store.prune({ before, limit: STEP })
    removed += gone
    if (gone > 0) onStep(removed)
    if (gone < STEP) return removed
  }
}
