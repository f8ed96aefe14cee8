// Prometheus metrics of the notices of a process, and of its database.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../ports/clock.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { boundNames } from './bound-names.ts'
import {
  measureDatabase,
  type Pool,
  type ReadOverdue,
  type ReadUnsound,
  type ReadWaiting,
} from './database-metrics.ts'
import { METRICS, type MetricOf } from './metric-list.ts'
import { type Labels, samplesOf } from './samples.ts'

export type Metrics = {
  telemetry: Telemetry
  contentType: string
  /** The page that Prometheus reads. */
  render(): Promise<string>
}

export type MetricsDeps = {
  clock: Clock
  overdue: ReadOverdue
  unsound: ReadUnsound
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
    telemetry: countNotices([registry]),
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

type Record = (labels: Labels, value: number) => void

function countNotices(registers: Registry[]): Telemetry {
  const metrics = new Map(
    Object.entries(METRICS).map(([name, metric]) => [name, recorder(name, metric, registers)]),
  )
  const boundType = boundNames()
  return (notice) => {
    for (const { name, labels, value } of samplesOf(notice)) {
      const { type } = labels
      metrics.get(name)?.(type === undefined ? labels : { ...labels, type: boundType(type) }, value)
    }
  }
}

function recorder(name: string, { kind, help, labels, buckets }: MetricOf, registers: Registry[]): Record {
  const settings = { name, help, labelNames: [...labels], registers }
  switch (kind) {
    case 'counter': {
      const counter = new Counter(settings)
      return (of, value) => counter.inc(of, value)
    }
    case 'gauge': {
      const gauge = new Gauge(settings)
      return (of, value) => gauge.set(of, value)
    }
    case 'histogram': {
      const histogram = new Histogram({ ...settings, buckets: [...buckets!] })
      return (of, value) => histogram.observe(of, value)
    }
  }
}
