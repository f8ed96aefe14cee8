// npm run bench: compares Terce with pg-boss, graphile-worker and BullMQ in one run on the same servers. Prints a table and
// writes bench/results/latest.json and latest.svg.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { ENGINES } from './engines/list.ts'
import { drawPlot } from './plot.ts'
import { buildProduct } from './product/build.ts'
import { BEGIN, END, updateReadme } from './readme.ts'
import { formatRecord, printRemarks, printTable, type Recorded } from './report.ts'
import { runWorkloads } from './run-workloads.ts'
import { type ScaleRun, scaleTable, storeRuns } from './scale/report.ts'
import { runScale, SCALES, STEP_NAMES, TINY_SCALE } from './scale/run.ts'
import { installPeers, POSTGRES_SETTINGS, startDatabase, startRedis, startSink, stopAll } from './servers.ts'
import { printTargets } from './targets.ts'
import {
  FULL,
  HOMES,
  hasSameWork,
  LOOP,
  PRODUCT_WORKLOADS,
  QUICK,
  type Sizes,
  TINY,
  WORKLOADS,
  type Workload,
} from './workloads.ts'

const HELP = `Usage: npm run bench -- [options]

Compares Terce with pg-boss, graphile-worker and BullMQ on this machine: as queues alone (W1 to W5), and with the code that does
the work of Terce (people, W6). Takes about 40 minutes on two cores.

  --quick        run one round with smaller sizes (under 6 minutes on two cores)
  --only W1,W4   run only these workloads: ${WORKLOADS.join(', ')};
                 W6 alone runs one round, and also prints the CPU of the worker by part (under 2 minutes on two cores)
  --engines a,b  run only these engines: ${ENGINES.map(({ name }) => name).join(', ')}
  --scale 1M     fill a database with 1M, 10M or 30M people, and measure load, claims, a spike, a replan and a prune instead; with
                 --engines terce-postgres or terce-sqlite one database, with --only the steps ${STEP_NAMES.join(', ')}
  --readme       run nothing: write the tables of README.md and docs/scale.md from bench/results
  --help         print this text

Writes bench/results/latest.json, latest.svg and the table of the README, except with --only or --engines.
--scale writes bench/results/scale.json and the table of docs/scale.md, except with --only.`

const started = Date.now()
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    if (isStopping) return
    isStopping = true
    say('stopping')
    await stopAll()
    process.exit(130)
  })
}

try {
  await main()
} catch (error) {
  // Errors while stopping are expected: the servers are gone.
  if (!isStopping) {
    console.error(error)
    process.exitCode = 1
  }
} finally {
  if (!isStopping) await stopAll()
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      // Undocumented, for testing the benchmark itself: its figures are meaningless.
      tiny: { type: 'boolean', default: false },
      only: { type: 'string' },
      engines: { type: 'string' },
      scale: { type: 'string' },
      readme: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  if (values.scale !== undefined) return scale(values.scale, values)
  if (values.readme) {
    storeRuns([])
    if (!updateReadme()) throw new Error(`README.md has no lines ${BEGIN} and ${END}.`)
    return
  }
  const only = parseList<Workload>(values.only, WORKLOADS)
  const wanted = parseList<string>(
    values.engines,
    ENGINES.map(({ name }) => name),
  )
  const isLoop = only.length === 1 && only[0] === 'W6'
  const sizes: Sizes = values.tiny ? TINY : values.quick ? QUICK : isLoop ? { ...FULL, ...LOOP } : FULL

  const isProduct = only.some((workload) => PRODUCT_WORKLOADS.includes(workload))
  const hasPeers = only.some((workload) => !PRODUCT_WORKLOADS.includes(workload))
  const isCompared = only.some((workload) => hasSameWork(workload)) && !isLoop
  if (hasPeers || isCompared) installPeers(say)
  if (isProduct) say('building the product')
  const command = isProduct ? buildProduct() : null
  const postgres = await startDatabase()
  const redis =
    hasPeers && wanted.includes('bullmq')
      ? await startRedis(say)
      : { url: null, reason: 'it was not selected' }
  const engines = wanted.filter((name) => name !== 'bullmq' || redis.url !== null)
  const sink = isProduct ? await startSink() : null
  const context = [
    `PostgreSQL from npm, one server for all engines: ${POSTGRES_SETTINGS.join(', ')}`,
    ...(hasPeers ? [redisContext(redis)] : []),
    sizes.rounds === 1 ? 'one round' : `best and worst of ${sizes.rounds} rounds, engines interleaved`,
    `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}`,
  ]
  for (const line of context) say(line)
  const figures = await runWorkloads({
    sizes,
    only,
    engines,
    postgres,
    redis: redis.url === null ? null : redis,
    sink,
    command,
    say,
  })

  const minutes = `${((Date.now() - started) / 60_000).toFixed(1)} minutes`
  const parts = [
    printTable(figures, sizes),
    printTargets(figures, sizes),
    printRemarks(figures),
    [...context, minutes].join('\n'),
  ]
  console.log(parts.join('\n\n'))
  // A partial run must not replace the results of a full run.
  if (values.only === undefined && values.engines === undefined && !values.tiny)
    record({ at: new Date().toISOString(), context, sizes, figures })
}

async function scale(size: string, how: { only?: string; engines?: string; tiny: boolean }): Promise<void> {
  const people = how.tiny ? TINY_SCALE : SCALES[size.toUpperCase()]
  if (people === undefined)
    throw new Error(`Unknown scale "${size}". Use ${Object.keys(SCALES).join(' or ')}.`)
  const steps = parseList(how.only, STEP_NAMES)
  const homes = parseList(how.engines, HOMES)
  const load = Number(loadavg()[0]!.toFixed(1))
  say('building the product')
  const command = buildProduct()
  const deps = { command, postgres: await startDatabase(), sink: await startSink() }
  const runs: ScaleRun[] = []
  for (const name of homes) {
    runs.push(await runScale(deps, { people, name, steps, load, say }))
    // At once: the next database can take hours.
    if (how.only === undefined && !how.tiny) storeRuns(runs)
  }
  console.log(scaleTable(runs))
}

function redisContext({ url, reason }: { url: string | null; reason: string | null }): string {
  return url === null
    ? `BullMQ is skipped: ${reason}.`
    : 'Redis: appendonly yes, appendfsync everysec, noeviction'
}

function record(result: Recorded): void {
  const folder = new URL('results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('latest.json', folder), formatRecord(result))
  writeFileSync(new URL('latest.svg', folder), drawPlot(result.figures))
  updateReadme()
}

function parseList<T extends string>(text: string | undefined, known: readonly T[]): T[] {
  if (text === undefined) return [...known]
  return text.split(',').map((name) => {
    const found = known.find((one) => one.toLowerCase() === name.trim().toLowerCase())
    if (found === undefined) throw new Error(`Unknown name "${name}". Use one or more of ${known.join(',')}.`)
    return found
  })
}

/** Prints progress to stderr, so that stdout has only the result. */
function say(line: string): void {
  const seconds = Math.floor((Date.now() - started) / 1000)
  console.error(
    `[${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}] ${line}`,
  )
}
