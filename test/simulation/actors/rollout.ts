// Upgrades of the timezone table: each process restarts with the new table and replans the events of the old one.
import { replan } from '../../../src/app/timezones/replan.ts'
import { MINUTE } from '../../support/fixtures.ts'
import { NEWER } from '../support/timezone-tables.ts'
import type { World } from '../support/world.ts'
import type { Api } from './api.ts'
import type { Worker } from './worker.ts'

/** Calls of old processes have arrived by then. */
const AFTER_MS = 15 * MINUTE

/** Schedules the upgrades. When the faults end, every process gets the newer table. */
export function scheduleRollout(
  world: World,
  processes: { workers: readonly Worker[]; api: Api },
  at: (at: number, run: () => void) => void,
): void {
  const { scenario, tables } = world
  const { workers, api } = processes
  if (!tables.moving) return
  const start = (who: 'api' | number) => {
    if (who === 'api') api.restart()
    else workers[who]?.stop(0)
  }
  for (const { at: when, who, release } of scenario.upgrades) {
    at(when, () => {
      tables.set(who, release)
      start(who)
    })
  }
  at(scenario.faultsEndAt, () => {
    for (const who of ['api', ...workers.keys()] as const) {
      if (tables.releaseOf(who) === NEWER) continue
      tables.set(who, NEWER)
      if (who === 'api') api.restart()
      else workers[who]!.crash(0)
    }
  })
  at(scenario.faultsEndAt + AFTER_MS, () => replanByHand(world, api))
}

/** As `terce tz replan` does. */
function replanByHand({ note }: World, api: Api): void {
  const { process, app } = api.current()
  const { name: who } = process
  note({ kind: 'replan', who, what: 'begins', always: true })
  replan(app, { check: 'all' }).then(
    () => note({ kind: 'replan', who, what: 'ends', always: true }),
    (error) => note({ kind: 'unexpected', who, during: 'replan', error: String(error) }),
  )
}
