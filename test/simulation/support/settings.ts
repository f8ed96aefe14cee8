// Settings of the simulated engines, in one place. The invariants check against them.
import type { RetryPolicy } from '../../../src/domain/events/retry-policy.ts'
import { BREAKER } from '../../../src/engine/deliver/circuit-breaker.ts'
import type { EngineSettings } from '../../../src/engine/engine.ts'
import { QUEUE_LEASE_MS } from '../../../src/runtimes/shared/serverless.ts'
import { MINUTE, SECOND } from '../../support/fixtures.ts'
import type { QueuePlan, Scenario } from '../scenario.ts'

export const LEASE_MS = 60 * SECOND
export const RETRY_POLICY: RetryPolicy = { delaysMs: [SECOND, 2 * SECOND, 4 * SECOND] }

/** Small batches and low concurrency, so that a handful of people fills them. */
export const ENGINE: Omit<EngineSettings, 'workerId' | 'pollMs'> = {
  leaseMs: LEASE_MS,
  concurrency: 2,
  batchSize: 4,
  graceMs: 10 * SECOND,
  breaker: BREAKER,
}

/** The lease of a scenario's claims. */
export function leaseOf({ queue }: Pick<Scenario, 'queue'>): number {
  return queue === undefined ? LEASE_MS : QUEUE_LEASE_MS
}

type Limits = Omit<QueuePlan, 'skewMs' | 'phaseMs' | 'inOrder'>

/** The settings of deploy/aws, deploy/cloudflare and their runtimes. */
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
