// Removes old history by whole months where the store can, and else in small steps, so that claims and settlements do not wait for it.
import type { HistoryStore } from '../../ports/store.ts'

const STEP = 1_000

type PruneOptions = {
  /** Called after each step with the number removed so far. */
  onStep?: (removed: number) => void
  /** Asked after each step; true leaves the rest for another call. */
  isTimeUp?: () => boolean
}

/** Removes events settled before the instant. Returns the number of events removed. */
export async function pruneHistory(
  store: HistoryStore,
  before: number,
  { onStep = () => {}, isTimeUp = () => false }: PruneOptions = {},
): Promise<number> {
  let removed = 0
  await store.pruneMonths(before, (gone) => {
    removed += gone
    if (gone > 0) onStep(removed)
    return isTimeUp()
  })
  for (;;) {
    const gone = await store.prune({ before, limit: STEP })
    removed += gone
    if (gone > 0) onStep(removed)
    if (gone < STEP || isTimeUp()) return removed
  }
}
