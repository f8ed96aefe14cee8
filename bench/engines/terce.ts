// Terce on PostgreSQL, wired as src/runtimes/node/node.ts wires it, settings included.
import { DEFAULT_RETRY_POLICY } from '../../src/domain/events/retry-policy.ts'
import { BREAKER } from '../../src/engine/deliver/circuit-breaker.ts'
import { type Engine, startEngine } from '../../src/engine/engine.ts'
import { systemClock } from '../../src/runtimes/shared/system-clock.ts'
import { BUILT_IN_ONLY, onlyDestination } from '../../test/support/fixed-parts.ts'
import type { EngineUnderTest } from '../engine.ts'
import { planner } from './people.ts'
import { createDatabase, settleDelivered } from './terce-database.ts'

export function createEngine(): EngineUnderTest {
  const database = createDatabase()
  let engine: Engine | null = null
  return {
    ...database,

    async run(count, channel) {
      let done = 0
      const all = Promise.withResolvers<void>()
      engine = startEngine(
        {
          store: database.store(),
          destinations: onlyDestination(channel),
          planner,
          clock: systemClock,
          dice: Math.random,
          retryPolicy: DEFAULT_RETRY_POLICY,
          templates: BUILT_IN_ONLY,
          lateness: new Map(),
          keepResponses: 'failures',
          telemetry: (notice) => {
            if (notice.kind === 'error') all.reject(notice.error)
            if (notice.kind === 'stale')
              all.reject(new Error('A settlement was stale: another claim owns the event.'))
            // Reported after the transaction has committed.
            if (notice.kind === 'settled') done += notice.delivered
            if (done >= count) all.resolve()
          },
        },
        {
          workerId: 'bench',
          leaseMs: 60_000,
          concurrency: 256,
          batchSize: 1_000,
          pollMs: 1_000,
          graceMs: 1_000,
          breaker: BREAKER,
        },
      )
      await all.promise
    },

    async claim(limit) {
      const started = performance.now()
      const claims = await database
        .store()
        .claimDue({ now: Date.now(), limit, leaseMs: 60_000, claimedBy: 'bench', render: ({ id }) => id })
      const tookMs = performance.now() - started
      await settleDelivered(database.store(), claims)
      return { claimed: claims.length, tookMs }
    },

    async tearDown() {
      await engine?.stop()
      await database.tearDown()
    },
  }
}
