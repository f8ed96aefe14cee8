// Metrics for Analytics Engine: one data point for each sum, in the columns that the dashboard queries.
import { describe, expect, it } from 'vitest'
import { COLUMNS, createDataPoints, type Dataset } from '../../src/telemetry/data-points.ts'
import { ALL_METRICS } from '../../src/telemetry/metric-list.ts'
import { attempt, NOTICES, settled } from './support/notices.ts'

type Point = Parameters<Dataset['writeDataPoint']>[0]

function create() {
  const points: Point[] = []
  const exporter = createDataPoints({ writeDataPoint: (point) => void points.push(point) })
  const flushed = () => {
    exporter.flush()
    return points.splice(0).map(asRow)
  }
  return { ...exporter, flushed }
}

/** The parts of a data point by name, as a query reads its columns; empty ones are left out. */
function asRow({ indexes, blobs, doubles }: Point) {
  const cells = { index: indexes, blob: blobs, double: doubles }
  const entries = Object.entries(COLUMNS).map(([part, column]) => {
    const [, kind, place] = /^(index|blob|double)(\d+)$/.exec(column)!
    return [part, cells[kind as 'blob'][Number(place) - 1]]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

describe('the data points', () => {
  it('have the name, the labels and the sum of a metric in their columns', () => {
    const { telemetry, flushed } = create()
    telemetry(settled('BIRTHDAY'))
    telemetry(settled('BIRTHDAY'))
    telemetry({ kind: 'backlog', count: 5, oldestMs: 90_000 })
    const name = 'terce_settled_events_total'
    expect(flushed()).toEqual([
      { name, type: 'BIRTHDAY', outcome: 'delivered', value: 4, count: 1 },
      { name, type: 'BIRTHDAY', outcome: 'failed', value: 2, count: 1 },
      { name: 'terce_due_events', value: 5, count: 1 },
      { name: 'terce_oldest_due_seconds', value: 90, count: 1 },
    ])
    expect(flushed()).toEqual([])
  })

  it('have the mean and the number of the values in each bucket of a histogram', () => {
    const { telemetry, flushed } = create()
    for (const lateMs of [300, 400, 90_000, 400_000_000]) telemetry(attempt({ lateMs }))
    const lateness = flushed().filter(({ name }) => name === 'terce_delivery_lateness_seconds')
    expect(lateness).toEqual([
      { name: 'terce_delivery_lateness_seconds', channel: 'hook', value: 0.35, count: 2 },
      { name: 'terce_delivery_lateness_seconds', channel: 'hook', value: 90, count: 1 },
      { name: 'terce_delivery_lateness_seconds', channel: 'hook', value: 400_000, count: 1 },
    ])
  })

  it('exist for every metric', () => {
    const { telemetry, flushed } = create()
    for (const notice of NOTICES) telemetry(notice)
    const names = new Set(flushed().map(({ name }) => name))
    expect([...names].sort()).toEqual(Object.keys(ALL_METRICS).sort())
  })

  it('are at most 250 in a flush, and counters come before histograms', () => {
    const { telemetry, flushed } = create()
    for (let i = 0; i < 2_000; i++)
      telemetry(attempt({ channel: `c${i % 30}`, lateMs: 50 * 1.4 ** (i % 40), durationMs: 2 ** (i % 16) }))
    telemetry({ kind: 'claimed', count: 1 })
    const rows = flushed()
    expect(rows).toHaveLength(250)
    expect(rows.map(({ name }) => name)).toContain('terce_claimed_events_total')
    expect(new Set(rows.map(({ channel }) => channel)).size).toBeLessThanOrEqual(22)
  })

  it('are written up to the first that Analytics Engine rejects, and the call does not fail', () => {
    const written: string[] = []
    const { telemetry, flush } = createDataPoints({
      writeDataPoint: ({ indexes }) => {
        if (written.length === 3) throw new Error('Too many data points.')
        written.push(...indexes)
      },
    })
    for (const notice of NOTICES) telemetry(notice)
    expect(flush).not.toThrow()
    expect(written).toHaveLength(3)
  })

  it('fit the limits of Analytics Engine: one index of 96 bytes, 20 blobs, 20 doubles', () => {
    for (const column of Object.values(COLUMNS))
      expect(column).toMatch(/^(index1|(blob|double)([1-9]|1\d|20))$/)
    expect(new Set(Object.values(COLUMNS)).size).toBe(Object.keys(COLUMNS).length)
    for (const name of Object.keys(ALL_METRICS)) expect(name.length).toBeLessThanOrEqual(96)
  })

  it('contain no id, name or error text of an event or a person', () => {
    const { telemetry, flushed } = create()
    for (const notice of NOTICES) telemetry(notice)
    expect(JSON.stringify(flushed())).not.toMatch(/ada|event-1|019b2279/i)
  })
})
