// Adds up the samples of one call of a serverless runtime, which exports them when the call ends.
import type { Telemetry } from '../ports/telemetry.ts'
import { ALL_METRICS, type MetricName } from './metric-list.ts'
import { type Labels, samplesOf } from './samples.ts'

/** The sum of a counter or the last value of a gauge, alone; every value of a histogram. */
export type Sum = { name: MetricName; labels: Labels; values: number[] }

export type Sums = {
  telemetry: Telemetry
  /** The sums since the last call, in the order in which they began. */
  take(): Sum[]
}

/** `bound` replaces a label's value, so that its values stay few. */
export function createSums(bound: (labels: Labels) => Labels): Sums {
  let sums = new Map<string, Sum>()
  return {
    telemetry(notice) {
      for (const { name, value, labels: given } of samplesOf(notice)) {
        const labels = bound(given)
        const key = JSON.stringify([name, labels])
        const sum = sums.get(key)
        if (sum === undefined) sums.set(key, { name, labels, values: [value] })
        else add(sum, value)
      }
    },
    take() {
      const taken = [...sums.values()]
      sums = new Map()
      return taken
    },
  }
}

function add({ name, values }: Sum, value: number): void {
  const { kind } = ALL_METRICS[name]
  if (kind === 'histogram') values.push(value)
  else values[0] = kind === 'counter' ? values[0]! + value : value
}

/** What a serverless runtime exports its metrics with. */
export type Exporter = { telemetry: Telemetry; flush(): void }
