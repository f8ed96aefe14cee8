// `terce import`: creates people from a CSV file.
import { once } from 'node:events'
import {
  createReadStream,
  createWriteStream,
  readFileSync,
  type Stats,
  statSync,
  type WriteStream,
} from 'node:fs'
import {
  type ImportReport,
  type ImportResult,
  importPeople,
  type RowProblem,
} from '../../app/users/import-people.ts'
import { createIds } from '../../domain/events/uuid.ts'
import { csvLine } from '../../domain/formats/csv.ts'
import { IMPORTED } from '../../domain/formats/people-table.ts'
import { FIELD_NAMES, USER_FIELDS } from '../../domain/users/user-fields.ts'
import { type Config, ConfigError, readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { openForCommand } from '../open-database.ts'
import { fileError } from '../output/file-error.ts'
import { createProgress } from '../output/progress.ts'
import { grouped } from '../output/words.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, serverOf, withRemote } from '../remote.ts'

type Options = RemoteOptions & { dryRun?: true; errors?: string; json?: true }

const HELP = `
The first line names the columns: ${IMPORTED.required.join(', ')}; optionally ${FIELD_NAMES.filter((name) => !USER_FIELDS[name].needsColumn).join(', ')},
and hiredOn for a work anniversary. Cells of lastName and dateOfBirth may be empty, and a date may be --MM-DD.
Each row is imported or rejected on its own. A person whose externalId already exists is not changed. With a server, --errors
has the first hundred problems of each request.
${REMOTE_HELP.replace('0 success, 1 failure', '0 all rows imported, 1 rows rejected or failure')}`

export const addImport: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('import <file>').description('import people from a CSV file'))
    .option('--dry-run', 'only count, write nothing')
    .option('--errors <file>', 'write rejected rows to this CSV file: line, field, code, message')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(async (path: string, options: Options) => {
      const isLocal = serverOf(options, entry.env) === null
      const config = isLocal ? readConfig(entry.env) : null
      const size = sizeOf(path)
      const errors = options.errors === undefined ? null : await openErrors(options.errors)
      const from = { path, size, errors, dryRun: options.dryRun === true }
      try {
        report(await (config ? run(config, from) : send(options, entry, from)), path, options)
      } finally {
        if (errors !== null) await once(errors.end(), 'close')
      }
    })
}

type From = { path: string; size: number; errors: WriteStream | null; dryRun: boolean }

/** A server takes a table as a whole, which may take minutes. */
const SEND_MS = 15 * 60_000

function send(options: Options, entry: Entry, { path, errors, dryRun }: From): Promise<ImportResult> {
  return withRemote(
    options,
    entry,
    async ({ client }) => {
      const { next, ...report } = await client.importPeople(readFileSync(path, 'utf8'), { query: { dryRun } })
      for (const problem of report.errors) await writeProblem(errors, problem)
      return { kind: 'done', report, next }
    },
    SEND_MS,
  )
}

async function run(config: Config, from: From): Promise<ImportResult> {
  const { auditCli } = await import('../audit.ts')
  const database = await openForCommand(config.database, { creates: true })
  const { store, clock, announce } = database
  const { deliverAt, notAfter, quietHours, timezoneTable: table } = config
  const planner = { ids: createIds(Math.random), table }
  const progress = createProgress(process.stderr)
  // Invalid UTF-8 becomes U+FFFD, so that only the row that contains it is rejected.
  const file = createReadStream(from.path, 'utf8')
  const onStep = (report: ImportReport) =>
    // Rows that were read may not be stored yet.
    progress(Math.min(0.99, file.bytesRead / from.size), progressText(report), report.read)
  try {
    const result = await importPeople(
      { store, planner, clock, telemetry() {}, deliverAt, notAfter, quietHours, onPlanned: announce },
      file,
      {
        dryRun: from.dryRun,
        ...LOAD,
        onProblem: (problem) => writeProblem(from.errors, problem),
        onStep,
      },
    )
    if (result.kind !== 'done') return result
    progress(1, progressText(result.report), result.report.read)
    const { created } = result.report
    if (!from.dryRun)
      await auditCli(database, { action: 'people.imported', object: null, details: { created } })
    return result
  } finally {
    file.destroy()
    await database.close()
  }
}

/** Two batches: PostgreSQL writes one to disk while it inserts the other. */
const LOAD = { batch: 2_000, inFlight: 2 }

function progressText({ read, rejected }: ImportReport): string {
  return `${grouped(read)} rows, ${grouped(rejected)} rejected`
}

function sizeOf(path: string): number {
  let stats: Stats
  try {
    stats = statSync(path)
  } catch (error) {
    throw fileError('read', path, error)
  }
  if (stats.isDirectory()) throw new ConfigError([`${path} is a folder. Give a file.`])
  return stats.size
}

async function openErrors(path: string): Promise<WriteStream> {
  const stream = createWriteStream(path)
  try {
    await once(stream, 'open')
  } catch (error) {
    throw new ConfigError([`Cannot write --errors ${path}: ${(error as Error).message}.`])
  }
  stream.write(csvLine(['line', 'field', 'code', 'message']))
  return stream
}

async function writeProblem(
  to: WriteStream | null,
  { line, field, code, message }: RowProblem,
): Promise<void> {
  if (to !== null && !to.write(csvLine([line, field, code, message]))) await once(to, 'drain')
}

function report(result: ImportResult, path: string, { json, errors, dryRun }: Options): void {
  if (result.kind === 'no-columns') {
    throw new ConfigError(result.problems.map(({ message }) => `${path}: ${message}`))
  }
  const { rejected } = result.report
  if (json) console.log(JSON.stringify({ ...result.report, dryRun: dryRun === true }))
  else console.log(summary(result.report, dryRun === true))
  if (!json)
    for (const { date, people } of result.report.sharedDates ?? [])
      console.error(
        `Warning: ${grouped(people)} people have the date of birth ${date}. If it stands for a missing date, leave it empty.`,
      )
  if (rejected === 0) return
  if (!json) for (const line of shown(result.report.errors)) console.error(line)
  const where = errors === undefined ? 'Use --errors rejected.csv to save all of them.' : `See ${errors}.`
  throw new Error(`${grouped(rejected)} of ${grouped(result.report.read)} rows rejected. ${where}`)
}

function summary({ read, created, unchanged, different, rejected }: ImportReport, dryRun: boolean): string {
  const others = different === 0 ? '' : ` (${grouped(different)} with different values)`
  const counts = [
    `${grouped(created)} ${dryRun ? 'would be created' : 'created'}`,
    `${grouped(unchanged)} already exist${others}`,
    `${grouped(rejected)} rejected`,
  ]
  return `${grouped(read)} rows: ${counts.join(', ')}.`
}

const SHOWN = 20

function* shown(errors: readonly RowProblem[]): Generator<string> {
  for (const { line, field, message } of errors.slice(0, SHOWN)) {
    yield `line ${line}${field === '' ? '' : `, ${field}`}: ${message}`
  }
  if (errors.length > SHOWN) yield '…'
}
