// The plot in the README is drawn from the stored results of the benchmark.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { drawPlot } from '../../bench/plot.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

it('the plot shows the stored results (if not, run node bench/plot.ts)', () => {
  const { figures } = JSON.parse(read('bench/results/latest.json'))
  expect(read('bench/results/latest.svg')).toBe(drawPlot(figures))
  expect(read('README.md')).toContain('(bench/results/latest.svg)')
})

it('the README states figures of the stored results', () => {
  const { figures } = JSON.parse(read('bench/results/latest.json')) as {
    figures: { workload: string; engine: string; metric: string; value: number }[]
  }
  const ofTerce = (workload: string, metric: string) =>
    figures.find((f) => f.engine === 'terce-postgres' && f.workload === workload && f.metric === metric)!
      .value
  const rounded = Math.round(ofTerce('W1', 'perSecond') / 100) * 100
  expect(read('README.md')).toContain(`${rounded.toLocaleString('en')} events per second`)
  expect(read('README.md')).toContain(`p99 of ${ofTerce('W4', 'latenessP99Ms')} ms`)
})
