// The process that serves the API: one at a time, started anew when it crashes.

import type { AppDeps } from '../../../src/app/app-deps.ts'
import type { ChannelsDeps } from '../../../src/app/channels/channels.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { SECOND } from '../../support/fixtures.ts'
import type { Database } from '../support/database.ts'
import type { World } from '../support/world.ts'
import { connectStore, connectTelemetry } from './connection.ts'
import { type Process, startProcess } from './process.ts'
import { lookAtZones } from './rollout.ts'
import type { Worker } from './worker.ts'

/** What serves a request. */
export type Serving = { process: Process; users: AppDeps; channels: ChannelsDeps }

export type Api = {
  current(): Serving
  /** Ends it, and starts it anew. */
  restart(): void
}

export function createApi(world: World, database: Database, workers: readonly Worker[]): Api {
  const { scenario, dice } = world
  let starts = 0
  let serving = start()

  // Workers that never look by themselves would sleep through what it had no time to tell them.
  world.onNote.push((entry) => {
    const fails = entry.kind === 'failure' || (entry.kind === 'life' && entry.what === 'crashes')
    if (!fails || !entry.who.startsWith('api') || scenario.newsGetsLost) return
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
    const store = connectStore(world, database, process, planner)
    const users: AppDeps = {
      store,
      planner,
      clock,
      telemetry: connectTelemetry(world, process),
      deliverAt: '09:00',
      onPlanned: world.announce,
    }
    // It serves while it looks.
    lookAtZones(world, process, users, {
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
      newSecret: never,
      check: () => [],
      open: never,
    }
    return { process, users, channels }
  }

  return {
    current: () => serving,
    restart() {
      const { process } = serving
      world.note({ kind: 'life', who: process.name, what: 'crashes' })
      process.kill()
      serving = start()
    },
  }
}

function never(): never {
  throw new Error('Nobody makes secrets or tests channels here.')
}
