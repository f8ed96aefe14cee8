// The generated parts of the documentation, and the definitions that they are made from.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import { NewOccasionJson } from '../../src/api/occasions/json.ts'
import { PROBLEMS } from '../../src/api/problem.ts'
import { createHeaders } from '../../src/channels/webhook/headers.ts'
import { createClient } from '../../src/client/client.ts'
import { CALENDARS, knownDates } from '../../src/domain/calendars/calendars.ts'
import { EVENT_STATUSES } from '../../src/domain/events/event-status.ts'
import { IMPORTED } from '../../src/domain/formats/people-table.ts'
import { MARKS_MAX } from '../../src/domain/messages/liquid.ts'
import { FILTERS_MAX } from '../../src/domain/messages/liquid-check.ts'
import { TEMPLATE_MAX } from '../../src/domain/messages/liquid-engine.ts'
import { FILTERS, TAGS } from '../../src/domain/messages/liquid-language.ts'
import { renderMessage } from '../../src/domain/messages/message.ts'
import { VARIABLES, variableOf } from '../../src/domain/messages/message-variables.ts'
import { CPU_MAX_MS, RENDERED_MAX, WORK_MAX } from '../../src/domain/messages/render-budget.ts'
import { SUBJECT_MAX } from '../../src/domain/messages/template.ts'
import type { NoteCode } from '../../src/domain/occasions/explain.ts'
import { nextOccurrence } from '../../src/domain/occasions/next-occurrence.ts'
import { BUILT_IN_TEXTS } from '../../src/domain/occasions/occasion-types.ts'
import type { SlotNote } from '../../src/domain/occasions/schedule.ts'
import { formatCivilDate } from '../../src/domain/time/calendar.ts'
import { readConfig } from '../../src/runtimes/config/config.ts'
import { systemClock } from '../../src/runtimes/shared/system-clock.ts'
import * as postgresSchema from '../../src/stores/tables/postgres.ts'
import * as sqliteSchema from '../../src/stores/tables/sqlite.ts'
import { ALL_METRICS, type MetricName, type MetricOf, RUN_METRICS } from '../../src/telemetry/metric-list.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { MAY_IMPORT } from '../../test/architecture/guards/import-direction.ts'
import { STATUSES } from '../../web/src/pages/messages/filter.ts'
import { ADA } from './ada.ts'
import { code, codes, type Row, table } from './markdown-table.ts'

/** A setting without a default value has words there, such as `none`. */
function settings(): Row[] {
  const { settings } = readConfig({})
  return settings.map(({ name, value }) => [code(name), value === null ? null : code(value), null])
}

const settingsOf = (keys: string[]) => settings().filter(([name]) => keys.includes(name))

/** As `terce --help` lists them. */
function commands(): Row[] {
  const terce = new URL('../../bin/terce.js', import.meta.url).pathname
  const help = execFileSync(process.execPath, [terce, '--help'], { encoding: 'utf8', env: {} })
  const listed = help.slice(help.indexOf('Run the service:'), help.indexOf('Examples:'))
  const found = [...listed.matchAll(/^ {2}([\w-]+)\S*(?: \S+)* {2,}(.+(?:\n {10,}.+)*)/gm)]
  return found
    .filter(([, name]) => name !== 'help')
    .map(([, name, purpose]) => [code(`terce ${name}`), purpose!.replaceAll(/\s+/g, ' '), null])
}

const METRICS_OF_NODE: readonly Row[] = await metricsOfNode()

