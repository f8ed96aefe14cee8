// pg-boss as an engine under test, driven through its own API. Settings, chosen for speed where its documentation offers a choice:
// - a queue with `partition: true`: a separate table, which its documentation recommends for a large queue
// - fetch and complete 1000 jobs at a time in three loops, as `work` would with `localConcurrency: 3`. Measured on W1 in
//   two loops: 500 12.5k/s, 1000 15k, 2000 14k; with 1000: 17k in three loops, 16k in four
// - bulk inserts of 5000 jobs, two in flight: 2.5x the rows of Terce in one run, of 1000 1.5x
// - next jobs and completion in one transaction by the `db` option, which saves a commit and matches the guarantee of Terce
// - `supervise` and `schedule` off: no maintenance during a run
// - 0.5 s between polls when no job is due: the minimum that `work` accepts
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { EngineUnderTest, Payload } from '../engine.ts'
import { YEAR_MS } from '../engine.ts'
import { deliver, newPayload, nextPayload } from './payload.ts'

const QUEUE = 'greetings'
const BATCH = 1_000
const LOOPS = 3
const CHUNK = 5_000
const POLL_MS = 500

export function createEngine(): EngineUnderTest {
  let boss: PgBoss
  let pool: pg.Pool
  let stopped = false

  const insert = (payloads: readonly { payload: Payload; at: number }[], db?: unknown) =>
    boss.insert(
      QUEUE,
      payloads.map(({ payload, at }) => ({ data: payload, startAfter: new Date(at) })),
      db === undefined ? {} : { db: db as never },
    )

  async function finish(jobs: { id: string; data: Payload }[]): Promise<void> {
    const client = await pool.connect()
    const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) }
    try {
      await client.query('BEGIN')
      const at = Date.now() + YEAR_MS
      await insert(
        jobs.map(({ data }) => ({ payload: nextPayload(data), at })),
        db,
      )
      await boss.complete(
        QUEUE,
        jobs.map(({ id }) => id),
        null,
        { db: db as never },
      )
      await client.query('COMMIT')
    } finally {
      client.release()
    }
  }

  return {
    async setUp({ postgresUrl }) {
      pool = new pg.Pool({ connectionString: postgresUrl, max: LOOPS })
      boss = new PgBoss({ connectionString: postgresUrl, max: LOOPS, supervise: false, schedule: false })
      boss.on('error', (error) => {
        throw error
      })
      await boss.start()
      await boss.createQueue(QUEUE, { partition: true })
    },

    async schedule(instants) {
      const all = instants.map((at) => ({ payload: newPayload(), at }))
      const chunks = Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, i) =>
        all.slice(i * CHUNK, (i + 1) * CHUNK),
      )
      await Promise.all(
        Array.from({ length: 2 }, async () => {
          for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) await insert(chunk)
        }),
      )
      return all.map(({ payload }) => payload.key)
    },

    // By SQL: its API would take a minute for a million jobs. Sets the columns that its insert sets.
    async seed(count) {
      await pool.query(
        `INSERT INTO pgboss.job (name, data, start_after, created_on, keep_until, retry_limit, expire_seconds, deletion_seconds, policy)
         SELECT $1, jsonb_build_object('key', 'seed' || i, 'firstName', 'Ada' || i, 'lastName', 'Lovelace', 'year', 2026),
                now() + interval '1 day' + random() * interval '364 days', now() - random() * interval '1 year',
                now() + interval '2 years', q.retry_limit, q.expire_seconds, q.deletion_seconds, q.policy
         FROM generate_series(1, $2::int) i, pgboss.queue q WHERE q.name = $1`,
        [QUEUE, count],
      )
    },

    // People sign up in any order, so due jobs get random creation times. pg-boss fetches in order of creation and would
    // otherwise scan all other jobs before the due ones: twice as slow.
    async prepare() {
      await pool.query(
        `UPDATE pgboss.job SET created_on = now() - random() * interval '1 year' WHERE name = $1 AND state = 'created' AND start_after <= now()`,
        [QUEUE],
      )
      await pool.query('VACUUM ANALYZE pgboss.job')
    },

    async run(count, channel) {
      let done = 0
      const loop = async () => {
        while (done < count && !stopped) {
          const jobs = await boss.fetch<Payload>(QUEUE, { batchSize: BATCH })
          if (jobs.length === 0) {
            if (done < count) await sleep(POLL_MS)
            continue
          }
          await Promise.all(jobs.map(({ data }) => deliver(channel, data)))
          await finish(jobs)
          done += jobs.length
          if (done >= count) all.resolve()
        }
      }
      const all = Promise.withResolvers<void>()
      for (let i = 0; i < LOOPS; i++) loop().catch(all.reject)
      await all.promise
    },

    async claim(limit) {
      const started = performance.now()
      const jobs = await boss.fetch<Payload>(QUEUE, { batchSize: limit })
      const tookMs = performance.now() - started
      await finish(jobs)
      return { claimed: jobs.length, tookMs }
    },

    async count() {
      const { rows } = await pool.query(
        `SELECT count(*) FILTER (WHERE start_after <= now())::int AS due, count(*) FILTER (WHERE start_after > now())::int AS future
         FROM pgboss.job WHERE name = $1 AND state < 'completed'`,
        [QUEUE],
      )
      return rows[0]
    },

    async tearDown() {
      stopped = true
      await sleep(0)
      await boss.stop({ graceful: false })
      await pool.end()
    },
  }
}
