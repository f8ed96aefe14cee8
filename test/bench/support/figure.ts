// A figure of a benchmark, as three rounds that agree.
import type { Figure } from '../../../bench/figures.ts'

export function figure(
  workload: string,
  engine: string,
  metric: string,
  value: number,
  pending?: number,
): Figure {
  const measured = { workload, engine, metric, value, worst: value, runs: 3 }
  return pending === undefined ? measured : { ...measured, pending }
}
