// Metrics for CloudWatch: lines that follow the specification of its embedded metric format, with bounded dimensions.
import { describe, expect, it } from 'vitest'
import { createEmf } from '../../src/telemetry/emf.ts'
import { ALL_METRICS } from '../../src/telemetry/metric-list.ts'
import { createTestClock, T0 } from '../support/fixtures.ts'
import { metricsIn, parseEmf } from './support/emf-schema.ts'
import { attempt, NOTICES, settled } from './support/notices.ts'

function create() {
  const lines: string[] = []
  const emf = createEmf(createTestClock(T0), { namespace: 'Terce/test', write: (line) => lines.push(line) })
  const flushed = () => {
    emf.flush()
    return lines.splice(0).map(parseEmf)
  }
  return { ...emf, flushed }
}

describe('the metrics for CloudWatch', () => {
  it('are lines that follow the specification, with the time and the namespace', () => {
    const { telemetry, flushed } = create()
    for (const notice of NOTICES) telemetry(notice)
    const documents = flushed()
    expect(documents.length).toBeGreaterThan(8)
    for (const { _aws } of documents) {
      expect(_aws.Timestamp).toBe(T0)
      expect(_aws.CloudWatchMetrics.map(({ Namespace }) => Namespace)).toEqual(['Terce/test'])
    }
    const named = documents.flatMap(({ _aws }) => _aws.CloudWatchMetrics[0]!.Metrics)
    for (const { Name, Unit } of named)
      expect(Unit, Name).toBe(ALL_METRICS[Name as keyof typeof ALL_METRICS].unit)
    expect([...new Set(named.map(({ Name }) => Name))].sort()).toEqual(Object.keys(ALL_METRICS).sort())
  })

  it('add up counters, keep each value of a histogram, and have one line for each combination of labels', () => {
    const { telemetry, flushed } = create()
    telemetry(attempt())
    telemetry(attempt({ lateMs: 700, durationMs: 60 }))
    const documents = flushed()
    expect(documents).toHaveLength(2)
    expect(documents.flatMap(metricsIn)).toEqual([
      'terce_deliveries_total{channel=hook,outcome=delivered} 2',
      'terce_deliveries_total{outcome=delivered} 2',
      'terce_delivery_duration_seconds{channel=hook} 0.04,0.06',
      'terce_delivery_duration_seconds{} 0.04,0.06',
      'terce_delivery_lateness_seconds{channel=hook} 0.3,0.7',
      'terce_delivery_lateness_seconds{} 0.3,0.7',
    ])
  })

  it('keep the last value of a gauge, and start again after each flush', () => {
    const { telemetry, flushed } = create()
    telemetry({ kind: 'backlog', count: 5, oldestMs: 90_000 })
    telemetry({ kind: 'backlog', count: 2, oldestMs: 30_000 })
    expect(flushed().flatMap(metricsIn)).toEqual(['terce_due_events{} 2', 'terce_oldest_due_seconds{} 30'])
    expect(flushed()).toEqual([])
  })

  it('write no more than a hundred values of a histogram into one line', () => {
    const { telemetry, flushed } = create()
    for (let i = 0; i < 250; i++) telemetry(attempt({ durationMs: i }))
    const durations = flushed().flatMap((line) => line.terce_delivery_duration_seconds ?? [])
    expect(durations).toHaveLength(250)
  })

  it('have bounded labels: no custom type, twenty channels, ASCII alone', () => {
    const { telemetry, flushed } = create()
    telemetry(settled('BIRTHDAY'))
    for (let i = 0; i < 50; i++) {
      telemetry(settled(`CUSTOM_${i}`))
      telemetry(attempt({ channel: `:canal nº ${i}` }))
    }
    const values = (label: string, documents: Record<string, unknown>[]) =>
      new Set(documents.flatMap((one) => one[label] ?? []))
    const documents = flushed()
    expect(values('type', documents)).toEqual(new Set(['BIRTHDAY', 'OTHER']))
    expect(values('channel', documents).size).toBe(21)
    expect(values('channel', documents)).toContain('?canal n? 7')
  })

  it('contain no id, name or error text of an event or a person', () => {
    const { telemetry, flushed } = create()
    for (const notice of NOTICES) telemetry(notice)
    expect(JSON.stringify(flushed())).not.toMatch(/ada|event-1|019b2279/i)
  })
})
