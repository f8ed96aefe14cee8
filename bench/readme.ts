// The table of the README, from the stored results of one run.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Figure, show } from './figures.ts'
import type { Recorded } from './report.ts'
import { FULL, type Workload } from './workloads.ts'

const README = new URL('../README.md', import.meta.url)
const RESULTS = new URL('results/latest.json', import.meta.url)

export const BEGIN = '<!-- bench: written by npm run bench -->'
export const END = '<!-- /bench -->'

const ENGINES = ['terce-postgres', 'pg-boss', 'graphile-worker', 'bullmq'] as const
const short = (count: number) =>
  count % 1_000_000 === 0 ? `${count / 1_000_000} M` : `${count / 1_000}`.concat(' k')
const grouped = (count: number) => count.toLocaleString('en')

/** At most fourteen lines. A row without figures is left out. */
export function readmeTable({ at, context, figures, sizes = FULL }: Recorded): string {
  const find = (workload: Workload, engine: string, metric: string, pending?: number) =>
    figures.find(
      (f) => f.workload === workload && f.engine === engine && f.metric === metric && f.pending === pending,
    )
  /** One value, or several with slashes between; a dash for a value that was not measured. */
  const cell = (...found: (Figure | undefined)[]) =>
    found.every((figure) => figure === undefined)
      ? '–'
      : withOneUnit(found.map((figure) => (figure === undefined ? '–' : show(figure.metric, figure.value))))
  const compared = (label: string, of: (engine: string) => (Figure | undefined)[]) =>
    row(label, ...ENGINES.map((engine) => cell(...of(engine))))
  const ofTerce = (label: string, text: string | null) => (text === null ? [] : row(label, text, '', '', ''))
  const rate = (workload: Workload) => (engine: string) => [find(workload, engine, 'perSecond')]
  const sizesOfClaims = [
    ...sizes.pending.filter((_, i) => i === 0 || i === sizes.pending.length - 1),
    ...(sizes.bigPending === null ? [] : [sizes.bigPending]),
  ]

  const spike = (metric: string, engine = 'terce-postgres') => find('W6', engine, metric)
  const memory = (metric: string) => find('memory', 'terce-sqlite', metric)
  const imported = (engine: string) => find('import', engine, 'seconds')
  const rows = [
    compared(`${grouped(sizes.due)} events due at one instant`, rate('W1')),
    compared(`with ${grouped(sizes.pending.at(-1)!)} more pending`, rate('W1M')),
    compared('each sent by HTTP POST ²', rate('W2')),
    compared('bulk scheduling ³', rate('W3')),
    compared('lateness, p50 / p99', (engine) => [
      find('W4', engine, 'latenessP50Ms'),
      find('W4', engine, 'latenessP99Ms'),
    ]),
    compared(`one claim with ${sizesOfClaims.map(short).join(' / ')} pending ²`, (engine) =>
      sizesOfClaims.map((pending) => find('W5', engine, 'claimP50Ms', pending)),
    ),
    ofTerce(
      `${grouped(sizes.spike)} signed webhooks end to end ⁴`,
      spike('perSecond') === undefined
        ? null
        : `${cell(spike('perSecond'))}, first after ${cell(spike('firstMs'))}, ${cell(spike('cpuUs'))} of CPU each`,
    ),
    ofTerce(
      'memory on SQLite, idle / under load ⁴',
      memory('idleMB') === undefined ? null : cell(memory('idleMB'), memory('loadedMB')),
    ),
    ofTerce(
      `import of ${grouped(sizes.imported)} people ⁴`,
      imported('terce-postgres') === undefined
        ? null
        : `${cell(imported('terce-postgres'))}, on SQLite ${cell(imported('terce-sqlite'))}`,
    ),
  ]
  return [
    row('', 'Terce', 'pg-boss', 'graphile-worker', 'BullMQ ¹'),
    '|---|---|---|---|---|',
    ...rows.flat().filter((line) => !/^\|[^|]*\|( – \|)+$/.test(line)),
    '',
    `\`npm run bench\` on ${context.at(-1)}, ${at.slice(0, 10)}, best of ${sizes.rounds}. ¹ Redis may lose the last second in a power cut. ² Terce also renders and stores each body, and records each attempt. ³ Terce writes three rows for each person, the others one for each job. ⁴ The built processes; CPU of worker + PostgreSQL.`,
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

function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** "4 ms / 8 ms" as "4 / 8 ms". */
function withOneUnit(values: readonly string[]): string {
  const last = values.at(-1)!
  const unit = / \S+$/.exec(last)?.[0] ?? ''
  return values.map((value, i) => (i === values.length - 1 ? value : value.replace(unit, ''))).join(' / ')
}