/** The kinds are those that Prometheus reads. Labels of metrics that are read from the database are written by hand. */
async function metricsOfNode(): Promise<Row[]> {
  const metrics = createMetrics({
    clock: systemClock,
    overdue: async () => null,
    missed: async () => null,
    waiting: async () => null,
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
    version: '',
    tzVersion: '',
  })
  const types = [...(await metrics.render()).matchAll(/^# TYPE (terce_\w+) (\w+)$/gm)]
  return types.map(([, name, kind]) => {
    const labels = ALL_METRICS[name as MetricName]?.labels
    return [code(name!), kind!, labels === undefined ? null : codes(labels), null]
  })
}

function furtherMetrics(): Row[] {
  const metrics = Object.entries<MetricOf>(RUN_METRICS)
  return metrics.map(([name, { kind, labels }]) => [code(name), kind, codes(labels), null])
}

function clientMethods(): Row[] {
  const parts = Object.entries(createClient({ url: 'http://localhost' })).filter(
    ([, part]) => typeof part === 'object',
  )
  return parts.map(([name, methods]) => [code(`client.${name}`), codes(Object.keys(methods))])
}

/** The codes of problems. */
const errors = (): Row[] =>
  Object.entries(PROBLEMS).map(([name, { status, title }]) => [code(name), String(status), title])

/** The columns of each table, of both databases. The migrator creates the last one, which is not in the schemas. */
function columnsOfTables(): Map<string, Set<string>> {
  const tables = new Map<string, Set<string>>()
  for (const defined of [...Object.values(postgresSchema), ...Object.values(sqliteSchema)]) {
    if (!is(defined, Table)) continue
    const name = getTableName(defined)
    const columns = Object.values(getTableColumns(defined)).map((column) => column.name)
    tables.set(name, new Set([...(tables.get(name) ?? []), ...columns]))
  }
  return tables.set('schema_migrations', new Set(['name', 'oldest_release']))
}

const databaseTables = (): Row[] => [...columnsOfTables().keys()].map((name) => [code(name), null, null])

/** Which columns the diagram shows is chosen by hand: the ones that the schema no longer has are removed. */
function databaseDiagram(written: string): string {
  const tables = columnsOfTables()
  const drawn = written
    .trimEnd()
    .replaceAll(/^ {2}(\w+) \{\n([\s\S]*?)^ {2}\}\n/gm, (_, name: string, lines: string) => {
      const columns = tables.get(name)
      if (columns === undefined) return ''
      const kept = lines.split('\n').filter((line) => line === '' || columns.has(line.trim().split(' ')[1]!))
      return `  ${name} {\n${kept.join('\n')}  }\n`
    })
  const missing = [...tables.keys()].filter((name) => !drawn.includes(`\n  ${name} {`))
  if (missing.length > 0) throw new Error(`Draw ${missing.join(', ')}, with the columns that matter.`)
  return drawn
}

/** The folders of `src` that a folder and its subfolders may import. */
function folders(): Row[] {
  const topOf = (folder: string) => folder.split('/')[0]!
  const names = [...new Set(Object.keys(MAY_IMPORT).map(topOf))]
  const rows = names.map((name): Row => {
    const imported = Object.entries(MAY_IMPORT).flatMap(([from, to]) => (topOf(from) === name ? to : []))
    const others = new Set(imported.map(topOf).filter((other) => other !== name))
    return [code(`src/${name}`), null, [...others].join(', ') || 'nothing']
  })
  return [...rows, [code('web'), null, null]]
}

function statuses(): Row[] {
  const words = Object.entries(STATUSES)
  return EVENT_STATUSES.map((status) => [
    code(status),
    words.flatMap(([word, one]) => (one === status ? [word] : [])).join(', '),
    null,
  ])
}

/** `id` is another name of `externalId`. */
function columns(): Row[] {
  const names = [...IMPORTED.required, ...IMPORTED.optional].filter((name) => name !== 'id')
  return names.map((name) => [code(name), null, null])
}

const occasionFields = (): Row[] => Object.keys(NewOccasionJson.shape).map((name) => [code(name), null, null])

function calendars(): Row[] {
  return CALENDARS.map((name) => {
    if (name === 'gregorian') return [code(name), null, '', null]
    const { from, to } = knownDates(name)
    return [code(name), null, `${formatCivilDate(from)} to ${formatCivilDate(to)}`, null]
  })
}

/** The compiler demands every code. */
function notes(): Row[] {
  const all: Record<NoteCode | SlotNote, true> = {
    LEAP_DAY_MOVED: true,
    CLOCK_GAP: true,
    CLOCK_OVERLAP: true,
    DATE_SKIPPED: true,
    OFFSET_CHANGED: true,
    CALENDAR_MOVED: true,
    SHIFTED: true,
    MOVED_FROM_WEEKEND: true,
  }
  return Object.keys(all).map((note) => [code(note), null])
}

const utc = (instant: number) => new Date(instant).toISOString().slice(0, 16).replace('T', ' ')

/** `17 May, Asia/Jakarta`: the next 17 May there after 15 November 2026. */
function occurrence(key: string): Row {
  const [words, timezone] = key.split(', ') as [string, string]
  const date = new Date(`${words} 2000 UTC`).toISOString().slice(0, 10)
  const now = Date.parse('2026-11-15T00:00:00Z')
  const { occursOn, offsetMinutes, instant } = nextOccurrence({ date, timezone }, now)
  const [hours, minutes] = [Math.trunc(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60]
  const offset = `UTC${offsetMinutes < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${minutes}`}`
  return [key, `${occursOn} 09:00, ${offset}`, utc(instant)]
}

/** A place, and 09:00 there on 15 December 2026. */
function nineInDecember(timezone: string): Row {
  const { instant } = nextOccurrence({ date: '2000-12-15', timezone }, Date.parse('2026-12-01T00:00:00Z'))
  return [timezone, null, `${utc(instant).slice('2026-12-15 '.length)} UTC`, null, null]
}

const builtInTexts = (): Row[] =>
  Object.entries(BUILT_IN_TEXTS).map(([type, text]) => [code(type), code(text)])

const variables = (): Row[] =>
  VARIABLES.map((name) => [code(name), code(String(variableOf(name, ADA))), null])

/** Each line has a text and, after three blanks or more, what it renders as. */
const examples = (written: string) =>
  written.trimEnd().replaceAll(/^(.*[%}]\})( {3,}).*$/gm, (_, body: string, blanks: string) => {
    const form = { body, subject: null, from: 'the page', isStored: false }
    return `${body}${blanks}${renderMessage(ADA, form)}`
  })

const tagsAndFilters = () => `Tags: ${codes([...TAGS])}.\n\nFilters: ${codes([...FILTERS.keys()])}.`

function templateLimits(): Row[] {
  const limits: [string, number][] = [
    ['characters of a body', TEMPLATE_MAX],
    ['characters of a subject', SUBJECT_MAX],
    ['tags and outputs in one text', MARKS_MAX],
    ['filters on one value', FILTERS_MAX],
    ["characters of all values in one text, and of one filter's result", RENDERED_MAX],
    ['units of work for one message', WORK_MAX],
    ['milliseconds of CPU time for one message', CPU_MAX_MS],
  ]
  return limits.map(([limit, number]) => [limit, number.toLocaleString('en')])
}

function webhookHeaders(): Row[] {
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
  const headers = createHeaders([secret], systemClock)({ idempotencyKey: '', body: '' })
  return Object.keys(headers).map((name) => [code(name), null])
}

/** The decision pages, by their titles. */
function decisions(): Row[] {
  const folder = new URL('../../docs/decisions/', import.meta.url)
  const names = readdirSync(folder).filter((name) => /^\d{4}-/.test(name))
  return names.sort().map((name) => {
    const [, number, title] = /^# (\d+)\. (.+)$/m.exec(readFileSync(new URL(name, folder), 'utf8'))!
    return [number!, `[${title}](${name})`, null]
  })
}

/** `render` gets the text that is between the markers now. */
export type Generated = { file: string; name: string; render: (written: string) => string }

export const GENERATED: readonly Generated[] = [
  { file: 'docs/architecture.md', name: 'folders', render: table(folders) },
  { file: 'docs/cli.md', name: 'commands', render: table(commands) },
  { file: 'docs/client.md', name: 'methods', render: table(clientMethods) },
  { file: 'docs/data-model.md', name: 'diagram', render: databaseDiagram },
  { file: 'docs/data-model.md', name: 'tables', render: table(databaseTables) },
  { file: 'docs/decisions/README.md', name: 'decisions', render: table(decisions) },
  { file: 'docs/errors.md', name: 'codes', render: table(errors) },
  { file: 'docs/glossary.md', name: 'statuses', render: table(statuses) },
  { file: 'docs/import-export.md', name: 'columns', render: table(columns) },
  { file: 'docs/local-time.md', name: 'occurrences', render: table((keys) => keys.map(occurrence)) },
  { file: 'docs/local-time.md', name: 'laws', render: table((keys) => keys.map(nineInDecember)) },
  { file: 'docs/monitor.md', name: 'metrics', render: table(() => METRICS_OF_NODE) },
  { file: 'docs/monitor.md', name: 'further metrics', render: table(furtherMetrics) },
  { file: 'docs/occasions.md', name: 'fields', render: table(occasionFields) },
  { file: 'docs/occasions.md', name: 'calendars', render: table(calendars) },
  { file: 'docs/postgresql.md', name: 'settings', render: table(settingsOf) },
  { file: 'docs/preview.md', name: 'notes', render: table(notes) },
  { file: 'docs/settings.md', name: 'settings', render: table(settings) },
  { file: 'docs/templates.md', name: 'texts', render: table(builtInTexts) },
  { file: 'docs/templates.md', name: 'variables', render: table(variables) },
  { file: 'docs/templates.md', name: 'examples', render: examples },
  { file: 'docs/templates.md', name: 'tags and filters', render: tagsAndFilters },
  { file: 'docs/templates.md', name: 'limits', render: table(templateLimits) },
  { file: 'docs/webhooks.md', name: 'headers', render: table(webhookHeaders) },
]
