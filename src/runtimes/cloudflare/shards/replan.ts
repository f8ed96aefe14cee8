// Moves the events of a shard whose timezone has new rules: the soonest before the first claim, the others in parts after it.
import { replanPart, replanSoonest } from '../../../app/timezones/replan-part.ts'
import type { Home } from '../../serverless.ts'

export type ShardReplan = {
  isDone(): boolean
  /** Moves events that fall due within minutes. Never throws. */
  soonest(): Promise<void>
  /** Moves a part. Returns when to go on; null if no zone needs another part. Never throws. */
  part(): Promise<number | null>
}

/** The platform ends a call after 30 s of CPU time. */
const PART_MS = 5_000
const SOONEST_MS = 1_000
/** Longer than a run and the part after it. */
const SOON_MS = 300_000
const INTERVAL_MS = 60_000
/** After an hour no object of the previous release is left. */
const RECHECK_AFTER_MS = 3_600_000

export function createShardReplan(home: Home): ShardReplan {
  const { clock, telemetry } = home
  const deps = { ...home, onPlanned: () => {} }
  let isDone = false

  const limitTo = (ms: number) => {
    const until = clock.now() + ms
    return { recheckAfterMs: RECHECK_AFTER_MS, mayContinue: () => clock.now() < until }
  }

  function report(error: unknown): void {
    telemetry({ kind: 'error', operation: 'replan', error, retryInMs: INTERVAL_MS })
  }

  return {
    isDone: () => isDone,
    async soonest() {
      if (isDone) return
      await replanSoonest(deps, { ...limitTo(SOONEST_MS), before: clock.now() + SOON_MS }).catch(report)
    },
    async part() {
      if (isDone) return null
      const limit = limitTo(PART_MS)
      try {
        isDone = !(await replanPart(deps, limit))
        if (isDone) return null
        // Stopped by the clock, or waiting for the second check.
        return clock.now() + (limit.mayContinue() ? INTERVAL_MS : 0)
      } catch (error) {
        report(error)
        return clock.now() + INTERVAL_MS
      }
    },
  }
}
