// Reports at start-up what fell due while nobody was looking. Only reports: the normal claim does the catching up.
import type { Clock } from '../ports/clock.ts'
import type { EventStore, Overdue } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'

export async function reportMissed(deps: {
  store: EventStore
  clock: Clock
  telemetry: Telemetry
}): Promise<Overdue> {
  const missed = await deps.store.countOverdue(deps.clock.now())
  deps.telemetry({
    kind: 'recovery',
    missed: missed.count,
    oldestAt: missed.oldestAt,
    newestAt: missed.newestAt,
  })
  return missed
}
