// The plot is drawn from the stored results of the benchmark. test/bench/readme.test.ts compares the table of the README.
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
