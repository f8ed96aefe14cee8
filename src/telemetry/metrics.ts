// Prometheus metrics of the notices of a process, and of its database.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Clock } from '../ports/clock.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { boundNames } from './bound-names.ts'
import {
  measureDatabase,
  type Pool,
  type ReadMissed,
  type ReadOverdue,
  type ReadWaiting,
} from './database-metrics.ts'
import { METRICS } from './metric-list.ts'
import { samplesOf } from './samples.ts'
import { createSeries } from './series.ts'

export type Metrics = {
  telemetry: Telemetry
  contentType: string
  /** The page that Prometheus reads. */
  render(): Promise<string>
}

export type MetricsDeps = {
  clock: Clock
  overdue: ReadOverdue
  missed: ReadMissed
  waiting: ReadWaiting
  /** Null for a database without a pool. */
  pool: (() => Pool) | null
  version: string
  tzVersion: string
}

export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  describeBuild(registry, deps)
  measureDatabase(registry, deps)
  return {
    telemetry: countNotices(registry),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  }
}

function describeBuild(registry: Registry, { version, tzVersion }: MetricsDeps): void {
  const registers = [registry]
  const labelNames = ['version'] as const
  const build = { name: 'terce_build_info', help: 'The version of Terce that runs.', labelNames, registers }
  const tzdb = {
    name: 'terce_tzdb_info',
    help: 'The IANA release that events are planned by.',
    labelNames,
    registers,
  }
  new Gauge(build).set({ version }, 1)
  new Gauge(tzdb).set({ version: tzVersion }, 1)
}

function countNotices(registry: Registry): Telemetry {
  const metrics = new Map(
    Object.entries(METRICS).map(([name, metric]) => [name, createSeries(name, metric, registry)]),
  )
  const boundType = boundNames()
  return (notice) => {
    for (const { name, labels, value } of samplesOf(notice)) {
      const { type } = labels
      metrics.get(name)?.(type === undefined ? labels : { ...labels, type: boundType(type) }, value)
    }
  }
}
