// What the worker of a process needs to apply changes enqueued by SQL.

import { applyEnqueued, unexpectedProblem } from '../api/enqueue.ts'
import { createAudit } from '../app/access/audit.ts'
import type { AppDeps } from '../app/app-deps.ts'
import type { DrainDeps } from '../app/enqueue/drain.ts'
import type { Config } from './config/config.ts'
import type { Database } from './node/database.ts'

/** Null for a database in which nothing can be enqueued. */
export function drainDepsOf(
  { deliverAt, notAfter, quietHours }: Config,
  { enqueued, store, clock }: Pick<Database, 'enqueued' | 'store' | 'clock'>,
  of: Pick<AppDeps, 'telemetry' | 'planner' | 'onPlanned'>,
): DrainDeps | null {
  if (enqueued === null) return null
  return {
    enqueued,
    app: { store, clock, deliverAt, notAfter, quietHours, ...of },
    audit: createAudit({ store, clock, telemetry: of.telemetry }),
    apply: applyEnqueued,
    problemOf: unexpectedProblem,
  }
}
