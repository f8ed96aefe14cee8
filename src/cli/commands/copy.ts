// `terce copy`: moves the installation of DATABASE_URL into another database, and freezes it here.
import { randomBytes } from 'node:crypto'
import v8 from 'node:v8'
import { ConfigError, readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { createProgress } from '../output/progress.ts'
import { describeDatabase, grouped, shortDuration } from '../output/words.ts'

type Options = { to?: string; dryRun?: boolean; undo?: boolean; json?: true }

const HELP = `
Copies every table of DATABASE_URL into an empty database: from SQLite to PostgreSQL, or back. DATABASE_SCHEMA applies to both.

First it freezes DATABASE_URL: messages in flight are settled, then every write is rejected, also after the copy, so that nothing is
sent twice and nothing that was acknowledged is lost. Processes may run meanwhile; they send nothing. A copy that was interrupted
goes on when the same command is run again. At the end the rows of both sides are counted and summed. To send from the old
database again, stop the processes of the new one and run terce copy --undo. docs/copy.md has the steps.

Exit codes: 0 success, 1 failure, 2 wrong usage, with nothing written.`

export const addCopy: AddCommand = (program, { env }) => {
  program
    .command('copy')
    .description('move to another database: SQLite to PostgreSQL, or back')
    .option('--to <url>', 'the empty database, as DATABASE_URL gives one')
    .option('--dry-run', 'only print what would be copied')
    .option('--undo', 'let DATABASE_URL be written and send again')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action((options: Options) => (options.undo ? undo(options, env) : copyTo(options, env)))
}

async function undo({ to, json }: Options, env: Entry['env']): Promise<void> {
  if (to !== undefined) throw new ConfigError(['--undo has no --to: it applies to DATABASE_URL.'])
  const { database } = readConfig(env)
  const { openSource } = await import('../../runtimes/node/copy.ts')
  const source = await openSource(database)
  try {
    const wasFrozen = (await source.frozenText()) !== null
    if (wasFrozen) await source.unfreeze()
    if (json) return console.log(JSON.stringify({ wasFrozen }))
    console.error(`${describeDatabase(database)} ${wasFrozen ? 'can be written again.' : 'was not frozen.'}`)
  } finally {
    await source.close()
  }
}

async function copyTo({ to, dryRun = false, json }: Options, env: Entry['env']): Promise<void> {
  if (to === undefined)
    throw new ConfigError(['--to is missing. Give the empty database, such as postgres://….'])
  const config = readConfig(env)
  const target = readConfig({ ...env, DATABASE_URL: to, DATABASE_LISTEN_URL: undefined }).database
  const { prepareCopy } = await import('../../runtimes/node/copy.ts')
  const prepared = await prepareCopy(config, target, () => randomBytes(4).toString('hex'))
  const { source } = prepared
  try {
    const counts: { table: string; rows: number }[] = []
    for (const table of source.tables) counts.push({ table: table.name, rows: await source.count(table) })
    const rows = counts.reduce((sum, one) => sum + one.rows, 0)
    const estimateMs = (rows / ROWS_A_SECOND) * 1000
    const size = `${grouped(rows)} rows, ${grouped(Math.ceil((await source.bytes()) / 1e6))} MB`
    const road = `${describeDatabase(config.database)} to ${prepared.to}`
    if (dryRun) {
      const from = describeDatabase(config.database)
      if (json)
        return console.log(
          JSON.stringify({ from, to: prepared.to, rows, tables: counts, estimateMs, dryRun }),
        )
      printTables(counts)
      return console.error(`${road}: ${size} would be copied, in about ${shortDuration(estimateMs)}.`)
    }
    console.error(`${prepared.resumes ? 'Going on with the copy of' : 'Copying'} ${road}: ${size}.`)
    await run({ prepared, rows, json, from: describeDatabase(config.database) })
  } finally {
    await source.close()
  }
}

/** Measured on two cores: see docs/copy.md. */
const ROWS_A_SECOND = 20_000

type Run = {
  prepared: import('../../runtimes/node/copy.ts').Prepared
  rows: number
  json: true | undefined
  from: string
}

async function run({ prepared, rows, json, from }: Run): Promise<void> {
  const { copy } = await import('../../app/copy.ts')
  const { nodeClock } = await import('../../runtimes/node/node-clock.ts')
  const { to, openTarget } = prepared
  const progress = createProgress(process.stderr)
  const startedAt = performance.now()
  // Pages are short-lived: a larger young generation would only keep more of them in memory.
  v8.setFlagsFromString('--semi-space-growth-factor=1')
  const target = await openTarget()
  try {
    const tables = await copy({
      ...prepared,
      target,
      clock: nodeClock,
      onStep: (step) => console.error(step),
      onPage: (copied, table) => progress(rows === 0 ? 1 : Math.min(1, copied / rows), table, copied),
    })
    const ms = performance.now() - startedAt
    const copied = tables.reduce((sum, one) => sum + one.rows, 0)
    if (json) return console.log(JSON.stringify({ from, to, rows: copied, tables, ms: Math.round(ms) }))
    printTables(tables)
    const rate = grouped(Math.round((copied * 1000) / ms))
    console.error(`${grouped(copied)} rows in ${shortDuration(ms)}, ${rate}/s. Counts and sums are equal.`)
    console.error(
      `Start Terce with DATABASE_URL for ${to}. ${from} stays frozen; terce copy --undo ends that.`,
    )
  } catch (error) {
    const resume = 'Run the same command to go on, or terce copy --undo to send from here again.'
    throw new Error(`The copy is not complete: ${(error as Error).message.replace(/\.$/, '')}. ${resume}`, {
      cause: error,
    })
  } finally {
    await target.close()
  }
}

function printTables(tables: readonly { table: string; rows: number }[]): void {
  for (const { table, rows } of tables) console.log(`${grouped(rows).padStart(12)}  ${table}`)
}
