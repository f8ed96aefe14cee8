// Tries again after an error. A conflict with another writer is no error: src/app/retry-on-conflict.ts.
import type { Clock } from '../ports/clock.ts'
import { sleep } from './timing.ts'

/** Calls `work` until it succeeds. `waitAfter` gives the wait after each failure, the first being 1; null rejects with its error. */
export async function retry<T>(
  clock: Clock,
  waitAfter: (error: unknown, failures: number) => number | null,
  work: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work()
    } catch (error) {
      const waitMs = waitAfter(error, failures)
      if (waitMs === null) throw error
      await sleep(clock, waitMs)
    }
  }
}
