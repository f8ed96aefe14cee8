// A worker: the real engine in a process that can crash, be stopped, and restart under a new name.
import { createIds } from '../../../src/domain/events/uuid.ts'
import { createTemplates } from '../../../src/engine/deliver/templates.ts'
import { type Engine, startEngine } from '../../../src/engine/engine.ts'
import type { EngineDeps } from '../../../src/engine/engine-deps.ts'
import type { Store } from '../../../src/ports/store.ts'
import { MINUTE, YEAR } from '../../support/fixtures.ts'
import type { WorkerPlan } from '../scenario.ts'
import type { Database } from '../support/database.ts'
import { ENGINE, RETRY_POLICY } from '../support/settings.ts'
import type { World } from '../support/world.ts'
import { connectDestinations } from './channels.ts'
import { connectStore, connectTelemetry } from './connection.ts'
import { connectHandlers } from './handlers.ts'
import { type Process, startProcess } from './process.ts'
import { replanOnStart } from './replan-on-start.ts'

export type Worker = {
  skewMs(): number
  /** Sets how far its clock is ahead from now on. */
  setClock(skewMs: number): void
  running(): boolean
  /** Whether it works on something that the database does not show. The claims of an engine are in the database. */
  atWork(): boolean
  /** Starts it if it is not running. */
  start(): void
  crash(downMs: number): void
  /** Stops it as SIGTERM does, which may take a while. */
  stop(downMs: number): void
  wake(at: number): void
}

export function createWorker(world: World, database: Database, number: number, plan: WorkerPlan): Worker {
  const { scheduler, scenario, mistake, note } = world
  let { skewMs } = plan
  let starts = 0
  let process: Process | null = null
  let engine: Engine | null = null

  function start(): void {
    if (process !== null) return
    if (scheduler.now() < world.downUntil) return startAt(world.downUntil)
    starts += 1
    const name = `worker ${number + 1}.${starts}`
    process = startProcess(world, { name, who: number, skewMs: () => skewMs, onCrash: goDown })
    note({ kind: 'lifecycle', who: name, what: 'starts' })
    const planner = { ids: createIds(process.dice.roll), table: world.tables.of(number) }
    const outside = {
      store: connectStore(world, database, process),
      clock: process.clock,
      telemetry: connectTelemetry(world, process),
    }
    const deps: EngineDeps & { store: Store } = {
      ...outside,
      planner,
      dice: process.dice.roll,
      retryPolicy: RETRY_POLICY,
      destinations: connectDestinations(world, process, {
        ...outside,
        handlers: connectHandlers(world, database, process, outside.store),
      }),
      templates: createTemplates(outside),
      lateness: new Map(Object.entries(scenario.lateness)),
      keepResponses: 'all',
    }
    // If no wake-up gets lost, polling would only slow the run down.
    const pollMs = scenario.wakeUpsGetLost ? MINUTE : YEAR
    replanOnStart(
      world,
      process,
      { ...outside, planner, onPlanned: world.announce },
      {
        begin() {
          const leaseMs = mistake?.believedLeaseMs ?? ENGINE.leaseMs
          const settings = { ...ENGINE, leaseMs, pollMs, workerId: name }
          engine = startEngine({ ...deps, ...mistake?.engine?.(deps) }, settings)
        },
        end: goDown,
      },
    )
  }

  function goDown(downMs: number): void {
    process = null
    engine = null
    startAt(scheduler.now() + downMs)
  }

  function startAt(at: number): void {
    scheduler.add({ at, kind: 'script', owner: null, run: start })
  }

  return {
    skewMs: () => skewMs,
    setClock(ms) {
      skewMs = ms
    },
    running: () => process !== null,
    atWork: () => false,
    start,
    crash(downMs) {
      if (process === null) return
      note({ kind: 'lifecycle', who: process.name, what: 'crashes' })
      process.kill()
      goDown(downMs)
    },
    stop(downMs) {
      if (process === null || engine === null) return
      const stopping = process
      note({ kind: 'lifecycle', who: stopping.name, what: 'receives SIGTERM' })
      void engine.stop().then(() => {
        note({ kind: 'lifecycle', who: stopping.name, what: 'has stopped' })
        stopping.kill()
        goDown(downMs)
      })
      engine = null
    },
    wake: (at) => engine?.wake(at),
  }
}
