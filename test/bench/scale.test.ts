import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { insertTable } from '../../bench/readme.ts'
import { MARKERS, readRuns, type ScaleRun, scaleTable } from '../../bench/scale/report.ts'

const run: ScaleRun = {
  people: 1_000_000,
  engine: 'terce-sqlite',
  at: '2026-11-16T20:00:00.000Z',
  machine: '2 cores (Example), Node v24.0.0',
  load: 0.1,
  figures: { loadPerSecond: 25_000, claimP50Ms: 1.1, claimP99Ms: 2.5, pruned: 1_000_000, pruneSeconds: 61.2 },
}

it('the table has a column for each scale run, and a dash for a figure that was not measured', () => {
  const big = { ...run, people: 10_000_000, engine: 'terce-postgres', figures: { loadPerSecond: 15_000 } }
  const lines = scaleTable([big, run]).split('\n')
  expect(lines.slice(0, 3)).toEqual([
    '| people | SQLite, 1 M | PostgreSQL, 10 M | goal |',
    '| --- | --- | --- | --- |',
    '| load: people imported | 25,000/s | 15,000/s |  |',
  ])
  expect(lines).toContain('| one claim, p50 / p99 | 1.1 / 2.5 ms | – |  |')
  expect(lines).toContain('| prune: settled events, time | 1,000,000 in 61.2 s | – |  |')
})

it('a run on a machine that was busy is marked as preliminary', () => {
  expect(scaleTable([run])).toMatch(
    /^- SQLite, 1 M: `npm run bench -- --scale 1M --engines terce-sqlite`, 2026-11-16, 2 cores \(Example\), Node v24\.0\.0\.$/m,
  )
  expect(scaleTable([{ ...run, load: 3.1 }])).toContain(
    'Preliminary: the machine was not idle (load 3.1 at the start).',
  )
})

it('docs/scale.md shows the stored results of the scale runs', () => {
  const page = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8')
  expect(insertTable(page, scaleTable(readRuns()), MARKERS)).toBe(page)
})
