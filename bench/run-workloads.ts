// The order of measurements in one run: rounds interleave the engines, so that the machine's moods fall on all alike.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { engineNamed } from './engines/list.ts'
import { type Figure, summarise } from './figures.ts'
import type { Job, Measured, Task } from './measure.ts'
import { end, onStop, type Sink } from './servers.ts'
import { enginesFor, type Sizes, type Workload } from './workloads.ts'

export type Course = {
  sizes: Sizes
  only: readonly Workload[]
  engines: readonly string[]
  postgres: { url(database: string): string }
  redisUrl: string | null
  sink: Sink | null
  say: (line: string) => void
}

type Sample = Pick<Figure, 'workload' | 'engine' | 'metric' | 'pending'> & { value: number }

const BIG_REDIS = 1

export async function runCourse(course: Course): Promise<Figure[]> {
  const { sizes, only } = course
  const samples: Sample[] = []
  const admin = new pg.Pool({ connectionString: course.postgres.url('postgres'), max: 1 })
  admin.on('error', () => {})
  onStop(() => admin.end())
  let made = 0

  function note(workload: Workload, engine: string, measured: Measured, pending?: number): void {
    for (const [metric, value] of Object.entries(measured)) {
      samples.push({ workload, engine, metric, value, ...(pending === undefined ? {} : { pending }) })
      const size = pending === undefined ? '' : ` with ${pending.toLocaleString('en')} pending`
      course.say(
        `${workload} ${engine}${size}: ${metric} ${value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)}`,
      )
    }
  }

  /** In a new database, which is dropped afterwards. */
  async function measureAnew(engine: string, task: Task): Promise<Measured> {
    made += 1
    const database = `bench_${made}`
    await admin.query(`CREATE DATABASE ${database}`)
    try {
      return await measure(course, { engine, task, database, redisDatabase: 0 })
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`).catch(() => {})
    }
  }

  async function rounds(
    workload: Workload,
    one: (engine: string) => Promise<Measured>,
    pending?: number,
  ): Promise<void> {
    for (let round = 1; round <= sizes.rounds; round++) {
      for (const engine of enginesFor(workload, course.engines))
        note(workload, engine, await one(engine), pending)
    }
  }

  async function byHttp(engine: string): Promise<Measured> {
    const measured = await measureAnew(engine, { kind: 'drain', count: sizes.due, http: true })
    const { posts, distinct } = await course.sink!.take()
    if (posts !== sizes.due || distinct !== sizes.due)
      throw new Error(`${engine}: the sink got ${posts} POSTs with ${distinct} keys; ${sizes.due} were due.`)
    return measured
  }

  /** All at the same time: they mostly wait, and one after the other would take six minutes. */
  async function lateness(): Promise<void> {
    const startAt = Date.now() + 6_000
    const engines = enginesFor('W4', course.engines)
    const all = await Promise.all(
      engines.map((engine) => measureAnew(engine, { kind: 'lateness', ...sizes.lateness, startAt })),
    )
    for (const [i, engine] of engines.entries()) note('W4', engine, all[i]!)
  }

  /** One database per family, filled further for each size of W5 and full at W1M. */
  async function big(): Promise<void> {
    const inBig = (engine: string, task: Task) =>
      measure(course, {
        engine,
        task,
        database: `big_${engineNamed(engine).family}`,
        redisDatabase: BIG_REDIS,
      })
    const engines = enginesFor('W5', course.engines)
    const families = new Set(
      [...engines, ...enginesFor('W1M', course.engines)].map((name) => engineNamed(name).family),
    )
    for (const family of families) await admin.query(`CREATE DATABASE big_${family}`)
    let filled = 0
    const fill = async (pending: number, who: readonly string[]) => {
      for (const engine of who) {
        course.say(`filling ${engine} up to ${pending.toLocaleString('en')} pending`)
        await inBig(engine, { kind: 'seed', count: pending - filled })
      }
      filled = pending
    }
    for (const pending of only.includes('W5') ? sizes.pending : sizes.pending.slice(-1)) {
      await fill(pending, engines)
      if (only.includes('W5'))
        await rounds('W5', (engine) => inBig(engine, { kind: 'claim', claims: sizes.claims }), pending)
    }
    if (only.includes('W1M'))
      await rounds('W1M', (engine) => inBig(engine, { kind: 'drain', count: sizes.due, http: false }))
    if (sizes.bigPending !== null && only.includes('W5')) {
      await fill(sizes.bigPending, ['terce-postgres'])
      note(
        'W5',
        'terce-postgres',
        await inBig('terce-postgres', { kind: 'claim', claims: sizes.claims }),
        sizes.bigPending,
      )
    }
  }

  if (only.includes('W1'))
    await rounds('W1', (engine) => measureAnew(engine, { kind: 'drain', count: sizes.due, http: false }))
  if (only.includes('W2')) await rounds('W2', byHttp)
  if (only.includes('W3'))
    await rounds('W3', (engine) => measureAnew(engine, { kind: 'bulk', count: sizes.bulk }))
  if (only.includes('W4')) for (let round = 1; round <= sizes.rounds; round++) await lateness()
  if (only.includes('W5') || only.includes('W1M')) await big()
  return gather(samples)
}

/** Starts measure.ts for one job and waits for its figures. */
function measure(
  course: Course,
  what: { engine: string; task: Task; database: string; redisDatabase: number },
): Promise<Measured> {
  const place = {
    postgresUrl: course.postgres.url(what.database),
    redisUrl: course.redisUrl,
    redisDatabase: what.redisDatabase,
    sinkUrl: course.sink?.url ?? null,
  }
  const job: Job = { engine: what.engine, task: what.task, place }
  const child: ChildProcess = fork(fileURLToPath(new URL('measure.ts', import.meta.url)), [
    JSON.stringify(job),
  ])
  onStop(() => end(child, 'SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('message', (measured) => resolve(measured as Measured))
    child.once('exit', (code, signal) =>
      reject(new Error(`${what.engine} failed at ${JSON.stringify(what.task)} (${code ?? signal}).`)),
    )
  })
}

function gather(samples: readonly Sample[]): Figure[] {
  const same = Object.groupBy(samples, ({ workload, engine, metric, pending }) =>
    [workload, pending, metric, engine].join(),
  )
  return Object.values(same).map((runs) => {
    const { value: _, ...of } = runs![0]!
    return summarise(
      of,
      runs!.map(({ value }) => value),
    )
  })
}
