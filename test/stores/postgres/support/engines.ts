// Engines inside the test's own process, each with its own connections, and a receiver with random responses.
import { BREAKER } from '../../../../src/engine/deliver/circuit-breaker.ts'
import { type Engine, startEngine } from '../../../../src/engine/engine.ts'
import type { Channel, DeliveryResult } from '../../../../src/ports/channel.ts'
import type { Notice } from '../../../../src/ports/telemetry.ts'
import { systemClock } from '../../../../src/runtimes/shared/system-clock.ts'
import { BUILT_IN_ONLY, onlyDestination } from '../../../support/fixed-parts.ts'
import { planner } from './due-people.ts'
import type { Stage } from './postgres-suite.ts'

export type Crew = {
  /** Errors that the engines met. */
  errors(): string[]
  /** Resolves when all that is in hand is written. */
  stop(): Promise<void>
}

export async function startEngines(
  stage: Stage,
  settings: { count: number; batchSize: number; answer: () => DeliveryResult },
): Promise<Crew> {
  const errors: string[] = []
  const telemetry = (notice: Notice) => {
    if (notice.kind === 'error') errors.push(`${notice.operation}: ${String(notice.error)}`)
  }
  const channel: Channel = { deliver: async () => settings.answer(), close: async () => {} }
  const engines: Engine[] = []
  for (let i = 0; i < settings.count; i++) {
    const store = await stage.open({ connections: 4 })
    const { batchSize } = settings
    engines.push(
      startEngine(
        {
          store,
          destinations: onlyDestination(channel),
          planner,
          telemetry,
          clock: systemClock,
          dice: Math.random,
          retryPolicy: { delaysMs: Array(50).fill(1) },
          templates: BUILT_IN_ONLY,
          lateness: new Map(),
          keepResponses: 'all',
        },
        {
          workerId: `engine-${i}`,
          leaseMs: 1_000,
          concurrency: 50,
          batchSize,
          pollMs: 20,
          graceMs: 5_000,
          // Its receiver fails at random and is not down.
          breaker: { ...BREAKER, failures: Number.POSITIVE_INFINITY, unresponsive: Number.POSITIVE_INFINITY },
        },
      ),
    )
  }
  const stop = async () => void (await Promise.all(engines.map((engine) => engine.stop())))
  stage.atEnd(stop)
  return { errors: () => errors, stop }
}
