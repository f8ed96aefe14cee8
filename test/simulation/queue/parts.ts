// The dependencies of a scheduler or consumer process, made at its first call as src/runtimes/shared/serverless.ts does it.

import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { createTemplates } from '../../../src/engine/deliver/templates.ts'
import type { EngineDeps } from '../../../src/engine/engine-deps.ts'
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
    store: connectStore(world, database, process),
    clock: process.clock,
    telemetry: withoutTimeouts(connectTelemetry(world, process)),
  }
  const deps: EngineDeps & { store: Store } = {
    ...outside,
    planner,
    dice: process.dice.roll,
    retryPolicy: RETRY_POLICY,
    destinations: connectDestinations(world, process, outside),
    templates: createTemplates(outside),
    lateness: new Map(Object.entries(world.scenario.lateness)),
    keepResponses: 'all',
  }
  return { ...deps, ...world.mistake?.engine?.(deps) }
}

/** A call that misses the deadline of its batch is expected here: some calls take seconds, and some processes pause. */
function withoutTimeouts(telemetry: Telemetry): Telemetry {
  return (notice) => {
    const isTimeout = notice.kind === 'error' && String(notice.error) === 'Error: The deadline passed.'
    if (!isTimeout) telemetry(notice)
  }
}
