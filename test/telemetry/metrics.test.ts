// The Prometheus page: every metric by name, bounded labels, and a page even while the database is down.
import { describe, expect, it } from 'vitest'
import type { Overdue } from '../../src/ports/store.ts'
import { createMetrics, type MetricsDeps } from '../../src/telemetry/metrics.ts'
import { createTestClock, SECOND, T0 } from '../support/fixtures.ts'
import { attempt } from './support/notices.ts'

const NONE: Overdue = { count: 0, oldestAt: null, newestAt: null }

function create(over: Partial<MetricsDeps> = {}) {
  const clock = createTestClock(T0)
  const metrics = createMetrics({
    clock,
    overdue: async () => NONE,
    missed: async () => ({ UNPLANNED: 0 }),
    waiting: async () => [],
    pool: null,
    version: '1.2.3',
    tzVersion: '2026f',
    ...over,
  })
  const lines = async () => (await metrics.render()).split('\n').filter((line) => line.startsWith('terce_'))
  return { ...metrics, clock, lines }
}

describe('the metrics', () => {
  it('count deliveries by channel and outcome, with their lateness and duration', async () => {
    const { telemetry, lines } = create()
    telemetry(attempt())
    telemetry(attempt({ outcome: 'retry', error: 'HTTP 503', durationMs: 2_000 }))
    telemetry(attempt({ attempt: 2, retryCount: 1, lateMs: 5_300 }))
    telemetry(attempt({ channel: 'mail', outcome: 'released', lateMs: 90_000 }))
    telemetry(attempt({ channel: 'sms', attempt: 14, lateMs: 90_000 }))
    const page = await lines()
    expect(page).toEqual(
      expect.arrayContaining([
        'terce_deliveries_total{channel="hook",outcome="delivered"} 2',
        'terce_deliveries_total{channel="hook",outcome="retry"} 1',
        'terce_deliveries_total{channel="mail",outcome="released"} 1',
        'terce_delivery_lateness_seconds_count{channel="hook"} 2',
        'terce_delivery_lateness_seconds_sum{channel="hook"} 0.6',
        'terce_delivery_lateness_seconds_sum{channel="sms"} 90',
        'terce_delivery_lateness_seconds_bucket{le="0.25",channel="hook"} 0',
        'terce_delivery_lateness_seconds_bucket{le="0.5",channel="hook"} 2',
        'terce_delivery_duration_seconds_count{channel="hook"} 3',
        'terce_delivery_duration_seconds_bucket{le="0.05",channel="hook"} 2',
      ]),
    )
    expect(
      page.filter((line) => /lateness.*mail/.test(line)),
      'a released attempt does not count',
    ).toEqual([])
  })

  it('count claims, lost claims, unknown attempts, errors by operation, and events moved by new timezone rules', async () => {
    const { telemetry, lines } = create()
    telemetry({ kind: 'claimed', count: 40 })
    telemetry({ kind: 'claimed', count: 2 })
    telemetry({ kind: 'stale', claims: ['a', 'b'].map((eventId) => ({ eventId, version: 2 })) })
    telemetry({ kind: 'unknown', eventIds: ['a', 'b', 'c'] })
    telemetry({ kind: 'error', operation: 'settle', error: new Error('x'), retryInMs: null })
    const zone = { kind: 'timezones', release: '2026f', zone: 'Cuba' } as const
    telemetry({ ...zone, state: 'moving', people: 10_000, moved: 9_000 })
    telemetry({ ...zone, state: 'moved', people: 12_000, moved: 11_000, unmoved: 7, shiftMs: -3_600_000 })
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'terce_claim_batches_total 2',
        'terce_claimed_events_total 42',
        'terce_stale_settlements_total 2',
        'terce_unknown_attempts_total 3',
        'terce_errors_total{operation="settle"} 1',
        'terce_tz_moved_total 11000',
      ]),
    )
  })

  it('count settled events by type and outcome, and by no more than twenty types', async () => {
    const { telemetry, lines } = create()
    const counts = { delivered: 2, retried: 0, parked: 3, failed: 1, released: 0 }
    const settle = (type: string) => telemetry({ kind: 'settled', ...counts, byType: { [type]: counts } })
    settle('BIRTHDAY')
    settle('TASK_REMINDER')
    settle('TASK_REMINDER')
    const page = await lines()
    expect(page.filter((line) => line.startsWith('terce_settled'))).toEqual([
      'terce_settled_events_total{type="BIRTHDAY",outcome="delivered"} 2',
      'terce_settled_events_total{type="BIRTHDAY",outcome="parked"} 3',
      'terce_settled_events_total{type="BIRTHDAY",outcome="failed"} 1',
      'terce_settled_events_total{type="TASK_REMINDER",outcome="delivered"} 4',
      'terce_settled_events_total{type="TASK_REMINDER",outcome="parked"} 6',
      'terce_settled_events_total{type="TASK_REMINDER",outcome="failed"} 2',
    ])
    for (let i = 0; i < 100; i++) settle(`CUSTOM_${i}`)
    const types = (await lines()).filter((line) => /^terce_settled.*delivered/.test(line))
    expect(types).toHaveLength(21)
    expect(types).toContain('terce_settled_events_total{type="OTHER",outcome="delivered"} 164')
  })

  it('show the current state of a destination and a channel', async () => {
    const { telemetry, lines } = create()
    const destination = { kind: 'destination', channelId: 'id-1', channelName: 'hook', since: T0 } as const
    telemetry({ ...destination, state: 'up', error: null })
    telemetry({ ...destination, state: 'down', error: 'HTTP 503' })
    telemetry({
      kind: 'channel',
      channelId: 'id-1',
      channelName: 'hook',
      status: 'HELD',
      reason: 'HTTP 401',
    })
    expect((await lines()).filter((line) => /destination_up|channel_status/.test(line))).toEqual([
      'terce_destination_up{channel="hook"} 0',
      'terce_channel_status{channel="hook",status="ACTIVE"} 0',
      'terce_channel_status{channel="hook",status="HELD"} 1',
      'terce_channel_status{channel="hook",status="DISABLED"} 0',
    ])
  })

  it('show how long the oldest due event has been waiting', async () => {
    const { lines } = create({
      overdue: async () => ({ count: 7, oldestAt: T0 - 90 * SECOND, newestAt: T0 }),
    })
    expect(await lines()).toEqual(
      expect.arrayContaining(['terce_due_events 7', 'terce_oldest_due_seconds 90', 'terce_database_up 1']),
    )
  })

  it('show how many problems can miss a person, by reason, and 0 if all is well', async () => {
    const page = await create({ missed: async () => ({ UNPLANNED: 2, STUCK: 0 }) }).lines()
    expect(page.filter((line) => line.startsWith('terce_missed'))).toEqual([
      'terce_missed{reason="UNPLANNED"} 2',
      'terce_missed{reason="STUCK"} 0',
    ])
  })

  it('leave out the database figures while the database is down', async () => {
    const lines = await create({ overdue: async () => null, missed: async () => null }).lines()
    expect(lines).toEqual(expect.arrayContaining(['terce_database_up 0', 'terce_claim_batches_total 0']))
    expect(lines.filter((line) => /_due_|_missed/.test(line))).toEqual([])
  })

  it('show the connection pool if there is one', async () => {
    const pool = () => ({ total: 10, idle: 4, waiting: 3 })
    expect(await create({ pool }).lines()).toEqual(
      expect.arrayContaining([
        'terce_database_connections{state="busy"} 6',
        'terce_database_connections{state="idle"} 4',
        'terce_database_waiting 3',
      ]),
    )
    expect((await create().lines()).join()).not.toContain('connections')
  })

  it('name the version, the timezone data and the process, and are separate for each instance', async () => {
    const one = create()
    const other = create()
    one.telemetry({ kind: 'claimed', count: 1 })
    const page = await one.render()
    expect(page).toContain('terce_build_info{version="1.2.3"} 1')
    expect(page).toContain('terce_tzdb_info{version="2026f"} 1')
    expect(page).toContain('process_resident_memory_bytes')
    expect(await other.lines()).toContain('terce_claim_batches_total 0')
  })

  it('contain no id, name or error text of an event or a person', async () => {
    const { telemetry, render } = create()
    telemetry(attempt({ error: 'said Ada', outcome: 'failed' }))
    telemetry({ kind: 'rescheduled', userId: 'user-ada', rescheduled: 1, skipped: 0 })
    telemetry({
      kind: 'reschedule-skipped',
      userId: 'user-ada',
      eventId: 'event-ada',
      currentStatus: 'PROCESSING',
    })
    telemetry({
      kind: 'error',
      operation: 'plan-successor',
      eventId: 'event-ada',
      error: new Error('ada'),
      retryInMs: null,
    })
    expect(await render()).not.toMatch(/ada|event-1|019b2279/i)
  })
})
