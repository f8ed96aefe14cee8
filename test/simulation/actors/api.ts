// The API process: one at a time, restarted when it crashes.

import type { AppDeps } from '../../../src/app/app-deps.ts'
import type { ChannelsDeps } from '../../../src/app/channels/channels.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import type { Store } from '../../../src/ports/store.ts'
import { SECOND } from '../../support/fixtures.ts'
import type { Database } from '../support/database.ts'
import type { World } from '../support/world.ts'
import { connectStore, connectTelemetry } from './connection.ts'
import { type Process, startProcess } from './process.ts'
import { replanOnStart } from './replan-on-start.ts'
import type { Worker } from './worker.ts'

/** The process that serves requests, and its dependencies. */
export type Serving = { process: Process; app: AppDeps<Store>; channels: ChannelsDeps }

export type Api = {
  current(): Serving
  /** Kills the process and starts another. */
  restart(): void
}

export function createApi(world: World, database: Database, workers: readonly Worker[]): Api {
  const { scenario, dice } = world
  let starts = 0
  let serving = start()

  // Workers that do not poll would sleep through events that a crashed API did not announce.
  world.onNote.push((entry) => {
    const fails = entry.kind === 'failure' || (entry.kind === 'lifecycle' && entry.what === 'crashes')
    if (!fails || !entry.who.startsWith('api') || scenario.wakeUpsGetLost) return
    for (const worker of workers) worker.wake(world.scheduler.now())
  })

  function start(): Serving {
    starts += 1
    const skewMs = dice.chance(0.7) ? 0 : dice.between(-2 * SECOND, 2 * SECOND)
    const process = startProcess(world, {
      name: `api.${starts}`,
      who: 'api',
      skewMs: () => skewMs,
      onCrash: () => {
        serving = start()
      },
    })
    const { clock } = process
    const planner = { ids: createIds(process.dice.roll), table: world.tables.of('api') }
    const store = connectStore(world, database, process)
    const app: AppDeps<Store> = {
      store,
      planner,
      clock,
      telemetry: connectTelemetry(world, process),
      deliverAt: '09:00',
      onPlanned: world.announce,
    }
    // The API serves requests while it replans.
    replanOnStart(world, process, app, {
      begin: () => {},
      end: () => {
        serving = start()
      },
    })
    const channels: ChannelsDeps = {
      store,
      clock,
      ids: planner.ids,
      vault: null,
      allowedTargets: 'any',
      newSecret: never,
      parse: (settings) => ({ ok: true, value: settings }),
      open: never,
    }
    return { process, app, channels }
  }

  return {
    current: () => serving,
    restart() {
      const { process } = serving
      world.note({ kind: 'lifecycle', who: process.name, what: 'crashes' })
      process.kill()
      serving = start()
    },
  }
}

function never(): never {
  throw new Error('The simulation creates no secrets and tests no channels.')
}
