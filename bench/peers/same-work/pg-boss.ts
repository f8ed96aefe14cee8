// pg-boss with the work of Terce, by its own `work`. Guarantees: completion, outcome and next job are one transaction (its `db` option); the
// unique key records an outcome once; a crash between the POST and that transaction sends the message again; the body is stored
// after it was sent; a person who is deleted or moves keeps their old job. Settings:
// - `work` with batches of 1000 in three workers, and `burstWhenBatchFull`: no poll between full batches
// - one read of people, one insertion of outcomes and one of next jobs for each batch
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import {
  birthdayAt,
  type FirstJob,
  type GreetingEngine,
  type GreetingJob,
  greet,
  insertPeople,
  inTransaction,
  readPeople,
  recordOutcomes,
  SCHEMA,
} from './greeting.ts'

const QUEUE = 'greetings'
const BATCH = 1_000
const WORKERS = 3

export function createEngine(): GreetingEngine {
  let boss: PgBoss
  let pool: pg.Pool

  const within = (client: pg.PoolClient) =>
    ({ executeSql: (text: string, values: unknown[]) => client.query(text, values) }) as never

  return {
    countNext: `SELECT count(*)::int AS count FROM pgboss.job WHERE name = '${QUEUE}' AND state < 'completed' AND start_after > now() + interval '1 day'`,

    async setUp(postgresUrl) {
      pool = new pg.Pool({ connectionString: postgresUrl, max: WORKERS })
      boss = new PgBoss({ connectionString: postgresUrl, max: WORKERS, supervise: false, schedule: false })
      await boss.start()
      await boss.createQueue(QUEUE, { partition: true })
      await pool.query(SCHEMA)
    },

    create: (people: readonly FirstJob[]) =>
      inTransaction(pool, async (client) => {
        await insertPeople(client, people)
        const jobs = people.map(({ person, year, at }) => ({
          data: { personId: person.id, year },
          startAfter: new Date(at),
        }))
        await boss.insert(QUEUE, jobs, { db: within(client) })
      }),

    async start(receiver, onError) {
      boss.on('error', onError)
      const settings = {
        batchSize: BATCH,
        localConcurrency: WORKERS,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: 0.5,
      }
      await boss.work<GreetingJob>(QUEUE, settings, async (jobs) => {
        const people = await readPeople(
          pool,
          jobs.map(({ data }) => data.personId),
        )
        const all = await Promise.all(
          jobs.map(({ data }) => {
            const person = people.get(data.personId)
            return person === undefined ? null : greet(receiver, person, data.year)
          }),
        )
        const sent = all.filter((one) => one !== null)
        await inTransaction(pool, async (client) => {
          const db = within(client)
          await recordOutcomes(client, sent)
          const next = sent.map(({ person, year }) => ({
            data: { personId: person.id, year: year + 1 },
            startAfter: birthdayAt(person, year + 1),
          }))
          await boss.insert(QUEUE, next, { db })
          const done = jobs.filter((_, i) => all[i] !== null).map(({ id }) => id)
          await boss.complete(QUEUE, done, null, { db })
        })
        const failed = jobs.filter(({ data }, i) => all[i] === null && people.has(data.personId))
        if (failed.length > 0)
          await boss.fail(
            QUEUE,
            failed.map(({ id }) => id),
          )
      })
    },

    async stop() {
      await boss.stop({ graceful: false })
      await pool.end()
    },
  }
}
