// Every metric that notices yield: its kind, labels and unit. Prometheus, CloudWatch and Analytics Engine use these names.

type Kind = 'counter' | 'gauge' | 'histogram'

export type MetricOf = {
  kind: Kind
  help: string
  unit: 'Count' | 'Seconds' | 'Bytes' | 'None'
  /** In an order in which the first one may be left out: see emf.ts. */
  labels: readonly Label[]
  /** The upper ends of the buckets of a histogram. */
  buckets?: readonly number[]
}

/** Few values each, and never a person. Analytics Engine stores a label in the column of its place: append only. */
export const LABELS = ['channel', 'type', 'outcome', 'state', 'status', 'operation', 'of', 'reason'] as const
export type Label = (typeof LABELS)[number]

const LATENESS_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400]
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

function counter(help: string, ...labels: Label[]): MetricOf {
  return { kind: 'counter', help, unit: 'Count', labels }
}

function state(help: string, label: Label): MetricOf {
  return { kind: 'gauge', help, unit: 'None', labels: ['channel', label] }
}

function seconds(help: string, buckets: readonly number[]): MetricOf {
  return { kind: 'histogram', help, unit: 'Seconds', labels: ['channel'], buckets }
}

/** Reported by every runtime. */
export const METRICS = {
  terce_deliveries_total: counter('Delivery attempts, by outcome.', 'channel', 'outcome'),
  terce_delivery_lateness_seconds: seconds(
    'From the instant an event was due to the start of its first attempt.',
    LATENESS_BUCKETS,
  ),
  terce_delivery_duration_seconds: seconds('How long an attempt took.', DURATION_BUCKETS),
  terce_settled_events_total: counter('Settled events, by type and outcome.', 'type', 'outcome'),
  terce_claim_batches_total: counter('Batches of due events claimed.'),
  terce_claimed_events_total: counter('Due events claimed.'),
  terce_stale_settlements_total: counter('Settlements that were not written: the claim was lost.'),
  terce_unknown_attempts_total: counter('Attempts with an unknown outcome, which were repeated.'),
  terce_tz_moved_total: counter('Pending events moved because timezone rules changed.'),
  terce_enqueued_changes_total: counter('Changes enqueued by SQL, by outcome.', 'outcome'),
  terce_errors_total: counter('Operations of Terce that failed.', 'operation'),
  terce_destination_up: {
    kind: 'gauge',
    help: '0 while the destination of a channel is down, 1 when it is up again or no message waits for it.',
    unit: 'None',
    labels: ['channel'],
  },
  terce_channel_status: state('1 for the status of a channel, once it has changed.', 'status'),
} satisfies Record<string, MetricOf>

/** Reported by the runs of a scheduler and its queue. Node has no such runs, and reads some of them at each scrape. */
export const RUN_METRICS = {
  terce_due_events: gauge('Events that are due and not claimed.', 'Count'),
  terce_oldest_due_seconds: gauge(
    'How long the oldest event that is due and not claimed has been due; 0 if there is none.',
    'Seconds',
  ),
  terce_runs_total: counter('Runs of a scheduler, by outcome.', 'outcome', 'of'),
  terce_handed_over_events_total: counter('Due events handed to the queue.'),
  terce_dead_letters_total: counter('Events that failed because their queue message was received too often.'),
  terce_database_bytes: gauge('The size of the database.', 'Bytes'),
  terce_missed: {
    kind: 'gauge',
    help: 'Problems that can miss a person, by reason. Must be 0.',
    unit: 'Count',
    labels: ['reason'],
  },
} satisfies Record<string, MetricOf>

function gauge(help: string, unit: MetricOf['unit']): MetricOf {
  return { kind: 'gauge', help, unit, labels: [] }
}

export type MetricName = keyof typeof METRICS | keyof typeof RUN_METRICS

export const ALL_METRICS: Readonly<Record<MetricName, MetricOf>> = { ...METRICS, ...RUN_METRICS }
