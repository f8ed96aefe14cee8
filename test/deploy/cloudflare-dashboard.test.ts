// The Grafana dashboard for Cloudflare: each query reads a metric that the Worker writes, from the columns that it writes.
import { expect, it } from 'vitest'
import { COLUMNS } from '../../src/telemetry/data-points.ts'
import { errorMessage } from '../../src/telemetry/error-message.ts'
import { ALL_METRICS, LABELS, type MetricName } from '../../src/telemetry/metric-list.ts'
import { rowsOf, spansOf } from '../docs/support/tables.ts'
import { readRoot } from './support/deploy-files.ts'
import { readWrangler } from './support/wrangler.ts'

type Panel = { title: string; targets: { query: string }[] }
const { panels }: { panels: Panel[] } = JSON.parse(readRoot('deploy/cloudflare/dashboard.json'))
const queries = panels.flatMap(({ title, targets }) => targets.map(({ query }) => ({ title, query })))
const [{ dataset }] = readWrangler().analytics_engine_datasets

/** How the value of a metric is read, also where Analytics Engine has sampled the data points. */
const VALUES = {
  counter: `SUM(_sample_interval * ${COLUMNS.value}) AS value`,
  gauge: `(${COLUMNS.value}) AS value`,
  histogram: `(${COLUMNS.value}, toUInt32(_sample_interval * ${COLUMNS.count})) AS p`,
}

it.each(queries)('the Grafana dashboard reads "$title" from the columns of its metric', ({ query }) => {
  const name = new RegExp(`${COLUMNS.name} = '(\\w+)'`).exec(query)![1] as MetricName
  const { kind, labels } = ALL_METRICS[name]
  expect(query).toContain(VALUES[kind])
  // The worst value of an interval: of this gauge the lowest, 0 while a destination is down.
  if (name === 'terce_destination_up') expect(query).toContain('min(')
  expect(query).toContain(`FROM ${dataset} WHERE $timeFilter`)
  const grouped = [...query.matchAll(/(blob\d+) AS (\w+)/g)]
  expect(query).toContain(`GROUP BY ${['t', ...grouped.map(([, column]) => column)].join(', ')} ORDER BY`)
  for (const [, column, label] of grouped) {
    expect(labels).toContain(label)
    expect(COLUMNS[label as (typeof LABELS)[number]]).toBe(column)
  }
  const [, filtered] = / AND (blob\d+) = '/.exec(query) ?? []
  if (filtered !== undefined) expect(labels.map((label) => COLUMNS[label])).toContain(filtered)
})

it('docs/deploy-cloudflare.md describes the columns, and its alerts read metrics that the Grafana dashboard shows', () => {
  const page = 'docs/deploy-cloudflare.md'
  const rows = rowsOf(page, 'column', 'content')
  expect(rows.map(([column]) => spansOf(column!))).toEqual([
    [COLUMNS.name],
    [COLUMNS[LABELS[0]], COLUMNS[LABELS.at(-1)!]],
    [COLUMNS.value],
    [COLUMNS.count],
  ])
  expect(spansOf(rows[1]![1]!)).toEqual([...LABELS])
  const lines = readRoot('src/telemetry/log.ts') + errorMessage({ operation: 'close-day', retryInMs: null })
  for (const [, query, line] of rowsOf(page, 'alert', 'query')) {
    expect(lines).toContain(spansOf(line!)[0])
    expect(queries.map((one) => one.query).join()).toContain(spansOf(query!)[0])
  }
})
