// The results of --scale: stored as JSON, and as a table of docs/scale.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { insertTable } from '../readme.ts'

export type ScaleRun = {
  people: number
  engine: string
  at: string
  machine: string
  /** The load average when the run began: other programs slow a run down. */
  load: number
  figures: Record<string, number>
}

const RESULTS = new URL('../results/scale.json', import.meta.url)
const PAGE = new URL('../../docs/scale.md', import.meta.url)

export const MARKERS = ['<!-- scale: written by npm run bench -- --scale -->', '<!-- /scale -->'] as const

const grouped = (value: number) => value.toLocaleString('en')
const rate = (value: number) => `${grouped(value)}/s`
const ms = (value: number) => `${grouped(value)} ms`
const seconds = (value: number) => `${grouped(value)} s`
const gigabytes = (megabytes: number) => `${(megabytes / 1_000).toFixed(1)} GB`

type Row = { label: string; metrics: string[]; format: (...values: number[]) => string; goal?: string }

const ROWS: readonly Row[] = [
  { label: 'load: people imported', metrics: ['loadPerSecond'], format: rate },
  {
    label: 'disk for each person',
    metrics: ['bytesPerPerson'],
    format: (value) => `${grouped(value)} bytes`,
  },
  {
    label: 'one claim, p50 / p99',
    metrics: ['claimP50Ms', 'claimP99Ms'],
    format: (a, b) => `${a} / ${ms(b!)}`,
  },
  { label: 'spike: messages sent', metrics: ['spikePerSecond'], format: rate },
  { label: 'spike: first message', metrics: ['spikeFirstMs'], format: ms },
  { label: 'dashboard during the spike, p95', metrics: ['pagesP95Ms'], format: ms, goal: '150 ms' },
  { label: 'replan of one zone', metrics: ['replanSeconds'], format: seconds, goal: '60 s' },
  {
    label: 'lateness of other people during the replan, p99 / most',
    metrics: ['lateP99Ms', 'lateMaxMs'],
    format: (a, b) => `${grouped(a!)} / ${ms(b!)}`,
  },
  {
    label: 'prune: settled events, time',
    metrics: ['pruned', 'pruneSeconds'],
    format: (a, b) => `${grouped(a!)} in ${seconds(b!)}`,
  },
  { label: '`VACUUM` after it', metrics: ['vacuumSeconds'], format: seconds },
  {
    label: 'disk before the prune / after `VACUUM`',
    metrics: ['diskBeforeMB', 'diskAfterMB'],
    format: (a, b) => `${gigabytes(a!).replace(' GB', '')} / ${gigabytes(b!)}`,
  },
]

const DATABASES: Readonly<Record<string, string>> = {
  'terce-sqlite': 'SQLite',
  'terce-postgres': 'PostgreSQL',
}

/** A column for each run. A figure that was not measured is a dash. */
export function scaleTable(runs: readonly ScaleRun[]): string {
  const columns = runs
    .toSorted((a, b) => a.people - b.people || b.engine.localeCompare(a.engine, 'en'))
    .map((run) => ({ title: `${DATABASES[run.engine]}, ${run.people / 1_000_000} M`, run }))
  const line = (...cells: string[]) => `| ${cells.join(' | ')} |`
  const rows = ROWS.map(({ label, metrics, format, goal }) =>
    line(
      label,
      ...columns.map(({ run }) => {
        const values = metrics.flatMap((metric) => run.figures[metric] ?? [])
        return values.length === metrics.length ? format(...values) : '–'
      }),
      goal === undefined ? '' : `≤ ${goal}`,
    ),
  )
  return [
    line('people', ...columns.map(({ title }) => title), 'goal'),
    line(...Array.from({ length: columns.length + 2 }, () => '---')),
    ...rows,
    '',
    ...columns.map(({ title, run }) => `- ${title}: ${sourceOf(run)}.`),
  ].join('\n')
}

function sourceOf({ people, engine, at, machine, load }: ScaleRun): string {
  const command = `npm run bench -- --scale ${people / 1_000_000}M --engines ${engine}`
  const busy = load > BUSY ? `. Preliminary: the machine was not idle (load ${load} at the start)` : ''
  return `\`${command}\`, ${at.slice(0, 10)}, ${machine}${busy}`
}

const BUSY = 1

export function readRuns(): ScaleRun[] {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : []
}

/** Replaces the stored runs of the same size and engine, keeps the others, and writes the table of the page. */
export function storeRuns(runs: readonly ScaleRun[]): void {
  const isNew = (old: ScaleRun) => !runs.some((run) => run.people === old.people && run.engine === old.engine)
  const all = [...readRuns().filter(isNew), ...runs]
  writeFileSync(RESULTS, `${JSON.stringify(all, null, 2)}\n`)
  const page = insertTable(readFileSync(PAGE, 'utf8'), scaleTable(all), MARKERS)
  if (page === null) throw new Error(`docs/scale.md has no lines ${MARKERS.join(' and ')}.`)
  writeFileSync(PAGE, page)
}
