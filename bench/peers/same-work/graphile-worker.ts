// graphile-worker with the work of Terce, by its own `run`. Guarantees: outcome and next job are one transaction, but the completion is another:
// a crash between them sends the message again, and the unique key and the job key keep its outcome and next job single. The body
// is stored after it was sent. Jobs of a crashed worker wait four hours. Settings, from its performance page:
// - localQueue, completeJobBatchDelay 0 and failJobBatchDelay 0: fetching and completing in batches
// - concurrency 500, and the reads and writes of handlers in batches: each handler has one job, and would need three round trips
import { Logger, makeWorkerUtils, type Runner, run, type WorkerUtils } from 'graphile-worker'
import pg from 'pg'
import { createBatcher } from '../batcher.ts'
import {
  birthdayAt,
  type FirstJob,
  type GreetingEngine,
  type GreetingJob,
  greet,
  insertPeople,
  inTransaction,
  type Person,
  readPeople,
  recordOutcomes,
  SCHEMA,
  type Sent,
} from './greeting.ts'

const TASK = 'greet'
const CONCURRENCY = 500
const POLL_MS = 100

const quiet = new Logger(() => () => {})

type NewJob = { job: GreetingJob; at: Date }

/** Its `add_jobs` function, which its documentation offers for a transaction of the caller's own. The job key makes a next job unique. */
async function addJobs(client: pg.ClientBase, jobs: readonly NewJob[]): Promise<void> {
  await client.query(
    `SELECT 1 FROM graphile_worker.add_jobs(ARRAY(
       SELECT json_populate_record(NULL::graphile_worker.job_spec, spec) FROM json_array_elements($1::json) spec))`,
    [
      JSON.stringify(
        jobs.map(({ job, at }) => ({
          identifier: TASK,
          payload: job,
          run_at: at,
          job_key: `${job.personId}-${job.year}`,
        })),
      ),
    ],
  )
}

export function createEngine(): GreetingEngine {
  let pool: pg.Pool
  let utils: WorkerUtils
  let runner: Runner | null = null

  return {
    countNext: `SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE run_at > now() + interval '1 day'`,

    async setUp(postgresUrl) {
      pool = new pg.Pool({ connectionString: postgresUrl, max: 10 })
      pool.on('error', () => {})
      utils = await makeWorkerUtils({ pgPool: pool, logger: quiet })
      await utils.migrate()
      await pool.query(SCHEMA)
    },

    create: (people: readonly FirstJob[]) =>
      inTransaction(pool, async (client) => {
        await insertPeople(client, people)
        await addJobs(
          client,
          people.map(({ person, year, at }) => ({ job: { personId: person.id, year }, at: new Date(at) })),
        )
      }),

    async start(receiver, onError) {
      const found = new Map<string, Person>()
      const read = createBatcher<string>(CONCURRENCY, async (ids) => {
        for (const [id, person] of await readPeople(pool, ids)) found.set(id, person)
      })
      const write = createBatcher<Sent>(CONCURRENCY, (sent) =>
        inTransaction(pool, async (client) => {
          await recordOutcomes(client, sent)
          await addJobs(
            client,
            sent.map(({ person, year }) => ({
              job: { personId: person.id, year: year + 1 },
              at: birthdayAt(person, year + 1),
            })),
          )
        }),
      )
      runner = await run({
        pgPool: pool,
        logger: quiet,
        noHandleSignals: true,
        taskList: {
          [TASK]: async (payload) => {
            const { personId, year } = payload as GreetingJob
            await read(personId)
            const person = found.get(personId)
            found.delete(personId)
            if (person === undefined) return
            const sent = await greet(receiver, person, year)
            if (sent === null) throw new Error('The message was not accepted.')
            await write(sent)
          },
        },
        preset: {
          worker: {
            concurrentJobs: CONCURRENCY,
            localQueue: { size: CONCURRENCY },
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0,
            pollInterval: POLL_MS,
          },
        },
      })
      runner.events.on('job:error', ({ error }) => onError(error))
    },

    async stop() {
      await runner?.stop()
      await utils.release()
      await pool.end()
    },
  }
}
