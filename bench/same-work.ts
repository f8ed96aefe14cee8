// Measures one peer at the work of Terce, in its own process, as W6 and `people` measure Terce. run-workloads.ts starts it with the job as its
// argument. It sends the figures as a message, or exits with an error.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { engineNamed } from './engines/list.ts'
import type { Measured } from './figures.ts'
import type { FirstJob, GreetingEngine } from './peers/same-work/greeting.ts'
import { crowdFields } from './product/crowd.ts'
import { meterCpu } from './product/process.ts'

export type SameWork = {
  engine: string
  postgresUrl: string
  postgresPid: number
  /** `people` stores people with their first job; `spike` also greets all of them at one instant. */
  task: { kind: 'people'; count: number } | { kind: 'spike'; count: number; sinkUrl: string; secret: string }
}

const BATCH = 5_000
const QUIET_MS = 2_000
const LONGEST_MS = 300_000

const { engine: name, postgresUrl, postgresPid, task } = JSON.parse(process.argv[2]!) as SameWork
// Not a literal: the type check of the root must not follow it to packages that only bench/ installs.
const { sameWork } = engineNamed(name)
const engine = ((await import(sameWork!.module)) as { createEngine: () => GreetingEngine }).createEngine()
await engine.setUp(postgresUrl)
const pool = new pg.Pool({ connectionString: postgresUrl, max: 1 })
const measured = await (task.kind === 'people' ? storePeople(task.count) : spike(task))
await engine.stop()
await pool.end()
process.send!(measured, () => process.exit())

/** Two batches in flight, as for Terce. */
async function create(count: number, atOf: (i: number) => number): Promise<void> {
  let next = 0
  const loop = async () => {
    while (next < count) {
      const from = next
      next = Math.min(from + BATCH, count)
      await engine.create(Array.from({ length: next - from }, (_, i) => personAt(from + i, atOf(from + i))))
    }
  }
  await Promise.all([loop(), loop()])
}

function personAt(i: number, at: number): FirstJob {
  return { person: { id: randomUUID(), ...crowdFields(i) }, year: new Date(at).getUTCFullYear(), at }
}

async function storePeople(count: number): Promise<Measured> {
  const soonest = Date.now() + 2 * 86_400_000
  await pool.query('CHECKPOINT')
  const cpu = meterCpu(process.pid, postgresPid)
  const started = performance.now()
  await create(count, () => soonest + Math.floor(Math.random() * 360 * 86_400_000))
  const tookMs = performance.now() - started
  return { perSecond: (count * 1_000) / tookMs, ...cpu(count) }
}

async function spike({ count, sinkUrl, secret }: SameWork['task'] & { kind: 'spike' }): Promise<Measured> {
  const at = Math.ceil((Date.now() + 5_000 + count / 4) / 1_000) * 1_000
  await create(count, () => at)
  await pool.query('VACUUM ANALYZE')
  await pool.query('CHECKPOINT')
  if (Date.now() > at - QUIET_MS) throw new Error('The people were not stored in time.')
  const failed = Promise.withResolvers<never>()
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  await engine.start({ url: sinkUrl, key }, failed.reject)
  await sleep(at - 1_000 - Date.now())
  const cpu = meterCpu(process.pid, postgresPid)
  const recorded = async () =>
    (await pool.query('SELECT count(*)::int AS count FROM outcomes')).rows[0].count as number
  const deadline = Date.now() + LONGEST_MS
  const done = async () => {
    while ((await recorded()) < count) {
      if (Date.now() > deadline) throw new Error(`${await recorded()} of ${count} outcomes were recorded.`)
      await sleep(500)
    }
  }
  await Promise.race([done(), failed.promise])
  const figures = cpu(count)
  const { rows } = await pool.query(engine.countNext)
  if (rows[0].count !== count) throw new Error(`${rows[0].count} next jobs are planned for ${count} people.`)
  return { at, ...figures }
}
