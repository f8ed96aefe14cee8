// The replan that a request asks for: a part that stays below the queries of one call. The runs of the cron trigger move the rest.
import { type ReplanOnRequest, replan } from '../../app/timezones/replan.ts'
import { beginReplan } from '../../app/timezones/replan-due.ts'
import { PAGE, type SchedulerParts, WORK_QUERIES } from './schedule.ts'

/** Short enough for a client that waits for the response. */
const PART_MS = 20_000

export function createReplanOnRequest(
  parts: Pick<SchedulerParts, 'clock' | 'planner' | 'telemetry' | 'openCounted'>,
  { pageSize = PAGE }: { pageSize?: number } = {},
): ReplanOnRequest {
  const { clock } = parts
  return async ({ dryRun }) => {
    const { store, queries } = parts.openCounted()
    const deps = { ...parts, store, onPlanned: () => {} }
    const until = clock.now() + PART_MS
    const mayContinue = () => queries() < WORK_QUERIES && clock.now() < until
    if (dryRun) return replan(deps, { check: 'all', dryRun, mayContinue, pageSize })
    await beginReplan(deps)
    return replan(deps, { check: 'rest', mayContinue, pageSize })
  }
}
