// The clock that all workers share, measured against the elapsed time of this process. On PostgreSQL it is the database's: the
// clocks of the workers may differ by minutes.
import type { MonotonicClock } from '../../../ports/clock.ts'

/** The shared time is between `low` and `high` plus the elapsed time of this process. */
export type Offset = { low: number; high: number }

/** A measurement is used for so long if no better one is made. */
const MEASURED_MS = 60_000

export function createSharedClock(clock: MonotonicClock) {
  let best: (Offset & { measuredAt: number }) | null = null

  return {
    /** `read` returns the time by the database's clock, or null if this process's own clock is the shared one. */
    async measure<T extends { databaseMs: number | null }>(read: () => Promise<T>): Promise<[T, Offset]> {
      const startedAt = clock.elapsedMs()
      const own = clock.now() - startedAt
      const result = await read()
      const measuredAt = clock.elapsedMs()
      const { databaseMs } = result
      if (databaseMs === null) return [result, { low: own, high: own }]
      const measured = { low: databaseMs - measuredAt, high: databaseMs - startedAt, measuredAt }
      // Intervals that do not overlap show that the shared clock was set.
      const isUsable =
        best !== null &&
        measuredAt - best.measuredAt < MEASURED_MS &&
        best.low <= measured.high &&
        best.high >= measured.low
      if (!isUsable || measured.high - measured.low < best!.high - best!.low) best = measured
      return [result, best!]
    },
  }
}
