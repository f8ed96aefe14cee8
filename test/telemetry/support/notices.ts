// Notices for the tests of metrics.
import type { Notice } from '../../../src/ports/telemetry.ts'
import { T0 } from '../../support/fixtures.ts'

export const attempt = (over: Partial<Notice & { kind: 'attempt' }> = {}): Notice & { kind: 'attempt' } => ({
  kind: 'attempt',
  eventId: '019b2279-4400-7000-8000-2f6b1c9d3e4a',
  userId: 'user-ada',
  taskId: null,
  eventType: 'BIRTHDAY',
  targetAt: T0,
  channel: 'hook',
  idempotencyKey: 'event-1',
  attempt: 1,
  retryCount: 0,
  outcome: 'delivered',
  statusCode: 200,
  error: null,
  durationMs: 40,
  lateMs: 300,
  ...over,
})

const counts = { delivered: 2, retried: 0, parked: 0, failed: 1, released: 0 }

export const settled = (type: string): Notice => ({ kind: 'settled', ...counts, byType: { [type]: counts } })

/** One notice of each kind that yields metrics. */
export const NOTICES: readonly Notice[] = [
  attempt(),
  settled('BIRTHDAY'),
  { kind: 'claimed', count: 40 },
  { kind: 'stale', claims: [{ eventId: 'event-ada', version: 2 }] },
  { kind: 'unknown', eventIds: ['event-ada'] },
  { kind: 'enqueued', applied: 2, rejected: [7] },
  { kind: 'error', operation: 'settle', error: new Error('said Ada'), retryInMs: null },
  {
    kind: 'timezones',
    release: '2026f',
    state: 'moved',
    zone: 'Cuba',
    people: 9,
    moved: 8,
    unmoved: 0,
    shiftMs: 1,
  },
  {
    kind: 'destination',
    channelId: 'id-1',
    channelName: 'hook',
    state: 'down',
    since: T0,
    error: 'HTTP 503',
  },
  { kind: 'channel', channelId: 'id-1', channelName: 'hook', status: 'HELD', reason: 'said Ada' },
  { kind: 'run', of: 'scheduler', state: 'ended', runId: 'run-ada', durationMs: 7, handedOver: 3 },
  { kind: 'backlog', count: 5, oldestMs: 90_000 },
  { kind: 'database-size', bytes: 1_000_000, limitBytes: 10_000_000_000 },
  { kind: 'dead-letters', count: 1 },
  {
    kind: 'missed',
    counts: { UNPLANNED: 2, MISPLANNED: 0, TWO_PLANNED: 0, STUCK: 1, UNACCOUNTED: 0, UNCHECKED: 0 },
  },
]
