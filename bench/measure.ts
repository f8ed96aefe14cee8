// Measures one engine at one task, in its own process, so that no engine affects another. run-workloads.ts starts it with the
// job as its argument. It sends the figures as a message, or exits with an error.
import pg from 'pg'
import { counting, noOp } from './channels.ts'
import { type EngineUnderTest, type Place, YEAR_MS } from './engine.ts'
import { loadEngine } from './engines/list.ts'
import { type Measured, percentile } from './figures.ts'
import { meterCpu } from './product/process.ts'

export type Task =
  /** All events are due at one instant. */
  | { kind: 'drain'; count: number }
  | { kind: 'bulk'; count: number }
  /** Events at random instants within the window. */
  | { kind: 'lateness'; count: number; startAt: number; windowMs: number }
  | { kind: 'seed'; count: number }
  | { kind: 'claim'; claims: number }

export type Job = { engine: string; place: Place; task: Task }

/** For W5: the due events at each claim, the limit of a claim, and the uncounted claims before. */
const DUE = 50
const LIMIT = 100
const WARM_UP = 3

const job = JSON.parse(process.argv[2]!) as Job
const engine = await loadEngine(job.engine)
await engine.setUp(job.place)
const measured = await perform(engine, job.task)
await engine.tearDown()
process.send!(measured, () => process.exit())

function perform(engine: EngineUnderTest, task: Task): Promise<Measured> {
  switch (task.kind) {
    case 'drain':
      return drain(engine, task.count)
    case 'bulk':
      return bulk(engine, task.count)
    case 'lateness':
      return lateness(engine, task)
    case 'seed':
      return engine
        .seed(task.count)
        .then(() => engine.prepare())
        .then(() => ({}))
    case 'claim':
      return claim(engine, task.claims)
  }
}

async function drain(engine: EngineUnderTest, count: number): Promise<Measured> {
  const before = await engine.count()
  const dueAt = Math.floor(Date.now() / 1000 - 1) * 1000
  const keys = await engine.schedule(Array.from({ length: count }, () => dueAt))
  await engine.prepare()
  const counted = counting(noOp())
  await checkpoint()
  const cpu = meterCpu(process.pid, job.place.databasePid)
  const started = performance.now()
  await engine.run(count, counted.channel)
  const tookMs = performance.now() - started
  const figures = cpu(count)
  counted.check(keys)
  await verify(engine, { future: before.future + count })
  return { perSecond: (count * 1000) / tookMs, ...figures }
}

async function bulk(engine: EngineUnderTest, count: number): Promise<Measured> {
  const soonest = Date.now() + 24 * 60 * 60 * 1000
  const instants = Array.from({ length: count }, () => soonest + Math.floor(Math.random() * (YEAR_MS - 1e9)))
  await checkpoint()
  const cpu = meterCpu(process.pid, job.place.databasePid)
  const started = performance.now()
  await engine.schedule(instants)
  const tookMs = performance.now() - started
  const figures = cpu(count)
  await verify(engine, { future: count })
  return { perSecond: (count * 1000) / tookMs, ...figures }
}

async function lateness(
  engine: EngineUnderTest,
  { count, startAt, windowMs }: { count: number; startAt: number; windowMs: number },
): Promise<Measured> {
  const instants = Array.from({ length: count }, () => startAt + Math.floor(Math.random() * windowMs))
  const keys = await engine.schedule(instants)
  await engine.prepare()
  if (Date.now() > startAt) throw new Error('Scheduling took until after the first instant.')
  const dueAt = new Map(keys.map((key, i) => [key, instants[i]!]))
  const late: number[] = []
  const counted = counting(noOp((key) => late.push(Date.now() - dueAt.get(key)!)))
  await engine.run(count, counted.channel)
  counted.check(keys)
  await verify(engine, { future: count })
  if (Math.min(...late) < 0) throw new Error(`An event was sent ${-Math.min(...late)} ms before its instant.`)
  return {
    latenessP50Ms: percentile(late, 50),
    latenessP99Ms: percentile(late, 99),
    latenessMaxMs: Math.max(...late),
  }
}

/** Fewer events are due than the limit: the usual case, and the case in which a claim may scan future events too. */
async function claim(engine: EngineUnderTest, claims: number): Promise<Measured> {
  const took: number[] = []
  for (let i = 0; i < WARM_UP + claims; i++) {
    const dueAt = Date.now() - 1000
    await engine.schedule(Array.from({ length: DUE }, () => dueAt))
    const { claimed, tookMs } = await engine.claim(LIMIT)
    if (claimed !== DUE) throw new Error(`${claimed} events were claimed; ${DUE} were due.`)
    if (i >= WARM_UP) took.push(tookMs)
  }
  return { claimP50Ms: percentile(took, 50) }
}

async function verify(engine: EngineUnderTest, expected: { future: number }): Promise<void> {
  const found = await engine.count()
  if (found.due !== 0 || found.future !== expected.future)
    throw new Error(
      `${job.engine}: ${found.due} due events are left; ${found.future} future events instead of ${expected.future}.`,
    )
}

/** Runs a checkpoint, so that no engine pays for earlier writes of another. */
async function checkpoint(): Promise<void> {
  const client = new pg.Client({ connectionString: job.place.postgresUrl })
  await client.connect()
  await client.query('CHECKPOINT')
  await client.end()
}
