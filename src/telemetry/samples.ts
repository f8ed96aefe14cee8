// Which metrics a notice yields. The only place that knows: every exporter of metrics reads samples.
import type { Notice } from '../ports/telemetry.ts'
import type { Label, MetricName } from './metric-list.ts'

/** A counter grows by the value, a histogram observes it, a gauge is set to it. */
export type Sample = { name: MetricName; value: number; labels: Labels }
export type Labels = Readonly<Partial<Record<Label, string>>>

const CHANNEL_STATUSES = ['ACTIVE', 'HELD', 'DISABLED'] as const
const NONE: Labels = {}

export function samplesOf(notice: Notice): Sample[] {
  switch (notice.kind) {
    case 'attempt':
      return ofAttempt(notice)
    case 'claimed':
      return [sample('terce_claim_batches_total', 1), sample('terce_claimed_events_total', notice.count)]
    case 'unknown':
      return [sample('terce_unknown_attempts_total', notice.eventIds.length)]
    case 'stale':
      return [sample('terce_stale_settlements_total', notice.claims.length)]
    case 'settled':
      return ofSettled(notice)
    case 'enqueued':
      return [
        sample('terce_enqueued_changes_total', notice.applied, { outcome: 'applied' }),
        sample('terce_enqueued_changes_total', notice.rejected.length, { outcome: 'rejected' }),
      ]
    case 'error':
      return [sample('terce_errors_total', 1, { operation: notice.operation })]
    case 'timezones':
      return notice.state === 'moved' ? [sample('terce_tz_moved_total', notice.moved)] : []
    case 'destination':
      return [
        sample('terce_destination_up', notice.state === 'down' ? 0 : 1, { channel: notice.channelName }),
      ]
    case 'channel':
      return CHANNEL_STATUSES.map((status) =>
        sample('terce_channel_status', status === notice.status ? 1 : 0, {
          channel: notice.channelName,
          status,
        }),
      )
    case 'run':
      return ofRun(notice)
    case 'backlog':
      return [
        sample('terce_due_events', notice.count),
        sample('terce_oldest_due_seconds', notice.oldestMs / 1000),
      ]
    case 'database-size':
      return [sample('terce_database_bytes', notice.bytes)]
    case 'missed':
      return Object.entries(notice.counts).map(([reason, count]) => sample('terce_missed', count, { reason }))
    case 'dead-letters':
      return [sample('terce_dead_letters_total', notice.count)]
    case 'ledger':
    case 'audit':
    case 'untrusted-proxy':
    case 'environment':
    case 'recovery':
    case 'waiting':
    case 'listening':
    case 'recovery-started':
    case 'unhandled':
    case 'attempt-started':
    case 'rescheduled':
    case 'reschedule-skipped':
      return []
  }
}

function sample(name: MetricName, value: number, labels = NONE): Sample {
  return { name, value, labels }
}

function ofAttempt(notice: Notice & { kind: 'attempt' }): Sample[] {
  const { channel, retryCount, outcome, lateMs, durationMs } = notice
  const samples = [
    sample('terce_deliveries_total', 1, { channel, outcome }),
    sample('terce_delivery_duration_seconds', durationMs / 1000, { channel }),
  ]
  // Once for each event: released attempts do not count.
  if (retryCount === 0 && outcome !== 'released')
    samples.push(sample('terce_delivery_lateness_seconds', lateMs / 1000, { channel }))
  return samples
}

function ofSettled({ byType }: Notice & { kind: 'settled' }): Sample[] {
  return Object.entries(byType).flatMap(([type, counts]) =>
    Object.entries(counts).flatMap(([outcome, count]) =>
      count > 0 ? [sample('terce_settled_events_total', count, { type, outcome })] : [],
    ),
  )
}

function ofRun(notice: Notice & { kind: 'run' }): Sample[] {
  if (notice.state === 'started') return []
  const { of, failed, handedOver } = notice
  const runs = sample('terce_runs_total', 1, { outcome: failed ? 'failed' : 'done', of })
  return handedOver === undefined ? [runs] : [runs, sample('terce_handed_over_events_total', handedOver)]
}
