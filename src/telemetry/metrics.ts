// Turns notices into Prometheus metrics. Labels are channels, types, outcomes, operations and versions: few, and never a person.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../ports/clock.ts'
import type { Notice, Telemetry } from '../ports/telemetry.ts'
import { measureDatabase, type Pool, type ReadOverdue } from './database-metrics.ts'
import { boundTypes } from './event-types.ts'

export type Metrics = {
  telemetry: Telemetry
  contentType: string
  /** The page that Prometheus reads. */
  render(): Promise<string>
}

export type MetricsDeps = {
  clock: Clock
  overdue: ReadOverdue
  /** Null for a database without a pool. */
  pool: (() => Pool) | null
  version: string
  tzVersion: string
}

const LATENESS_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400]
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  describeBuild(registry, deps)
  measureDatabase(registry, deps)
  return {
    telemetry: countNotices(registers),
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

const BREAKER_STATES = ['closed', 'open', 'half-open'] as const
const CHANNEL_STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED'] as const

function countNotices(registers: Registry[]): Telemetry {
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers })
  const deliveries = counter('terce_deliveries_total', 'Delivery attempts, by outcome.', [
    'channel',
    'outcome',
  ])
  const lateness = new Histogram({
    name: 'terce_delivery_lateness_seconds',
    help: 'From the instant an event was due to the start of its first attempt.',
    labelNames: ['channel'],
    buckets: LATENESS_BUCKETS,
    registers,
  })
  const duration = new Histogram({
    name: 'terce_delivery_duration_seconds',
    help: 'How long an attempt took.',
    labelNames: ['channel'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  const settled = counter('terce_settled_events_total', 'Settled events, by type and outcome.', [
    'type',
    'outcome',
  ])
  const boundType = boundTypes()
  const batches = counter('terce_claim_batches_total', 'Batches of due events claimed.')
  const claimed = counter('terce_claimed_events_total', 'Due events claimed.')
  const stale = counter(
    'terce_stale_settlements_total',
    'Settlements that were not written: the claim was lost.',
  )
  const unknown = counter(
    'terce_unknown_attempts_total',
    'Attempts with an unknown outcome, which were repeated.',
  )
  const movedByLaw = counter('terce_tz_moved_total', 'Pending events moved because timezone rules changed.')
  const enqueued = counter('terce_enqueued_changes_total', 'Changes enqueued by SQL, by outcome.', [
    'outcome',
  ])
  const errors = counter('terce_errors_total', 'Operations of Terce that failed.', ['operation'])
  const breaker = new Gauge({
    name: 'terce_breaker_state',
    help: '1 for the state of the circuit breaker of a channel.',
    labelNames: ['channel', 'state'],
    registers,
  })
  const status = new Gauge({
    name: 'terce_channel_status',
    help: '1 for the status of a channel, once it has changed.',
    labelNames: ['channel', 'status'],
    registers,
  })

  function onAttempt({
    channel,
    retryCount,
    outcome,
    lateMs,
    durationMs,
  }: Notice & { kind: 'attempt' }): void {
    deliveries.inc({ channel, outcome })
    duration.observe({ channel }, durationMs / 1000)
    // Once for each event: parked and released attempts do not count.
    if (retryCount === 0 && outcome !== 'parked' && outcome !== 'released')
      lateness.observe({ channel }, Math.max(0, lateMs) / 1000)
  }

  return (notice) => {
    switch (notice.kind) {
      case 'attempt':
        return onAttempt(notice)
      case 'claimed':
        batches.inc()
        return claimed.inc(notice.count)
      case 'unknown':
        return unknown.inc(notice.eventIds.length)
      case 'stale':
        return stale.inc(notice.claims.length)
      case 'settled':
        for (const [type, counts] of Object.entries(notice.byType))
          for (const [outcome, count] of Object.entries(counts))
            if (count > 0) settled.inc({ type: boundType(type), outcome }, count)
        return
      case 'enqueued':
        enqueued.inc({ outcome: 'applied' }, notice.applied)
        return enqueued.inc({ outcome: 'rejected' }, notice.rejected.length)
      case 'error':
        return errors.inc({ operation: notice.operation })
      case 'timezones':
        if (notice.state === 'moved') movedByLaw.inc(notice.moved)
        return
      case 'breaker': {
        const channel = notice.channelName
        for (const state of BREAKER_STATES) breaker.set({ channel, state }, state === notice.state ? 1 : 0)
        return
      }
      case 'channel': {
        const channel = notice.channelName
        for (const one of CHANNEL_STATUSES)
          status.set({ channel, status: one }, one === notice.status ? 1 : 0)
        return
      }
      case 'recovery':
      case 'waiting':
      case 'recovery-started':
      case 'run':
      case 'attempt-started':
      case 'rescheduled':
      case 'reschedule-skipped':
        return
    }
  }
}
