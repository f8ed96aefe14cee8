import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { BEGIN, END, insertTable, readmeTable } from '../../bench/readme.ts'
import { formatRecord, type Recorded } from '../../bench/report.ts'
import { FULL } from '../../bench/workloads.ts'
import { figure } from './support/figure.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const recorded: Recorded = {
  at: '2026-11-16T20:00:00.000Z',
  context: ['PostgreSQL from npm', '2 cores (Example), Node v24.0.0'],
  sizes: FULL,
  figures: [
    figure('W1', 'terce-postgres', 'perSecond', 18_811),
    figure('W1', 'pg-boss', 'perSecond', 17_436),
    figure('W4', 'terce-postgres', 'latenessP50Ms', 4),
    figure('W4', 'terce-postgres', 'latenessP99Ms', 14),
    figure('W5', 'terce-postgres', 'claimP50Ms', 1.5, 10_000),
    figure('W5', 'terce-postgres', 'claimP50Ms', 1.9, 1_000_000),
    figure('W6', 'terce-postgres', 'perSecond', 6_300),
    figure('W6', 'terce-postgres', 'firstMs', 24),
    figure('W6', 'terce-postgres', 'workerCpuUs', 180),
    figure('W6', 'terce-postgres', 'databaseCpuUs', 60),
    figure('W6', 'pg-boss', 'perSecond', 2_047),
    figure('import', 'terce-postgres', 'seconds', 59),
    figure('import', 'terce-sqlite', 'seconds', 44),
  ],
}

it('the table has a row for each workload with figures, and a dash where an engine has none', () => {
  expect(readmeTable(recorded).split('\n').slice(0, -1)).toEqual([
    '| the same work | Terce | pg-boss | graphile-worker |',
    '|---|---|---|---|',
    '| 30,000 signed messages due at one instant ² | 6,300/s, 180 + 60 µs | 2,047/s | – |',
    '| the first of them arrives after | 24 ms | – | – |',
    '| import of 1,000,000 people, PostgreSQL / SQLite | 59 / 44 s | – | – |',
    '',
    '| the queue alone | Terce | pg-boss | graphile-worker | BullMQ ¹ |',
    '|---|---|---|---|---|',
    '| 50,000 jobs due at one instant ² | 18,811/s | 17,436/s | – | – |',
    '| lateness, p50 / p99 | 4 / 14 ms | – | – | – |',
    '| one claim with 10 k / 1 M pending | 1.5 / 1.9 ms | – | – | – |',
    '',
  ])
})

it('the last line names the command, the machine and the date', () => {
  const last = readmeTable(recorded).split('\n').at(-1)
  expect(last).toContain('`npm run bench` on 2 cores (Example), Node v24.0.0, 2026-11-16, best of 3.')
})

it('inserting the table replaces only the text between the markers', () => {
  const text = `before\n${BEGIN}\nold\n${END}\nafter\n`
  expect(insertTable(text, 'new', [BEGIN, END])).toBe(`before\n${BEGIN}\nnew\n${END}\nafter\n`)
  expect(insertTable('no markers', 'new', [BEGIN, END])).toBeNull()
})

it('the table of the README shows the stored results (if not, run npm run bench -- --readme)', () => {
  const readme = read('README.md')
  const table = readmeTable(JSON.parse(read('bench/results/latest.json')))
  expect(insertTable(readme, table, [BEGIN, END])).toBe(readme)
})

it('the stored results are JSON that reads back as it was recorded', () => {
  expect(JSON.parse(formatRecord(recorded))).toEqual(recorded)
})
