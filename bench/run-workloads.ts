// Runs the workloads in order. Rounds interleave the engines, so that a change in the machine's load affects all of them.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { engineNamed } from './engines/list.ts'
import { type Figure, type Measured, summarise } from './figures.ts'
import type { Job, Task } from './measure.ts'
import { measureFairness } from './product/fairness.ts'
import { measureImport, writePeople } from './product/import.ts'
import { measureMemory } from './product/memory.ts'
import { checked, measureSpike, SECRET, verifySample } from './product/spike.ts'
import type { SameWork } from './same-work.ts'
import { type Database, end, onStop, type Sink } from './servers.ts'
import { enginesFor, homesFor, peersWithSameWork, type Sizes, type Workload } from './workloads.ts'

export type RunOptions = {
  sizes: Sizes
  only: readonly Workload[]
  engines: readonly string[]
  postgres: Database
  redis: { url: string; pid: number } | null
  sink: Sink | null
  /** The path of bin/terce.js of the built product; null if no workload needs it. */
  command: string | null
  say: (line: string) => void
}

type Sample = Pick<Figure, 'workload' | 'engine' | 'metric' | 'pending'> & { value: number }

const BIG_REDIS = 1

export async function runWorkloads(options: RunOptions): Promise<Figure[]> {
  const { sizes, only } = options
  const samples: Sample[] = []
  const admin = new pg.Pool({ connectionString: options.postgres.url('postgres'), max: 1 })
  admin.on('error', () => {})
  onStop(() => admin.end())
  const engines = enginesFor(options.engines)
  let databases = 0
  /** By itself, W6 is the loop of work on the CPU of the worker. */
  const isLoop = only.length === 1 && only[0] === 'W6'

  function note(workload: Workload, engine: string, measured: Measured, pending?: number): void {
    for (const [metric, value] of Object.entries(measured)) {
      samples.push({ workload, engine, metric, value, ...(pending === undefined ? {} : { pending }) })
      const size = pending === undefined ? '' : ` with ${pending.toLocaleString('en')} pending`
      options.say(
        `${workload} ${engine}${size}: ${metric} ${value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)}`,
      )
    }
  }

  /** Measures in a new database, and drops it afterwards. */
  async function measureInNewDatabase(engine: string, task: Task): Promise<Measured> {
    databases += 1
    const database = `bench_${databases}`
    await admin.query(`CREATE DATABASE ${database}`)
    try {
      return await measure(options, { engine, task, database, redisDatabase: 0 })
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`).catch(() => {})
    }
  }

  /** A peer with the code around it that does the work of Terce. */
  async function sameWork(engine: string, task: SameWork['task']): Promise<Measured> {
    databases += 1
    const database = `same_work_${databases}`
    await admin.query(`CREATE DATABASE ${database}`)
    const { postgres } = options
    try {
      const place = { postgresUrl: postgres.url(database), postgresPid: postgres.pid }
      return await inProcess('same-work.ts', { engine, task, ...place })
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`).catch(() => {})
    }
  }

  async function spikeOfPeer(engine: string): Promise<Measured> {
    const sink = options.sink!
    await sink.readAndReset()
    const task = { kind: 'spike', count: sizes.spike, sinkUrl: sink.url, secret: SECRET } as const
    const { at, ...cpu } = await sameWork(engine, task)
    const { firstAt, lastAt, kept } = await checked(sink, sizes.spike)
    await verifySample(kept)
    const perSecond = (sizes.spike * 1_000) / (lastAt - at!)
    return { perSecond, ...cpu, firstMs: firstAt - at!, lastMs: lastAt - at! }
  }

  async function byProduct(): Promise<void> {
    const deps = { command: options.command!, postgres: options.postgres, sink: options.sink! }
    const homes = homesFor(options.engines)
    if (only.includes('W6'))
      for (let round = 1; round <= sizes.rounds; round++) {
        for (const home of homes) note('W6', home, await measureSpike(deps, home, sizes.spike))
        for (const peer of isLoop ? [] : peersWithSameWork(options.engines))
          note('W6', peer, await spikeOfPeer(peer))
      }
    // The sampled run is none of the figures.
    if (isLoop)
      await measureSpike(deps, homes[0]!, sizes.spike, (text) =>
        options.say(
          `W6 ${homes[0]}: CPU of the worker by part, µs for each message (sampling included)\n${text}`,
        ),
      )
    if (only.includes('W7'))
      for (let round = 1; round <= sizes.rounds; round++)
        for (const home of homes) note('W7', home, await measureFairness(deps, home, sizes.fairness))
    if (only.includes('memory') && homes.includes('terce-sqlite')) {
      note('memory', 'terce-sqlite', await measureMemory(deps, sizes.memory))
    }
    if (only.includes('import')) {
      const from = { file: await writePeople(sizes.imported), people: sizes.imported }
      for (const home of homes) note('import', home, await measureImport(deps, home, from))
    }
  }

  async function rounds(
    workload: Workload,
    one: (engine: string) => Promise<Measured>,
    pending?: number,
  ): Promise<void> {
    for (let round = 1; round <= sizes.rounds; round++) {
      for (const engine of engines) note(workload, engine, await one(engine), pending)
    }
  }

  /** All engines run at once: they mostly wait, and in sequence they would take six minutes. */
  async function lateness(): Promise<void> {
    const startAt = Date.now() + 15_000
    const all = await Promise.all(
      engines.map((engine) => measureInNewDatabase(engine, { kind: 'lateness', ...sizes.lateness, startAt })),
    )
    for (const [i, engine] of engines.entries()) note('W4', engine, all[i]!)
  }

  /** Uses one database for each family: W5 fills it up to each of its sizes, and W1M runs on the full one. */
  async function runBig(): Promise<void> {
    const inBig = (engine: string, task: Task) =>
      measure(options, {
        engine,
        task,
        database: `big_${engineNamed(engine).family}`,
        redisDatabase: BIG_REDIS,
      })
    const families = new Set(engines.map((name) => engineNamed(name).family))
    for (const family of families) await admin.query(`CREATE DATABASE big_${family}`)
    let filled = 0
    for (const pending of only.includes('W5') ? sizes.pending : sizes.pending.slice(-1)) {
      for (const engine of engines) {
        options.say(`filling ${engine} up to ${pending.toLocaleString('en')} pending`)
        await inBig(engine, { kind: 'seed', count: pending - filled })
      }
      filled = pending
      if (only.includes('W5'))
        await rounds('W5', (engine) => inBig(engine, { kind: 'claim', claims: sizes.claims }), pending)
    }
    if (only.includes('W1M'))
      await rounds('W1M', (engine) => inBig(engine, { kind: 'drain', count: sizes.due }))
  }

  if (only.includes('W1'))
    await rounds('W1', (engine) => measureInNewDatabase(engine, { kind: 'drain', count: sizes.due }))
  if (only.includes('W3'))
    await rounds('W3', (engine) => measureInNewDatabase(engine, { kind: 'bulk', count: sizes.bulk }))
  if (only.includes('people'))
    for (let round = 1; round <= sizes.rounds; round++) {
      if (options.engines.includes('terce-postgres'))
        note(
          'people',
          'terce-postgres',
          await measureInNewDatabase('terce-postgres', { kind: 'bulk', count: sizes.bulk }),
        )
      for (const peer of peersWithSameWork(options.engines))
        note('people', peer, await sameWork(peer, { kind: 'people', count: sizes.bulk }))
    }
  if (only.includes('W4')) for (let round = 1; round <= sizes.rounds; round++) await lateness()
  // Before the big databases exist: PostgreSQL would vacuum them while its CPU time is measured.
  if (options.command !== null) await byProduct()
  if (only.includes('W5') || only.includes('W1M')) await runBig()
  return summariseAll(samples)
}

