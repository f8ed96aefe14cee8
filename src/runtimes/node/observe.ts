// The telemetry of a process: log lines and metrics, from one stream of notices.
import type { Logger } from 'pino'
import { createTtlCache } from '../../app/cached.ts'
import { createStoppedReader } from '../../app/dashboard/stopped.ts'
import { countMissed } from '../../app/ledger/missed.ts'
import { withDeadline } from '../../engine/timing.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { combine } from '../../telemetry/combine.ts'
import { limitLines } from '../../telemetry/limit-lines.ts'
import { logTelemetry } from '../../telemetry/log.ts'
import { createMetrics, type Metrics } from '../../telemetry/metrics.ts'
import type { Config } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import type { Database } from './database.ts'

export type Observed = {
  logger: Logger
  telemetry: Telemetry
  metrics: Metrics
}

/** Scrapes within this time share one query. */
const SCRAPE_TTL_MS = 5_000
/** A scrape does not wait longer: a page without these figures is better than none. */
const PATIENCE_MS = 2_000

export function observe(
  logger: Logger,
  { store, clock, pool }: Pick<Database, 'store' | 'clock' | 'pool'>,
  { timezoneTable: table, logAttempts: attempts }: Pick<Config, 'timezoneTable' | 'logAttempts'>,
): Observed {
  const lines = limitLines(logTelemetry(logger), { clock, attempts })
  /** A query that the gauges of a scrape share; null if the database fails or is too slow. */
  const inTime = <T>(query: (now: number) => Promise<T>) =>
    createTtlCache(clock, SCRAPE_TTL_MS, () => {
      const now = clock.now()
      return withDeadline(clock, now + PATIENCE_MS, query(now)).catch(() => null)
    })
  const overdue = inTime((now) => store.countOverdue(now))
  const missed = inTime((now) => countMissed(store, now))
  const readStopped = createStoppedReader({ store, clock })
  const waiting = inTime(() => readStopped())
  const metrics = createMetrics({
    clock,
    overdue: () => overdue.get(),
    missed: () => missed.get(),
    waiting: () => waiting.get(),
    pool,
    version: VERSION,
    tzVersion: table.version,
  })
  return {
    logger,
    telemetry: combine(lines, metrics.telemetry),
    metrics,
  }
}
