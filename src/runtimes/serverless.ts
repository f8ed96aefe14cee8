// Wiring that AWS Lambda and Cloudflare Workers share: the scheduler, the queue consumer and their settings. Imports no
// Node module, because it runs in workerd too.

import { BATCH_SIZE } from '../engine/claim.ts'
import type { Planner } from '../engine/plan.ts'
import type { ConsumerSettings } from '../engine/queue/consumer.ts'
import type { DispatchSettings } from '../engine/queue/dispatcher.ts'
import { CONSUMER_BREAKER } from '../engine/sending/circuit-breaker.ts'
import type { Destinations } from '../engine/sending/destinations.ts'
import { createTemplates } from '../engine/sending/templates.ts'
import type { EngineDeps } from '../engine/settlement.ts'
import type { Clock, Dice } from '../ports/clock.ts'
import type { Queue } from '../ports/queue.ts'
import type { Store } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { type Config, ConfigError } from './config/config.ts'
import { parseShortDuration } from './config/setting-values.ts'

/** The dependencies of a serverless runtime, built once and kept from call to call. */
export type Home = {
  config: Config
  store: Store
  clock: Clock
  dice: Dice
  planner: Planner
  telemetry: Telemetry
  /** Writes the log lines that wait for more of their kind. Every call ends with it: no timer runs between calls. */
  flushLog(): void
  destinations: Destinations
}

/** Reports the start and the end of a run of the scheduler. */
export async function reportRun<T extends { handedOver: number }>(
  { clock, telemetry }: Home,
  run: { of: 'scheduler' | 'recovery'; runId: string },
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = clock.now()
  let handedOver = 0
  telemetry({ kind: 'run', ...run, state: 'started' })
  try {
    const result = await work()
    handedOver = result.handedOver
    return result
  } finally {
    const durationMs = clock.now() - startedAt
    telemetry({ kind: 'run', ...run, state: 'ended', durationMs, handedOver })
  }
}

/**
 * The default of LEASE_MS in serverless runtimes: longer than all receives of a message take, so that a poison message is
 * dead-lettered before its lease expires. An event whose queue message is lost is claimed again after the lease.
 */
export const QUEUE_LEASE_MS = 20 * 60_000

export function engineDepsOf(home: Home): EngineDeps {
  const { store, clock, dice, planner, telemetry, destinations, config } = home
  const { retryPolicy, lateness, keepResponses } = config
  const templates = createTemplates({ store, clock, telemetry })
  const policies = { retryPolicy, lateness, keepResponses }
  return { store, clock, dice, planner, telemetry, destinations, templates, ...policies }
}

export function dispatchDepsOf(home: Home, queue: Queue): EngineDeps & { queue: Queue } {
  return { ...engineDepsOf(home), queue }
}

export function dispatchSettingsOf(
  { config }: Home,
  run: Pick<DispatchSettings, 'claimedBy' | 'until' | 'mayContinue'>,
): DispatchSettings {
  return { leaseMs: config.leaseMs, batchSize: BATCH_SIZE, ...run }
}

export function consumerSettingsOf({ config }: Home): ConsumerSettings {
  const { leaseMs, concurrency } = config
  return { leaseMs, concurrency, breaker: CONSUMER_BREAKER }
}

/** For how long settled events are kept: PRUNE_AFTER; null for ever. */
export function readKeep(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null
  const keepMs = parseShortDuration(text)
  if (keepMs !== undefined) return keepMs
  throw new ConfigError([`PRUNE_AFTER=${text} is not usable. Give a time such as 400d.`])
}
