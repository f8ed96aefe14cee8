// The part of a Node process that delivers: the engine with its destinations.
import { hostname } from 'node:os'
import { startHeartbeat } from '../../app/dashboard/heartbeat.ts'
import { type Draining, startDraining } from '../../app/enqueue/start-draining.ts'
import { startLedger } from '../../app/ledger/keep-ledger.ts'
import { BATCH_SIZE } from '../../engine/claim.ts'
import { BREAKER } from '../../engine/deliver/circuit-breaker.ts'
import { createTemplates } from '../../engine/deliver/templates.ts'
import { type Engine, type ResumableEngine, reportOverdue, startEngine } from '../../engine/engine.ts'
import type { Planner } from '../../engine/plan.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { traceStore } from '../../telemetry/traces.ts'
import type { Config } from '../config/config.ts'
import { drainDepsOf } from '../enqueue.ts'
import { channelsOf, type OwnTargets, openDestinations } from '../shared/channels.ts'
import { reportingOf } from '../shared/reporting.ts'
import type { Database } from './database.ts'
import type { Observed } from './observe.ts'

export type Worker = Engine & Pick<ResumableEngine, 'reload'>

/** Starts the engine, its heartbeat and its destinations, drains enqueued changes and keeps the ledger; `stop` ends all of them. */
export async function startWorker(
  config: Config,
  database: Database,
  { telemetry }: Observed,
  { planner, ...targets }: OwnTargets & { planner: Planner },
): Promise<Worker> {
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
      types: targets.handlers?.types,
    },
  )
  const draining = drainIn(config, database, telemetry, { planner, wake: engine.wake })
  database.listen({
    onWake: engine.wake,
    onEnqueued: () => draining?.wake(),
    onChannels: engine.reload,
    onState: (error) => telemetry({ kind: 'listening', error }),
  })
  // Not traced: heartbeats would outnumber the spans of an idle worker.
  const heartbeat = startHeartbeat({ store: database.store, clock, telemetry }, workerId())
  const ledgerDeps = { store: database.store, clock, telemetry, planner }
  const channels = channelsOf(config, { ...ledgerDeps, ids: planner.ids })
  const stopLedger = startLedger({ ...ledgerDeps, reporting: reportingOf(config, channels) }, engine.isBusy)
  return {
    wake: engine.wake,
    reload: engine.reload,
    stop: async () => {
      await draining?.stop()
      await engine.stop()
      await stopLedger()
      await heartbeat.stop()
      await destinations.close()
    },
  }
}

/** Null for a database in which nothing can be enqueued. */
function drainIn(
  config: Config,
  database: Database,
  telemetry: Telemetry,
  { planner, wake }: { planner: Planner; wake: Engine['wake'] },
): Draining | null {
  const onPlanned = (at: number) => {
    wake(at)
    database.announce(at)
  }
  const deps = drainDepsOf(config, database, { telemetry, planner, onPlanned })
  return deps && startDraining(deps)
}

function workerId(): string {
  return `${hostname()}-${process.pid}`
}

const GRACE_MS = 10_000
