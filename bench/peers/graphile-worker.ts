// graphile-worker as an engine under test, driven through its own API. Settings, from its performance page:
// - localQueue, completeJobBatchDelay 0 and failJobBatchDelay 0: fetching and completing in batches
// - concurrency 500. The page shows 24 for handlers that write nothing; these handlers schedule the next job, and batching
//   the jobs into `addJobs` calls needs hundreds of handlers at once. Measured on W1: 24 4.9k/s, 100 9.6k, 500 11.7k,
//   1000 11.1k; a local queue of 500 (as on the page) or of 1000 made no difference
// - `addJobs` with 5000 jobs, two calls in flight: 2.2x the rows of Terce in one run, with 1000 1.6x
// - no named queues, prepared statements on (the default)
// - a poll every 100 ms instead of every 2 s, for less lateness; it costs nothing while the worker is busy

import { Logger, makeWorkerUtils, type Runner, run, type WorkerUtils } from 'graphile-worker'
import pg from 'pg'
import type { EngineUnderTest, Payload } from '../engine.ts'
import { YEAR_MS } from '../engine.ts'
import { createBatcher } from './batcher.ts'
import { deliver, newPayload, nextPayload } from './payload.ts'

const TASK = 'greet'
const CONCURRENCY = 500
const LOCAL_QUEUE = 500
const CHUNK = 5_000
const POLL_MS = 100

const quiet = new Logger(() => () => {})

export function createEngine(): EngineUnderTest {
  let pool: pg.Pool
  let utils: WorkerUtils
  let runner: Runner | null = null
  /** Called for each statement: the events of graphile-worker report a completion before it is written. */
  let onStatement = (_statement: { name: string; rows: number; tookMs: number }) => {}

  class WatchedClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: an override cannot repeat all overloads of pg.
    override query(...args: any[]): any {
      const started = performance.now()
      const result = (super.query as (...args: unknown[]) => unknown).apply(this, args)
      const name =
        args[0]?.name ?? (/^\s*(with j_raw|delete from)/.test(args[0]?.text ?? '') ? 'other' : undefined)
      if (name !== undefined && result instanceof Promise) {
        result.then(
          ({ rowCount }) => onStatement({ name, rows: rowCount, tookMs: performance.now() - started }),
          () => {},
        )
      }
      return result
    }
  }

  const spec = (payload: Payload, at: number) => ({ identifier: TASK, payload, runAt: new Date(at) })

  async function start(size: number, task: (payload: Payload) => Promise<void>): Promise<void> {
    runner = await run({
      pgPool: pool,
      taskList: { [TASK]: (payload) => task(payload as Payload) },
      logger: quiet,
      noHandleSignals: true,
      preset: {
        worker: {
          concurrentJobs: Math.min(CONCURRENCY, size),
          localQueue: { size },
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
          pollInterval: POLL_MS,
        },
      },
    })
  }

  return {
    async setUp({ postgresUrl }) {
      pool = new pg.Pool({ connectionString: postgresUrl, max: 10, Client: WatchedClient as never })
      pool.on('error', () => {})
      pool.on('connect', (client) => client.on('error', () => {}))
      utils = await makeWorkerUtils({ pgPool: pool, logger: quiet })
      await utils.migrate()
    },

    async schedule(instants) {
      const all = instants.map((at) => ({ payload: newPayload(), at }))
      const chunks = Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, i) =>
        all.slice(i * CHUNK, (i + 1) * CHUNK),
      )
      await Promise.all(
        Array.from({ length: 2 }, async () => {
          for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop())
            await utils.addJobs(chunk.map(({ payload, at }) => spec(payload, at)))
        }),
      )
      return all.map(({ payload }) => payload.key)
    },

    // By SQL: its API would take a minute for a million jobs.
    async seed(count) {
      await utils.addJob(TASK, newPayload(), { runAt: new Date(Date.now() + YEAR_MS) })
      await pool.query(
        `INSERT INTO graphile_worker._private_jobs (task_id, payload, run_at)
         SELECT t.id, json_build_object('key', 'seed' || i, 'firstName', 'Ada' || i, 'lastName', 'Lovelace', 'year', 2026),
                now() + interval '1 day' + random() * interval '364 days'
         FROM generate_series(2, $2::int) i, graphile_worker._private_tasks t WHERE t.identifier = $1`,
        [TASK, count],
      )
    },

    async prepare() {
      await pool.query('VACUUM ANALYZE graphile_worker._private_jobs')
    },

    async run(count, channel) {
      let written = 0
      const all = Promise.withResolvers<void>()
      onStatement = ({ name, rows }) => {
        if (!name.startsWith('complete_job')) return
        written += rows
        if (written >= count) all.resolve()
      }
      const plan = createBatcher<Payload>(LOCAL_QUEUE, (payloads) => {
        const at = Date.now() + YEAR_MS
        return utils.addJobs(payloads.map((payload) => spec(nextPayload(payload), at)))
      })
      await start(LOCAL_QUEUE, async (payload) => {
        await deliver(channel, payload)
        await plan(payload)
      })
      runner!.events.on('job:error', ({ error }) => all.reject(error))
      await all.promise
    },

    // Times the fetch of the real worker, with a local queue of that size, which the added jobs wake.
    async claim(limit) {
      const fetched = Promise.withResolvers<{ claimed: number; tookMs: number }>()
      const written = Promise.withResolvers<void>()
      let left = Number.POSITIVE_INFINITY
      onStatement = ({ name, rows, tookMs }) => {
        if (name.startsWith('get_job') && rows > 0 && left === Number.POSITIVE_INFINITY) {
          left = rows
          fetched.resolve({ claimed: rows, tookMs })
        } else if (name.startsWith('complete_job')) {
          left -= rows
          if (left <= 0) written.resolve()
        }
      }
      await start(limit, async () => {})
      const result = await fetched.promise
      await written.promise
      await runner?.stop()
      runner = null
      return result
    },

    async count() {
      const { rows } = await pool.query(
        `SELECT count(*) FILTER (WHERE run_at <= now())::int AS due, count(*) FILTER (WHERE run_at > now())::int AS future
         FROM graphile_worker._private_jobs`,
      )
      return rows[0]
    },

    async tearDown() {
      await runner?.stop()
      await utils.release()
      await pool.end()
    },
  }
}
