// Numbers as the benchmark counts them: percentiles, the best and the worst of several runs, ratios. Pure.

/** One figure of one engine. Of several runs `value` is the best and `worst` the worst. */
export type Figure = {
  workload: string
  engine: string
  metric: string
  value: number
  worst: number
  runs: number
  /** Rows pending beside those measured, where the workload has several sizes. */
  pending?: number
}

/** The smallest value that so many percent do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]!
}

/** More is better of a rate, less of a time. */
export function isRate(metric: string): boolean {
  return metric === 'perSecond'
}

export function summarise(of: Omit<Figure, 'value' | 'worst' | 'runs'>, runs: readonly number[]): Figure {
  const sorted = [...runs].map(round).sort((a, b) => (isRate(of.metric) ? b - a : a - b))
  return { ...of, value: sorted[0]!, worst: sorted.at(-1)!, runs: runs.length }
}

/** Three digits are all that a run can promise. */
function round(value: number): number {
  return value >= 1000 ? Math.round(value) : Number(value.toPrecision(3))
}
