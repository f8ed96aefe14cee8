// The arithmetic of the benchmark: percentiles, the best and worst of several runs, and comparisons with the peers. Pure.
import { ENGINES } from './engines/list.ts'

/** The values of one measurement, by metric. */
export type Measured = Record<string, number>

/** One figure of one engine: the best (`value`) and the worst of its runs. */
export type Figure = {
  workload: string
  engine: string
  metric: string
  value: number
  worst: number
  runs: number
  /** Other pending rows in the table, if the workload has several sizes. */
  pending?: number
}

/** The smallest value that `percent` of the values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]!
}

/** For a rate a higher value is better, for a time a lower one. */
export function isRate(metric: string): boolean {
  return metric === 'perSecond'
}

/** The value with its unit, which the name of the metric ends with. */
export function show(metric: string, value: number): string {
  if (isRate(metric)) return `${Math.round(value).toLocaleString('en')}/s`
  if (metric.endsWith('Us')) return `${Math.round(value)} µs`
  if (metric.endsWith('MB')) return `${Math.round(value)} MB`
  if (metric === 'seconds') return `${value} s`
  return `${value.toLocaleString('en')} ms`
}

export function summarise(of: Omit<Figure, 'value' | 'worst' | 'runs'>, runs: readonly number[]): Figure {
  const sorted = [...runs].map(round).sort((a, b) => (isRate(of.metric) ? b - a : a - b))
  return { ...of, value: sorted[0]!, worst: sorted.at(-1)!, runs: runs.length }
}

/** Keeps three digits: further digits vary between runs. */
function round(value: number): number {
  return value >= 1000 ? Math.round(value) : Number(value.toPrecision(3))
}

/** How many times better the figure is than the other one. */
export function ratio(figure: Figure, other: Figure): number {
  return isRate(figure.metric) ? figure.value / other.value : other.value / figure.value
}

/** The best figure of a durable peer at the workload and metric of another figure. */
export function bestPeer(figures: readonly Figure[], than: Figure): Figure | undefined {
  const durable = ENGINES.filter(({ kind, durable }) => kind === 'peer' && durable).map(
    ({ name }) => name as string,
  )
  return figures
    .filter(({ engine }) => durable.includes(engine))
    .filter(
      ({ workload, metric, pending }) =>
        workload === than.workload && metric === than.metric && pending === than.pending,
    )
    .sort((a, b) => ratio(b, a) - ratio(a, b))[0]
}
