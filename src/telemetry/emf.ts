// Metrics for CloudWatch as log lines in its embedded metric format: CloudWatch reads the metrics out of the log.
import { isKnownType } from '../domain/occasions/occasion-types.ts'
import type { Clock } from '../ports/clock.ts'
import { boundNames, OTHER_NAMES } from './bound-names.ts'
import { ALL_METRICS } from './metric-list.ts'
import type { Labels } from './samples.ts'
import { createSums, type Exporter, type Sum } from './sums.ts'

/** An array of values may not be longer. */
const MOST_VALUES = 100

/** `write` gets one line for each combination of labels. */
export function createEmf(
  clock: Clock,
  { namespace, write }: { namespace: string; write: (line: string) => void },
): Exporter {
  const boundChannel = boundNames()
  /** CloudWatch bills each combination of labels as a metric, so custom types are not told apart. */
  const { telemetry, take } = createSums(({ channel, type, ...labels }) => ({
    ...(channel !== undefined && { channel: asDimension(boundChannel(channel)) }),
    ...(type !== undefined && { type: isKnownType(type) ? type : OTHER_NAMES }),
    ...labels,
  }))
  return {
    telemetry,
    flush() {
      for (const group of Map.groupBy(take(), ({ labels }) => JSON.stringify(labels)).values())
        for (const line of linesOf(group)) write(JSON.stringify(line))
    },
  }

  function linesOf(group: readonly Sum[]): object[] {
    const length = Math.ceil(Math.max(...group.map(({ values }) => values.length)) / MOST_VALUES)
    return Array.from({ length }, (_, i) => {
      const sums = group
        .map((sum) => ({ ...sum, values: sum.values.slice(i * MOST_VALUES, (i + 1) * MOST_VALUES) }))
        .filter(({ values }) => values.length > 0)
      return lineOf(sums, group[0]!.labels)
    })
  }

  function lineOf(sums: readonly Sum[], labels: Labels): object {
    const Metrics = sums.map(({ name }) => ({ Name: name, Unit: ALL_METRICS[name].unit }))
    const directive = { Namespace: namespace, Dimensions: dimensionsOf(sums[0]!), Metrics }
    return {
      _aws: { Timestamp: clock.now(), CloudWatchMetrics: [directive] },
      ...labels,
      ...Object.fromEntries(sums.map(({ name, values }) => [name, values.length === 1 ? values[0] : values])),
    }
  }
}

/** All labels; and all but the first, because an alarm cannot add up the metrics of unknown channels or types. */
function dimensionsOf({ name }: Sum): string[][] {
  const { labels } = ALL_METRICS[name]
  return labels.length === 0 ? [[]] : [[...labels], labels.slice(1)]
}

/** CloudWatch accepts ASCII alone, and no colon at the beginning. */
function asDimension(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|^:/g, '?')
}
