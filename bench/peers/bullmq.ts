// BullMQ as an engine under test, driven through its own API. Settings, from its documentation:
// - Redis with appendonly, appendfsync everysec and noeviction ("Going to production")
// - addBulk with 500 jobs (1000 and 5000 were slower); the next jobs of 1 ms are batched into one addBulk
// - a worker with concurrency 300. Measured on W1: 50 to 300 were similar (3.9k to 4.7k/s), 1000 fell to 2.3k
// - removeOnComplete, which its page on auto-removal recommends, in its cheapest form: keep no job
// - delayed jobs wake by its own timer; no setting makes it more precise
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import type { EngineUnderTest, Payload } from '../engine.ts'
import { YEAR_MS } from '../engine.ts'
import { createBatcher } from './batcher.ts'
import { deliver, newPayload, nextPayload } from './payload.ts'

const QUEUE = 'greetings'
const CONCURRENCY = 300
const CHUNK = 500

/** Copies one delayed job as its add script stores it: a hash, and an entry in the sorted set by time. */
const SEED = `
  local fields = redis.call('HGETALL', KEYS[1])
  for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
    redis.call('HSET', KEYS[3] .. 'seed' .. i, unpack(fields))
    redis.call('ZADD', KEYS[2], (tonumber(ARGV[3]) + math.random() * 364 * 86400000) * 4096, 'seed' .. i)
  end`

export function createEngine(): EngineUnderTest {
  let redis: Redis
  let queue: Queue<Payload>
  let worker: Worker<Payload> | null = null
  const connections: Redis[] = []

  function add(batch: readonly { payload: Payload; at: number }[]) {
    const now = Date.now()
    return queue.addBulk(
      batch.map(({ payload, at }) => ({
        name: 'greet',
        data: payload,
        // At least 1 ms, so that a due event goes through the delayed jobs as every scheduled event does.
        opts: { timestamp: now, delay: Math.max(1, at - now), removeOnComplete: true },
      })),
    )
  }

  return {
    async setUp({ redisUrl, redisDatabase }) {
      redis = new Redis(redisUrl!, { db: redisDatabase, maxRetriesPerRequest: null })
      // Database 0 is for runs that begin empty, like a new PostgreSQL database for the other engines.
      if (redisDatabase === 0) await redis.flushdb()
      queue = new Queue(QUEUE, { connection: redis })
      await queue.waitUntilReady()
    },

    async schedule(instants) {
      const all = instants.map((at) => ({ payload: newPayload(), at }))
      const chunks = Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, i) =>
        all.slice(i * CHUNK, (i + 1) * CHUNK),
      )
      await Promise.all(
        Array.from({ length: 2 }, async () => {
          for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) await add(chunk)
        }),
      )
      return all.map(({ payload }) => payload.key)
    },

    // By a script: its API would take two minutes for a million jobs.
    async seed(count) {
      const [job] = await add([{ payload: newPayload(), at: Date.now() + YEAR_MS }])
      const key = (name: string) => `bull:${QUEUE}:${name}`
      const from = await redis.zcard(key('delayed'))
      const soonest = Date.now() + 24 * 60 * 60 * 1000
      for (let i = 1; i < count; i += CHUNK) {
        const last = Math.min(i + CHUNK, count) - 1
        await redis.eval(SEED, 3, key(job!.id!), key('delayed'), key(''), from + i, from + last, soonest)
      }
    },

    async prepare() {},

    async run(count, channel) {
      let done = 0
      const all = Promise.withResolvers<void>()
      const plan = createBatcher<Payload>(CHUNK, (payloads) => {
        const at = Date.now() + YEAR_MS
        return add(payloads.map((payload) => ({ payload: nextPayload(payload), at })))
      })
      const connection = new Redis({ ...redis.options, maxRetriesPerRequest: null })
      connections.push(connection)
      worker = new Worker<Payload>(
        QUEUE,
        async ({ data }) => {
          await deliver(channel, data)
          await plan(data)
        },
        { connection, concurrency: CONCURRENCY },
      )
      // Emitted after Redis has confirmed the completion.
      worker.on('completed', () => {
        done += 1
        if (done === count) all.resolve()
      })
      worker.on('failed', (_job, error) => all.reject(error))
      await all.promise
    },

    // BullMQ has no batch claim: its worker fetches one job at a time. Here all fetches run concurrently.
    async claim(limit) {
      worker ??= new Worker<Payload>(QUEUE, undefined, {
        connection: redis,
        concurrency: limit,
        autorun: false,
      })
      await worker.waitUntilReady()
      // Wait until the delay of 1 ms has passed.
      await new Promise((resolve) => setTimeout(resolve, 5))
      const started = performance.now()
      const jobs = await Promise.all(
        Array.from({ length: limit }, () => worker!.getNextJob('bench', { block: false })),
      )
      const tookMs = performance.now() - started
      const claimed = jobs.filter((job) => job !== undefined)
      await Promise.all(claimed.map((job) => job.moveToCompleted(null, 'bench', false)))
      return { claimed: claimed.length, tookMs }
    },

    async count() {
      const now = Date.now() * 4096
      const [future, delayedDue, waiting] = await Promise.all([
        redis.zcount(`bull:${QUEUE}:delayed`, `(${now}`, '+inf'),
        redis.zcount(`bull:${QUEUE}:delayed`, '-inf', now),
        queue.getJobCountByTypes('waiting', 'active', 'failed', 'completed'),
      ])
      return { due: delayedDue + waiting, future }
    },

    async tearDown() {
      await worker?.close(true)
      await queue.close()
      for (const connection of [redis, ...connections]) connection.disconnect()
    },
  }
}
