// What a process of a home without engines works with, made at its first call as src/runtimes/serverless.ts does it.

import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { createTemplates } from '../../../src/engine/sending/templates.ts'
import type { EngineDeps } from '../../../src/engine/settlement.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Telemetry } from '../../../src/ports/telemetry.ts'
import { connectDestinations } from '../actors/channels.ts'
import { connectStore, connectTelemetry } from '../actors/connection.ts'
import type { Process } from '../actors/process.ts'
import type { Database } from '../support/database.ts'
import { RETRY_POLICY } from '../support/settings.ts'
import type { World } from '../support/world.ts'

export function makeParts(world: World, database: Database, process: Process): EngineDeps & { store: Store } {
  const planner = { ids: createIds(process.dice.roll), table: tzdb }
  const outside = {
    store: connectStore(world, database, process, planner),
    clock: process.clock,
    telemetry: patient(connectTelemetry(world, process)),
  }
  const deps = {
    ...outside,
    planner,
    dice: process.dice.roll,
    retryPolicy: RETRY_POLICY,
    destinations: connectDestinations(world, process, outside),
    templates: createTemplates(outside),
    lateness: new Map(Object.entries(world.scenario.lateness)),
  }
  return { ...deps, ...world.bug?.engine?.(deps) }
}

/** A call that takes longer than the batch has time is no surprise here: some take seconds, and some processes pause. */
function patient(telemetry: Telemetry): Telemetry {
  return (notice) => {
    const isSlow = notice.kind === 'error' && String(notice.error) === 'Error: The deadline passed.'
    if (!isSlow) telemetry(notice)
  }
}
