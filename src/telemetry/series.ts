// The values of one metric of notices by label. prom-client validates, copies and hashes the labels in each call, which took 12 µs
// for each message; here it only writes the page.
import type { Metric, Registry } from 'prom-client'
import type { MetricOf } from './metric-list.ts'
import type { Labels } from './samples.ts'

/** `counts`: of a histogram, the values in each bucket; the last one is without an upper end. */
type Series = { labels: Labels; sum: number; counts: number[] }

export type RecordValue = (labels: Labels, value: number) => void

export function createSeries(name: string, metric: MetricOf, registry: Registry): RecordValue {
  const { kind, help, labels: names, buckets = [] } = metric
  const all = new Map<string, Series>()

  function seriesOf(labels: Labels): Series {
    let key = ''
    for (const label of names) key += `${labels[label]}\n`
    let series = all.get(key)
    if (series === undefined) {
      series = { labels, sum: 0, counts: Array.from({ length: buckets.length + 1 }, () => 0) }
      all.set(key, series)
    }
    return series
  }

  function valuesOf({ labels, sum, counts }: Series) {
    if (kind !== 'histogram') return [{ labels, value: sum }]
    let count = 0
    const upTo = counts.map((more, i) => {
      count += more
      return { metricName: `${name}_bucket`, labels: { le: buckets[i] ?? '+Inf', ...labels }, value: count }
    })
    return [
      ...upTo,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }

  // A metric without labels is on the page before its first value.
  if (names.length === 0) seriesOf({})
  const get = async () => ({ name, help, type: kind, values: [...all.values()].flatMap(valuesOf) })
  registry.registerMetric({ name, get } as unknown as Metric)

  return (labels, value) => {
    const series = seriesOf(labels)
    series.sum = kind === 'gauge' ? value : series.sum + value
    if (kind !== 'histogram') return
    let bucket = 0
    while (bucket < buckets.length && value > buckets[bucket]!) bucket += 1
    series.counts[bucket]! += 1
  }
}
