// Wiring that AWS Lambda and Cloudflare Workers share: the scheduler, the queue consumer and their settings. Imports no
// Node module, because it runs in workerd too.

import type { AppDeps } from '../../app/app-deps.ts'
import { countMissed } from '../../app/ledger/missed.ts'
import type { Reporting } from '../../app/ledger/report.ts'
import { BATCH_SIZE } from '../../engine/claim.ts'
import { BREAKER } from '../../engine/deliver/circuit-breaker.ts'
import type { Destinations } from '../../engine/deliver/destinations.ts'
import { createTemplates } from '../../engine/deliver/templates.ts'
import type { EngineDeps } from '../../engine/engine-deps.ts'
import type { Planner } from '../../engine/plan.ts'
import type { ConsumerSettings } from '../../engine/queue/consumer.ts'
import type { DispatchSettings } from '../../engine/queue/dispatcher.ts'
import type { Clock, Dice } from '../../ports/clock.ts'
import type { Queue } from '../../ports/queue.ts'
import type { Store } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { parseShortDuration } from '../config/setting-values.ts'
import type { Ping } from './heartbeat.ts'

/** The dependencies of a serverless runtime, built once and kept from call to call. */
export type Runtime = {
  config: Config
  store: Store
  clock: Clock
  dice: Dice
  planner: Planner
  telemetry: Telemetry
  /** Writes the metrics of the call, which ends with it. */
  flushMetrics(): void
  /** Calls HEARTBEAT_URL, if it is set. */
  ping: Ping
  /** Null in tests. */
  reporting: Reporting | null
  /** The size of a database that has a limit, as the last batch reported it; null if it is unknown. */
  databaseSize(): { bytes: number; limitBytes: number } | null
  destinations: Destinations
}

/** Reports a run of the scheduler: what was due at its start, its end, and, unless it failed, to HEARTBEAT_URL. */
export async function reportRun<T extends { handedOver: number }>(
  runtime: Runtime,
  run: { of: 'scheduler' | 'recovery'; runId: string },
  work: () => Promise<T>,
): Promise<T> {
  const { clock, telemetry } = runtime
  const startedAt = clock.now()
  let ended = { handedOver: 0, failed: true }
  telemetry({ kind: 'run', ...run, state: 'started' })
  try {
    if (run.of === 'scheduler') await Promise.all([reportBacklog(runtime), reportMissed(runtime)])
    const result = await work()
    ended = { handedOver: result.handedOver, failed: false }
    if (run.of === 'scheduler') await runtime.ping(telemetry)
    return result
  } finally {
    const size = runtime.databaseSize()
    if (size !== null) telemetry({ kind: 'database-size', ...size })
    telemetry({ kind: 'run', ...run, state: 'ended', durationMs: clock.now() - startedAt, ...ended })
  }
}

/** Never throws: a run has not failed because of it. */
async function reportBacklog({ store, clock, telemetry }: Runtime): Promise<void> {
  const now = clock.now()
  try {
    const { count, oldestAt } = await store.countOverdue(now)
    telemetry({ kind: 'backlog', count, oldestMs: oldestAt === null ? 0 : now - oldestAt })
  } catch (error) {
    telemetry({ kind: 'error', operation: 'count-overdue', error, retryInMs: null })
  }
}

/** Never throws: a run has not failed because of it. */
async function reportMissed({ store, clock, telemetry }: Runtime): Promise<void> {
  try {
    telemetry({ kind: 'missed', counts: await countMissed(store, clock.now()) })
  } catch (error) {
    telemetry({ kind: 'error', operation: 'count-missed', error, retryInMs: null })
  }
}

/** What the API needs. Nothing to wake: the scheduler finds what was planned. */
export function appDepsOf({ store, planner, clock, telemetry, config }: Runtime): AppDeps<Store> {
  const { deliverAt, notAfter, quietHours } = config
  const onPlanned = () => {}
  return { store, planner, clock, telemetry, deliverAt, notAfter, quietHours, onDemand: true, onPlanned }
}

/**
 * Replaces an error by a sentence: the platform logs a thrown error with all its fields, and a database error can contain a
 * person's data.
 */
export async function guarded<T>(
  { telemetry, flushMetrics }: Pick<Runtime, 'telemetry' | 'flushMetrics'>,
  operation: 'schedule' | 'recover' | 'consume',
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    telemetry({ kind: 'error', operation, error, retryInMs: null })
    throw new Error(`The operation ${operation} failed. See the previous log line. The next call retries.`)
  } finally {
    flushMetrics()
  }
}

/**
 * The default of LEASE_MS in serverless runtimes: longer than all receives of a message take, so that a poison message is
 * dead-lettered before its lease expires. An event whose queue message is lost is claimed again after the lease.
 */
export const QUEUE_LEASE_MS = 20 * 60_000

export function engineDepsOf(runtime: Runtime): EngineDeps {
  const { store, clock, dice, planner, telemetry, destinations, config } = runtime
  const { retryPolicy, lateness, keepResponses } = config
  const templates = createTemplates({ store, clock, telemetry })
  const policies = { retryPolicy, lateness, keepResponses }
  return { store, clock, dice, planner, telemetry, destinations, templates, ...policies }
}

export function dispatchDepsOf(runtime: Runtime, queue: Queue): EngineDeps & { queue: Queue } {
  return { ...engineDepsOf(runtime), queue }
}

export function dispatchSettingsOf(
  { config }: Runtime,
  run: Pick<DispatchSettings, 'claimedBy' | 'until' | 'mayContinue'>,
): DispatchSettings {
  return { leaseMs: config.leaseMs, batchSize: BATCH_SIZE, ...run }
}

export function consumerSettingsOf({ config }: Runtime): ConsumerSettings {
  const { leaseMs, concurrency } = config
  return { leaseMs, concurrency, breaker: BREAKER }
}

/** For how long settled events are kept: PRUNE_AFTER; null for ever. */
export function readKeep(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null
  const keepMs = parseShortDuration(text)
  if (keepMs !== undefined) return keepMs
  throw new ConfigError([`PRUNE_AFTER=${text} is not usable. Give a time such as 400d.`])
}
