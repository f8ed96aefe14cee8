// How the simulated engines are set, in one place: the invariants hold them to it.
import type { RetryPolicy } from '../../../src/domain/events/retry-policy.ts'
import type { EngineSettings } from '../../../src/engine/engine.ts'
import { breakerFor } from '../../../src/engine/sending/circuit-breaker.ts'
import { QUEUE_LEASE_MS } from '../../../src/runtimes/serverless.ts'
import { MINUTE, SECOND } from '../../support/fixtures.ts'
import type { QueuePlan, Scenario } from '../scenario.ts'

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

/** For how long a scenario's claims are made. */
export function leaseOf({ queue }: Pick<Scenario, 'queue'>): number {
  return queue === undefined ? LEASE_MS : QUEUE_LEASE_MS
}

type Limits = Omit<QueuePlan, 'skewMs' | 'phaseMs' | 'inOrder'>

/** What deploy/aws and deploy/cloudflare, and their runtimes, ask for. */
export const AWS: Limits = {
  runMs: 58 * SECOND,
  consumeMs: 28 * SECOND,
  limitMs: 30 * SECOND,
  unansweredMs: 200 * SECOND,
  diedMs: 200 * SECOND,
  maxReceives: 4,
}
export const CLOUDFLARE: Limits = {
  runMs: 50 * SECOND,
  consumeMs: 2 * MINUTE,
  limitMs: 15 * MINUTE,
  unansweredMs: 15 * MINUTE,
  diedMs: 10 * SECOND,
  maxReceives: 6,
}
