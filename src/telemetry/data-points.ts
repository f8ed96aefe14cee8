// Metrics for Cloudflare's Analytics Engine as data points, a row each. deploy/cloudflare/dashboard.json queries them.
import { boundNames } from './bound-names.ts'
import { ALL_METRICS, LABELS, type Label } from './metric-list.ts'
import { createSums, type Exporter, type Sum } from './sums.ts'

/** The part of the binding that is used. */
export type Dataset = {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void
}

/**
 * The column of each part of a data point. `value`: the sum of a counter, the value of a gauge, or the mean of the values of a
 * histogram that fall into one bucket. `count`: how many values those are.
 */
export const COLUMNS = {
  name: 'index1',
  value: 'double1',
  count: 'double2',
  ...(Object.fromEntries(LABELS.map((label, i) => [label, `blob${i + 1}`])) as Record<Label, string>),
}

/**
 * The limit of Analytics Engine for one invocation of a Worker: developers.cloudflare.com/analytics/analytics-engine/limits
 * (25 before Cloudflare raised it). The many points of histograms come last: above the limit `writeDataPoint` throws.
 */
const MOST_POINTS = 250

export function createDataPoints(dataset: Dataset): Exporter {
  const boundChannel = boundNames()
  const boundType = boundNames()
  const { telemetry, take } = createSums(({ channel, type, ...labels }) => ({
    ...(channel !== undefined && { channel: boundChannel(channel) }),
    ...(type !== undefined && { type: boundType(type) }),
    ...labels,
  }))
  return {
    telemetry,
    flush() {
      const isHistogram = ({ name }: Sum) => ALL_METRICS[name].kind === 'histogram'
      const points = take()
        .sort((a, b) => Number(isHistogram(a)) - Number(isHistogram(b)))
        .flatMap(pointsOf)
      try {
        for (const point of points.slice(0, MOST_POINTS)) dataset.writeDataPoint(point)
      } catch {
        // A call that flushes twice can exceed the limit. It loses the other points, and does not fail because of them.
      }
    },
  }
}

function pointsOf({ name, labels, values }: Sum): Parameters<Dataset['writeDataPoint']>[0][] {
  const { buckets = [] } = ALL_METRICS[name]
  const blobs = LABELS.map((label) => labels[label] ?? '')
  const groups = Map.groupBy(values, (value) => buckets.findIndex((end) => value <= end))
  return [...groups.values()].map((group) => {
    const mean = group.reduce((sum, value) => sum + value, 0) / group.length
    return { indexes: [name], blobs, doubles: [mean, group.length] }
  })
}
