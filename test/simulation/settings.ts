// How the simulated engines are set, in one place: the invariants hold them to it.
import type { RetryPolicy } from '../../src/domain/retry-policy.ts'
import { breakerFor } from '../../src/flow/breaker.ts'
import type { EngineSettings } from '../../src/flow/run.ts'
import { SECOND } from '../fixtures.ts'

export const LEASE_MS = 60 * SECOND
export const RETRY_POLICY: RetryPolicy = { delaysMs: [SECOND, 2 * SECOND, 4 * SECOND] }

/** Small batches and few sends at once, so that a handful of people is a crowd. */
export const ENGINE: Omit<EngineSettings, 'workerId' | 'pollMs'> = {
  leaseMs: LEASE_MS,
  concurrency: 2,
  batchSize: 4,
  graceMs: 10 * SECOND,
  breaker: breakerFor(RETRY_POLICY.delaysMs.length + 1),
}
