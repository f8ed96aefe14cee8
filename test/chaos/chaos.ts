// `npm run chaos`: one run of real processes under faults, and a summary. Keeps the evidence of a run that broke a rule.
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { KillOptions } from '../library/support/kills.ts'
import { killTransactions } from './kills.ts'
import { checkLimit } from './limits.ts'
import { type Chaos, type ChaosOptions, startChaos } from './support/chaos-run.ts'
import { completeRun, keep } from './support/complete-run.ts'
import { describe } from './support/summary.ts'

const HELP = `npm run chaos -- [options]
  Runs real workers, a real API and a real PostgreSQL under seeded faults, lets them recover, and checks every rule
  against the arrivals and the database.

  --minutes N   how long the faults last (5); the recovery comes on top
  --seed N      the seed of the faults (random)
  --workers N   how many workers (6)
  --people N    how many people, at most (20 for each second)
  --rollouts N  how often the fleet is rolled to the next release or back (0)
  --transactions N
                instead of all this: kill an application with Terce in it until N of its transactions were interrupted,
                and compare its tables with Terce's
  --limit N     instead of all this: let workers that are killed and replaced send to a channel with perSecond N, and count
                what arrives in each second
  --sqlite      with --transactions: on SQLite files, not on PostgreSQL
  --keep        keep logs, arrivals and a dump of the database also if no rule was broken
  --json        the summary as one line of JSON
  --help        this text

Exits with 0 if no rule was broken, with 1 if one was, with 2 on bad usage.
`
const PEOPLE_A_SECOND = 20
const SETTLED_WITHIN_MS = 120_000
const OUTAGE_PEOPLE = 200

class UsageError extends Error {}

type Options = ChaosOptions & { keep: boolean; json: boolean }

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return 0
  }
  try {
    const values = parse(args)
    if (values.transactions !== undefined) return await runTransactions(values)
    return await (values.limit === undefined ? run(readOptions(values)) : runLimit(values))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message} See --help.\n`)
    return 2
  }
}

function readOptions(values: Values): Options {
  const faultsMs = readNumber(values, 'minutes', 5, 0.2) * 60_000
  return {
    faultsMs,
    seed: readSeed(values),
    workers: readNumber(values, 'workers', 6, 1),
    people: readNumber(values, 'people', Math.round((faultsMs / 1000) * PEOPLE_A_SECOND), 1),
    fsync: true,
    rollouts: readNumber(values, 'rollouts', 0, 0),
    keep: values.keep,
    json: values.json,
  }
}

async function runLimit(values: Values): Promise<number> {
  const perSecond = readNumber(values, 'limit', 0, 1)
  const people = readNumber(values, 'people', perSecond * 60, 1)
  const workers = readNumber(values, 'workers', 6, 1)
  return await checkLimit({ perSecond, people, workers, seed: readSeed(values) }, say)
}

async function runTransactions(values: Values): Promise<number> {
  const stop = new AbortController()
  void onInterrupt().then(() => stop.abort())
  const options: KillOptions = {
    database: values.sqlite ? 'sqlite' : 'postgres',
    transactions: readNumber(values, 'transactions', 0, 1),
    // While one starts, the others write.
    processes: 3,
    seed: readSeed(values),
    signal: stop.signal,
  }
  const code = await killTransactions(options, say)
  return stop.signal.aborted ? INTERRUPTED : code
}

const readSeed = (values: Values) => readNumber(values, 'seed', Date.now() % 0x1_0000_0000, 0)

type Values = ReturnType<typeof parse>
type Numeric = 'minutes' | 'seed' | 'workers' | 'people' | 'rollouts' | 'transactions' | 'limit'

function readNumber(values: Values, name: Numeric, fallback: number, least: number): number {
  const value = values[name] === undefined ? fallback : Number(values[name])
  const fits = name === 'minutes' ? value >= least : Number.isInteger(value) && value >= least
  if (!fits || value > 0xffff_ffff)
    throw new UsageError(`--${name} "${values[name]}" is not a number of at least ${least}.`)
  return value
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: text,
        seed: text,
        workers: text,
        people: text,
        rollouts: text,
        transactions: text,
        limit: text,
        sqlite: flag,
        keep: flag,
        json: flag,
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function run(options: Options): Promise<number> {
  const starting = startChaos(options)
  const interrupted = onInterrupt()
  try {
    const chaos = await Promise.race([starting, interrupted])
    const code = chaos === INTERRUPTED ? INTERRUPTED : await Promise.race([play(chaos, options), interrupted])
    if (code !== 1 && !options.keep) rmSync((await starting).folder, { recursive: true })
    return code
  } finally {
    await (await starting).stop()
  }
}

async function play(chaos: Chaos, options: Options): Promise<number> {
  const progress = showProgress(chaos, options)
  const { seed } = options
  const completed = await completeRun(chaos, {
    seed,
    settledWithinMs: SETTLED_WITHIN_MS,
    outagePeople: OUTAGE_PEOPLE,
  })
  progress.end()
  const { summary } = completed
  const failed = summary.broken.length > 0
  const kept = failed || options.keep
  if (options.keep) keep(chaos.folder, completed)
  say(...(options.json ? [JSON.stringify(summary)] : describe(summary)))
  if (kept && !options.json) say(`Logs, arrivals and a dump of the database are in ${chaos.folder}`)
  return failed ? 1 : 0
}

/** The exit code of a program that Ctrl-C ended. */
const INTERRUPTED = 130

/** The first signal stops the run gracefully, a second one at once. */
function onInterrupt(): Promise<typeof INTERRUPTED> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(INTERRUPTED))
  })
}

function showProgress(chaos: Chaos, { faultsMs }: Options): { end(): void } {
  if (!process.stderr.isTTY) return { end() {} }
  const from = Date.now()
  const timer = setInterval(() => {
    const { faults } = chaos.happened()
    const elapsed = Math.round((Date.now() - from) / 1000)
    const of = elapsed * 1000 > faultsMs ? 'recovering' : `of ${faultsMs / 1000} s`
    process.stderr.write(
      `\r\x1b[K${elapsed} s ${of}: ${chaos.population.people.length} people, ${faults.length} faults`,
    )
  }, 1_000)
  return {
    end: () => {
      clearInterval(timer)
      process.stderr.write('\r\x1b[K')
    },
  }
}

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

// process.exit, not exitCode: after an interruption the rest of the run would keep the process alive.
process.exit(await main(process.argv.slice(2)))
