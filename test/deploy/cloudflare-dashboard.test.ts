// The Grafana dashboard for Cloudflare: each query reads a metric that the Worker writes, from the columns that it writes.
import { describe, expect, it } from 'vitest'
import { COLUMNS } from '../../src/telemetry/data-points.ts'
import { errorMessage } from '../../src/telemetry/error-message.ts'
import { ALL_METRICS, LABELS, type MetricName } from '../../src/telemetry/metric-list.ts'
import { rowsOf, spansOf } from '../docs/support/tables.ts'
import { readRoot } from './support/deploy-files.ts'
import { readWrangler } from './support/wrangler.ts'

type Panel = { id: number; title: string; gridPos: object; targets: { query: string; table: string }[] }
const { panels }: { panels: Panel[] } = JSON.parse(readRoot('deploy/cloudflare/dashboard.json'))
const queries = panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, ...target })))

/** The expressions that give a metric's value, also where Analytics Engine has sampled the data points. */
const VALUES = {
  counter: [`SUM(_sample_interval * ${COLUMNS.value}) AS value`],
  gauge: [`max(${COLUMNS.value}) AS value`],
  histogram: ['0.5', '0.99'].map(
    (level) =>
      `quantileExactWeighted(${level})(${COLUMNS.value}, toUInt32(_sample_interval * ${COLUMNS.count})) AS p${level.slice(2).padEnd(2, '0')}`,
  ),
}

/** The query for a metric by these labels. */
function queryOf(name: MetricName, by: readonly string[], where: string): string {
  const columns = by.map((label) => COLUMNS[label as 'channel'])
  const labels = by.map((label, i) => `${columns[i]} AS ${label}`)
  // The worst value of an interval: of a gauge that is 0 while a receiver is down, the lowest.
  const values = VALUES[ALL_METRICS[name].kind].map((value) =>
    name === 'terce_destination_up' ? value.replace('max(', 'min(') : value,
  )
  const [{ dataset }] = readWrangler().analytics_engine_datasets
  const grouped = ['t', ...columns].join(', ')
  return [
    `SELECT ${['$timeSeries AS t', ...labels, ...values].join(', ')}`,
    `FROM ${dataset} WHERE $timeFilter AND ${COLUMNS.name} = '${name}'${where}`,
    `GROUP BY ${grouped} ORDER BY ${grouped}`,
  ].join(' ')
}

describe('the dashboard for Cloudflare', () => {
  it.each(queries)('reads "$title" from the columns of its metric', ({ query }) => {
    const name = new RegExp(`${COLUMNS.name} = '(\\w+)'`).exec(query)![1] as MetricName
    expect(Object.keys(ALL_METRICS)).toContain(name)
    const by = [...query.matchAll(/blob\d+ AS (\w+)/g)].map(([, label]) => label!)
    const [where = '', filtered] = / AND (blob\d+) = '[\w-]+'/.exec(query) ?? []
    const filter = LABELS.filter((label) => COLUMNS[label] === filtered)
    expect([...ALL_METRICS[name].labels].sort()).toEqual(expect.arrayContaining([...by, ...filter].sort()))
    expect(query).toBe(queryOf(name, by, where))
  })

  it('shows lateness, outcomes, backlog, errors, destinations, runs, dead letters, the database and the ledger', () => {
    const shown = queries.map(({ query }) => /terce_\w+/.exec(query)![0])
    for (const name of [
      'terce_delivery_lateness_seconds',
      'terce_settled_events_total',
      'terce_deliveries_total',
      'terce_due_events',
      'terce_oldest_due_seconds',
      'terce_errors_total',
      'terce_destination_up',
      'terce_runs_total',
      'terce_dead_letters_total',
      'terce_database_bytes',
      'terce_ledger_unexplained',
      'terce_ledger_surplus',
      'terce_ledger_unclosed_days',
    ])
      expect(shown).toContain(name)
  })

  it('has columns that docs/deploy-cloudflare.md describes', () => {
    const page = 'docs/deploy-cloudflare.md'
    const rows = rowsOf(page, 'column', 'content')
    expect(rows.map(([column]) => spansOf(column!))).toEqual([
      [COLUMNS.name],
      [COLUMNS[LABELS[0]], COLUMNS[LABELS.at(-1)!]],
      [COLUMNS.value],
      [COLUMNS.count],
    ])
    expect(spansOf(rows[1]![1]!)).toEqual([...LABELS])
    const ofErrors = errorMessage({ operation: 'close-day', retryInMs: null })
    const lines = `${readRoot('src/telemetry/log.ts')}${ofErrors}`
    for (const [, query, line] of rowsOf(page, 'alert', 'query')) {
      expect(Object.keys(ALL_METRICS)).toContain(spansOf(query!)[0])
      expect(lines).toContain(spansOf(line!)[0])
      expect(queries.map((one) => one.query).join()).toContain(spansOf(query!)[0])
    }
  })

  it('has panels of different places and numbers', () => {
    const places = panels.map(({ gridPos }) => JSON.stringify(gridPos))
    expect(new Set(places).size).toBe(panels.length)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })
})
