// The part of a Node process that delivers: the engine with its destinations.
import { hostname } from 'node:os'
import { startHeartbeat } from '../../app/dashboard/heartbeat.ts'
import { BATCH_SIZE } from '../../engine/claim.ts'
import { type Engine, reportOverdue, startEngine } from '../../engine/engine.ts'
import type { Planner } from '../../engine/plan.ts'
import { BREAKER } from '../../engine/sending/circuit-breaker.ts'
import { createTemplates } from '../../engine/sending/templates.ts'
import { traceStore } from '../../telemetry/traces.ts'
import type { Config } from '../config/config.ts'
import { type OwnTargets, openDestinations } from './channels.ts'
import type { Database } from './database.ts'
import type { Observed } from './observe.ts'

/** Starts the engine, its heartbeat and its destinations; `stop` ends all three. */
export async function startWorker(
  config: Config,
  database: Database,
  { telemetry }: Observed,
  { planner, ...targets }: OwnTargets & { planner: Planner },
): Promise<Engine> {
  const { clock } = database
  const store = traceStore(database.store)
  await reportOverdue({ store, clock, telemetry })
  const { concurrency, leaseMs, retryPolicy, lateness, keepResponses } = config
  const destinations = await openDestinations(config, { store, clock, telemetry, ids: planner.ids }, targets)
  const engine = startEngine(
    {
      store,
      destinations,
      planner,
      telemetry,
      clock,
      dice: Math.random,
      retryPolicy,
      templates: createTemplates({ store, clock, telemetry }),
      lateness,
      keepResponses,
    },
    {
      workerId: workerId(),
      leaseMs,
      concurrency,
      batchSize: BATCH_SIZE,
      pollMs: database.pollMs,
      graceMs: GRACE_MS,
      breaker: BREAKER,
    },
  )
  database.listen(engine.wake)
  // Not traced: heartbeats would outnumber the spans of an idle worker.
  const heartbeat = startHeartbeat({ store: database.store, clock, telemetry }, workerId())
  return {
    wake: engine.wake,
    stop: async () => {
      await engine.stop()
      await heartbeat.stop()
      await destinations.close()
    },
  }
}

function workerId(): string {
  return `${hostname()}-${process.pid}`
}

const GRACE_MS = 10_000
