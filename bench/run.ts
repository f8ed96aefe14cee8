// npm run bench: Terce beside pg-boss, graphile-worker and BullMQ, in one run, on the same servers. Prints one table;
// writes bench/results/latest.json and latest.svg.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { ENGINES } from './engines/list.ts'
import { drawPlot } from './plot.ts'
import { formatRecord, jsonLines, printRemarks, printTable, printTargets } from './report.ts'
import { runCourse } from './run-workloads.ts'
import { installPeers, POSTGRES_SETTINGS, startDatabase, startRedis, startSink, stopAll } from './servers.ts'
import { FULL, QUICK, type Sizes, TINY, WORKLOADS, type Workload } from './workloads.ts'

const HELP = `npm run bench -- [options]
  --quick        one round at smaller sizes: under four minutes on two cores (all of it: under fifteen)
  --only W1,W4   these workloads alone, of ${WORKLOADS.join(', ')}
  --big          W5 also with ten million rows pending (Terce only; some minutes more)
  --engines a,b  these engines alone, of ${ENGINES.map(({ name }) => name).join(', ')}
  --json         one line of JSON per figure instead of the table
  --help         this
Writes bench/results/latest.json and latest.svg unless --only or --engines is given.`

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
  // While stopping, what fails fails because its servers are gone.
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
      // For trying the benchmark itself; its figures mean nothing.
      tiny: { type: 'boolean', default: false },
      only: { type: 'string' },
      engines: { type: 'string' },
      big: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const only = parseList<Workload>(values.only, WORKLOADS)
  const wanted = parseList<string>(
    values.engines,
    ENGINES.map(({ name }) => name),
  )
  const base = values.tiny ? TINY : values.quick ? QUICK : FULL
  const sizes: Sizes = { ...base, bigPending: values.big ? 10_000_000 : null }

  installPeers(say)
  const postgres = await startDatabase()
  const redis = wanted.includes('bullmq')
    ? await startRedis(say)
    : { url: null, reason: 'it was not asked for' }
  const engines = wanted.filter((name) => name !== 'bullmq' || redis.url !== null)
  const sink = only.includes('W2') ? await startSink() : null
  const context = [
    `PostgreSQL from npm, every engine on the same server: ${POSTGRES_SETTINGS.join(', ')}`,
    redis.url === null
      ? `BullMQ is left out: ${redis.reason}.`
      : 'Redis: appendonly yes, appendfsync everysec, noeviction',
    `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}; ${sizes.rounds === 1 ? 'one round' : `best and worst of ${sizes.rounds} rounds, engines interleaved`}`,
  ]
  for (const line of context) say(line)
  const figures = await runCourse({ sizes, only, engines, postgres, redisUrl: redis.url, sink, say })

  const minutes = `${((Date.now() - started) / 60_000).toFixed(1)} minutes`
  if (values.json) console.log(jsonLines(figures))
  else {
    const parts = [
      printTable(figures, sizes),
      printTargets(figures, sizes),
      printRemarks(engines),
      [...context, minutes].join('\n'),
    ]
    console.log(parts.join('\n\n'))
  }
  // A part of the workloads must not replace the record of all.
  if (values.only === undefined && values.engines === undefined && !values.tiny)
    record({ at: new Date().toISOString(), context, figures })
}

function record(result: { at: string; context: string[]; figures: Parameters<typeof drawPlot>[0] }): void {
  const folder = new URL('results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('latest.json', folder), formatRecord(result))
  writeFileSync(new URL('latest.svg', folder), drawPlot(result.figures))
}

function parseList<T extends string>(text: string | undefined, known: readonly T[]): T[] {
  if (text === undefined) return [...known]
  return text.split(',').map((name) => {
    const found = known.find((one) => one.toLowerCase() === name.trim().toLowerCase())
    if (found === undefined) throw new Error(`Unknown name "${name}". Use some of ${known.join(',')}.`)
    return found
  })
}

/** Progress goes to stderr, so that stdout is the result and nothing else. */
function say(line: string): void {
  const seconds = Math.floor((Date.now() - started) / 1000)
  console.error(
    `[${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}] ${line}`,
  )
}
