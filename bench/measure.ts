// One engine at one task, in a process of its own, so that no engine warms or burdens another. Started by run.ts with the
// job as its argument; answers with figures, or dies with the reason.
import pg from 'pg'
import { counting, noOp, post } from './channels.ts'
import { type EngineUnderTest, type Place, YEAR_MS } from './engine.ts'
import { loadEngine } from './engines/list.ts'
import { percentile } from './figures.ts'

export type Task =
  /** Everything due at one instant; by HTTP, or with a handler that does nothing. */
  | { kind: 'drain'; count: number; http: boolean }
  | { kind: 'bulk'; count: number }
  /** Events at random instants within the window. */
  | { kind: 'lateness'; count: number; startAt: number; windowMs: number }
  | { kind: 'seed'; count: number }
  | { kind: 'claim'; claims: number }

export type Job = { engine: string; place: Place; task: Task }
export type Measured = Record<string, number>

/** W5: due at each claim, asked for, and claims before the counted ones. */
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
      return drain(engine, task)
    case 'bulk':
      return bulk(engine, task.count)
    case 'lateness':
      return lateness(engine, task)
    case 'seed':
      return engine
        .seed(task.count)
        .then(() => engine.settleDown())
        .then(() => ({}))
    case 'claim':
      return claim(engine, task.claims)
  }
}

async function drain(
  engine: EngineUnderTest,
  { count, http }: { count: number; http: boolean },
): Promise<Measured> {
  const before = await engine.count()
  const dueAt = Math.floor(Date.now() / 1000 - 1) * 1000
  const keys = await engine.schedule(Array.from({ length: count }, () => dueAt))
  await engine.settleDown()
  const handled = counting(http ? post(job.place.sinkUrl!) : noOp())
  await checkpoint()
  const started = performance.now()
  await engine.run(count, handled.channel)
  const tookMs = performance.now() - started
  if (job.engine !== 'bare-http') {
    handled.check(keys)
    await verify(engine, { future: before.future + count })
  }
  return { perSecond: (count * 1000) / tookMs }
}

async function bulk(engine: EngineUnderTest, count: number): Promise<Measured> {
  const soonest = Date.now() + 24 * 60 * 60 * 1000
  const instants = Array.from({ length: count }, () => soonest + Math.floor(Math.random() * (YEAR_MS - 1e9)))
  await checkpoint()
  const started = performance.now()
  await engine.schedule(instants)
  const tookMs = performance.now() - started
  await verify(engine, { future: count })
  return { perSecond: (count * 1000) / tookMs }
}

async function lateness(
  engine: EngineUnderTest,
  { count, startAt, windowMs }: { count: number; startAt: number; windowMs: number },
): Promise<Measured> {
  const instants = Array.from({ length: count }, () => startAt + Math.floor(Math.random() * windowMs))
  const keys = await engine.schedule(instants)
  await engine.settleDown()
  if (Date.now() > startAt)
    throw new Error('Scheduling took longer than the time that was left before the first instant.')
  const dueAt = new Map(keys.map((key, i) => [key, instants[i]!]))
  const late: number[] = []
  const handled = counting(noOp((key) => late.push(Date.now() - dueAt.get(key)!)))
  await engine.run(count, handled.channel)
  handled.check(keys)
  await verify(engine, { future: count })
  if (Math.min(...late) < 0) throw new Error(`An event came ${-Math.min(...late)} ms before its instant.`)
  return {
    latenessP50Ms: percentile(late, 50),
    latenessP99Ms: percentile(late, 99),
    latenessMaxMs: Math.max(...late),
  }
}

/** Fewer are due than asked for: the usual case, and the one in which a claim can run on into the future. */
async function claim(engine: EngineUnderTest, claims: number): Promise<Measured> {
  const took: number[] = []
  for (let i = 0; i < WARM_UP + claims; i++) {
    const dueAt = Date.now() - 1000
    await engine.schedule(Array.from({ length: DUE }, () => dueAt))
    const { taken, tookMs } = await engine.claim(LIMIT)
    if (taken !== DUE) throw new Error(`${taken} events were claimed; ${DUE} were due.`)
    if (i >= WARM_UP) took.push(tookMs)
  }
  return { claimP50Ms: percentile(took, 50) }
}

async function verify(engine: EngineUnderTest, expected: { future: number }): Promise<void> {
  const found = await engine.count()
  if (found.due !== 0 || found.future !== expected.future)
    throw new Error(
      `${job.engine}: ${found.due} events are left, ${found.future} lie ahead where ${expected.future} should.`,
    )
}

/** No engine pays for what another wrote before it. */
async function checkpoint(): Promise<void> {
  const client = new pg.Client({ connectionString: job.place.postgresUrl })
  await client.connect()
  await client.query('CHECKPOINT')
  await client.end()
}
