// The tables of the README, from the stored results of one run.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Figure, show } from './figures.ts'
import type { Recorded } from './report.ts'
import { FULL, type Workload } from './workloads.ts'

const README = new URL('../README.md', import.meta.url)
const RESULTS = new URL('results/latest.json', import.meta.url)

export const BEGIN = '<!-- bench: written by npm run bench -->'
export const END = '<!-- /bench -->'

const NAMES = {
  'terce-postgres': 'Terce',
  'pg-boss': 'pg-boss',
  'graphile-worker': 'graphile-worker',
  bullmq: 'BullMQ ¹',
} as const
const ENGINES = Object.keys(NAMES) as (keyof typeof NAMES)[]
/** The engines that do the work of Terce. */
const WORKING = ENGINES.filter((name) => name !== 'bullmq')
const short = (count: number) =>
  count % 1_000_000 === 0 ? `${count / 1_000_000} M` : `${count / 1_000}`.concat(' k')
const grouped = (count: number) => count.toLocaleString('en')

/** The same work of every engine, then the queue alone. A row without figures is left out. */
export function readmeTable({ at, context, figures, sizes = FULL }: Recorded): string {
  const find = (workload: Workload, engine: string, metric: string, pending?: number) =>
    figures.find(
      (f) => f.workload === workload && f.engine === engine && f.metric === metric && f.pending === pending,
    )
  /** One value, or several with slashes between; a dash for a value that was not measured. */
  const cell = (...found: (Figure | undefined)[]) =>
    found.every((figure) => figure === undefined)
      ? '–'
      : joined(
          found.map((figure) => (figure === undefined ? '–' : show(figure.metric, figure.value))),
          ' / ',
        )
  const row = (label: string, engines: readonly string[], of: (engine: string) => string) =>
    cells(label, ...engines.map(of))
  /** The rate, and the CPU of Node and of the database for each. */
  const rate = (workload: Workload) => (engine: string) => {
    const cpu = ['workerCpuUs', 'databaseCpuUs'].map((metric) => find(workload, engine, metric))
    const rate = cell(find(workload, engine, 'perSecond'))
    return cpu.every((figure) => figure !== undefined)
      ? `${rate}, ${joined(
          cpu.map(({ metric, value }) => show(metric, value)),
          ' + ',
        )}`
      : rate
  }
  const one = (workload: Workload, metric: string) => (engine: string) => cell(find(workload, engine, metric))
  const ofTerce = (label: string, text: string) => cells(label, text, '–', '–')
  const sizesOfClaims = sizes.pending.filter((_, i) => i === 0 || i === sizes.pending.length - 1)
  const memory = (metric: string) => find('memory', 'terce-sqlite', metric)
  const imported = ['terce-postgres', 'terce-sqlite'].map((engine) => find('import', engine, 'seconds'))
  const working = [
    row(`${grouped(sizes.spike)} signed messages due at one instant ²`, WORKING, rate('W6')),
    row('the first of them arrives after', WORKING, one('W6', 'firstMs')),
    row('people stored with their first message ²', WORKING, rate('people')),
    ofTerce('memory on SQLite, idle / under load', cell(memory('idleMB'), memory('loadedMB'))),
    ofTerce(`import of ${grouped(sizes.imported)} people, PostgreSQL / SQLite`, cell(...imported)),
  ]
  const alone = [
    row(`${grouped(sizes.due)} jobs due at one instant ²`, ENGINES, rate('W1')),
    row(`with ${grouped(sizes.pending.at(-1)!)} more pending ²`, ENGINES, rate('W1M')),
    row('bulk scheduling ²', ENGINES, rate('W3')),
    row('lateness, p50 / p99', ENGINES, (engine) =>
      cell(find('W4', engine, 'latenessP50Ms'), find('W4', engine, 'latenessP99Ms')),
    ),
    row(`one claim with ${sizesOfClaims.map(short).join(' / ')} pending`, ENGINES, (engine) =>
      cell(...sizesOfClaims.map((pending) => find('W5', engine, 'claimP50Ms', pending))),
    ),
  ]
  const table = (title: string, engines: readonly (keyof typeof NAMES)[], rows: readonly string[]) => [
    cells(title, ...engines.map((name) => NAMES[name])),
    `|${'---|'.repeat(engines.length + 1)}`,
    ...rows.filter((line) => !/^\|[^|]*\|( – \|)+$/.test(line)),
    '',
  ]
  return [
    ...table('the same work', WORKING, working),
    ...table('the queue alone', ENGINES, alone),
    `\`npm run bench\` on ${context.at(-1)}, ${at.slice(0, 10)}, best of ${sizes.rounds}. The same work: a person is read; the message is rendered, signed and sent with a timeout. Its outcome is recorded under a unique key, and next year's is planned for nine o'clock there, as atomic as the engine allows. The queue alone: a job holds its data, and plans the next one; Terce does all of its work in each row. ¹ Redis may lose the last second in a power cut. ² A second, and the CPU of Node + database for each.`,
  ].join('\n')
}

/** Replaces the text between the two markers; null if the text has no markers. */
export function insertTable(
  text: string,
  table: string,
  [begin, end]: readonly [string, string],
): string | null {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) return null
  return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`
}

/** Writes the table into the README. Returns false if the README has no markers. */
export function updateReadme(): boolean {
  const recorded = JSON.parse(readFileSync(RESULTS, 'utf8')) as Recorded
  const updated = insertTable(readFileSync(README, 'utf8'), readmeTable(recorded), [BEGIN, END])
  if (updated !== null) writeFileSync(README, updated)
  return updated !== null
}

function cells(...texts: string[]): string {
  return `| ${texts.join(' | ')} |`
}

/** "4 ms" and "8 ms" as "4 / 8 ms". */
function joined(values: readonly string[], by: string): string {
  const last = values.at(-1)!
  const unit = / \S+$/.exec(last)?.[0] ?? ''
  return values.map((value, i) => (i === values.length - 1 ? value : value.replace(unit, ''))).join(by)
}
