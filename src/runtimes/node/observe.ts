// What a process tells of itself: log lines and metrics from one stream of notices.
import type { Logger } from 'pino'
import { createLive, type Live } from '../../app/dashboard/live.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { combine } from '../../telemetry/combine.ts'
import { logTelemetry } from '../../telemetry/log.ts'
import { createMetrics, type Metrics } from '../../telemetry/metrics.ts'
import { VERSION } from '../config/version.ts'
import type { Database } from './database.ts'

export type Observed = {
  logger: Logger
  telemetry: Telemetry
  metrics: Metrics
  live: Live
}

export function observe(
  logger: Logger,
  { store, clock, pool }: Pick<Database, 'store' | 'clock' | 'pool'>,
  table: TimezoneTable,
): Observed {
  const live = createLive(clock)
  const missed = (now: number) => store.countOverdue(now)
  const metrics = createMetrics({
    clock,
    missed,
    pool,
    version: VERSION,
    tzVersion: table.version,
  })
  return {
    logger,
    telemetry: combine(logTelemetry(logger), metrics.telemetry, live.telemetry),
    metrics,
    live,
  }
}
