// The replan that a request asks for: a part that stays below the queries of one call. The runs of the cron trigger move the rest.
import { type ReplanOnRequest, replan } from '../../app/timezones/replan.ts'
import { beginReplan, replanPart } from '../../app/timezones/replan-part.ts'
import { RECHECK_AFTER_MS } from '../shared/serverless.ts'
import { type SchedulerParts, WORK_QUERIES } from './schedule.ts'

/** Short enough for a client that waits for the response. */
const PART_MS = 20_000

export function createReplanOnRequest(
  parts: Pick<SchedulerParts, 'clock' | 'planner' | 'telemetry' | 'openCounted'>,
  { pageSize }: { pageSize?: number } = {},
): ReplanOnRequest {
  const { clock } = parts
  return async ({ dryRun }) => {
    const { store, queries } = parts.openCounted()
    const deps = { ...parts, store, onPlanned: () => {} }
    const until = clock.now() + PART_MS
    const mayContinue = () => queries() < WORK_QUERIES && clock.now() < until
    if (dryRun) return replan(deps, { dryRun, recheckMs: Number.POSITIVE_INFINITY, mayContinue })
    const part = {
      mayContinue,
      recheckAfterMs: RECHECK_AFTER_MS,
      ...(pageSize === undefined ? {} : { pageSize }),
    }
    await beginReplan(deps, part)
    return replanPart(deps, part)
  }
}