/** Runs measure.ts for one job and waits for its figures. */
function measure(
  options: RunOptions,
  what: { engine: string; task: Task; database: string; redisDatabase: number },
): Promise<Measured> {
  const place = {
    postgresUrl: options.postgres.url(what.database),
    redisUrl: options.redis?.url ?? null,
    redisDatabase: what.redisDatabase,
    databasePid: what.engine === 'bullmq' ? options.redis!.pid : options.postgres.pid,
  }
  const job: Job = { engine: what.engine, task: what.task, place }
  return inProcess('measure.ts', job)
}

/** Runs a file of this folder for one job and waits for its figures. */
function inProcess(file: string, job: Job | SameWork): Promise<Measured> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(job)])
  onStop(() => end(child, 'SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('message', (measured) => resolve(measured as Measured))
    child.once('exit', (code, signal) =>
      reject(new Error(`${job.engine} failed in ${JSON.stringify(job.task)} (${code ?? signal}).`)),
    )
  })
}

/** One figure for all samples of a workload, engine, metric and size. */
function summariseAll(samples: readonly Sample[]): Figure[] {
  const groups = Object.groupBy(samples, ({ workload, engine, metric, pending }) =>
    [workload, pending, metric, engine].join(),
  )
  return Object.values(groups).map((runs) => {
    const { value: _, ...of } = runs![0]!
    return summarise(
      of,
      runs!.map(({ value }) => value),
    )
  })
}
