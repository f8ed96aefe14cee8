// Moves the events of a shard whose timezone has new rules: the soonest before the first claim, the others in parts after it.
import { beginReplan, replanPart, replanSoonest } from '../../../app/timezones/replan-part.ts'
import { sleep } from '../../../engine/timing.ts'
import type { Store } from '../../../ports/store.ts'
import type { Home } from '../../serverless.ts'
import { RECHECK_AFTER_MS } from '../schedule.ts'

export type ShardReplan = {
  isDone(): boolean
  /** Begins another check of everyone, which the next part continues. */
  begin(): Promise<void>
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

export function createShardReplan(home: Home): ShardReplan {
  const { clock, telemetry } = home
  const deps = { ...home, store: pausing(home), onPlanned: () => {} }
  let isDone = false
  let begun = 0

  const limitTo = (ms: number) => {
    const until = clock.now() + ms
    return { recheckAfterMs: RECHECK_AFTER_MS, mayContinue: () => clock.now() < until }
  }

  function report(error: unknown): void {
    telemetry({ kind: 'error', operation: 'replan', error, retryInMs: INTERVAL_MS })
  }

  return {
    isDone: () => isDone,
    async begin() {
      await beginReplan(deps, { recheckAfterMs: RECHECK_AFTER_MS })
      begun += 1
      isDone = false
    },
    async soonest() {
      if (isDone) return
      await replanSoonest(deps, { ...limitTo(SOONEST_MS), before: clock.now() + SOON_MS }).catch(report)
    },
    async part() {
      if (isDone) return null
      const limit = limitTo(PART_MS)
      const begunBefore = begun
      try {
        const { complete } = await replanPart(deps, limit)
        // A check that began during the part was not seen by it.
        if (begun > begunBefore) return clock.now()
        isDone = complete
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

/**
 * The store, with a timer before each page. The platform's clock stands still until an I/O operation ends, and a statement of an
 * object is none: without the timer no part would ever reach its limit, and all of its pages would be one commit.
 */
function pausing({ store, clock }: Home): Store {
  return {
    ...store,
    async listOpenPlans(of) {
      await sleep(clock, 0)
      return store.listOpenPlans(of)
    },
    async listOutdatedPlans(of) {
      await sleep(clock, 0)
      return store.listOutdatedPlans(of)
    },
  }
}
