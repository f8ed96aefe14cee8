// One run: a real PostgreSQL, real workers, a real API and a receiver. Runs the fault script, lets everything recover and
// collects the evidence. Stops every process that it started.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { countDue } from '../../stores/postgres/support/audit.ts'
import { createApi } from './api-process.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { createWaves } from './due-waves.ts'
import type { Evidence } from './evidence.ts'
import { writeScript } from './fault-script.ts'
import { createFaults, type Happened } from './faults.ts'
import { createFleet } from './fleet.ts'
import { keepJournal, readAll } from './journal.ts'
import { createPopulation, type Population } from './population.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type ReplicatedServer, startReplicatedServer } from './replicated-server.ts'
import { startWorkerPool } from './worker-pool.ts'

export type ChaosOptions = {
  seed: number
  faultsMs: number
  workers: number
  people: number
  /** Durable as in production, or fast. */
  fsync: boolean
  /** How often the fleet is rolled to the next release or back while the faults last. */
  rollouts: number
}

export type Chaos = {
  /** The URL of the database on the primary of the moment, past the proxy. */
  database(): string
  server: ReplicatedServer
  /** The folder of the logs. */
  folder: string
  receiver: Receiver
  population: Population
  happened(): Happened
  /** Runs the fault script. */
  play(): Promise<void>
  /** Rolls the fleet to the other release once more. */
  rollOut(): Promise<void>
  /** Ends all faults and waits until nothing is due, for `withinMs` at most. Returns how long that took. */
  recover(withinMs: number): Promise<number>
  /** The receiver is down while people are due, and up again for as many more. Waits until nothing is due. */
  outage(people: number, withinMs: number): Promise<void>
  /** Creates more people, many of them due at once, and waits until nothing is due. */
  deliverMore(people: number, withinMs: number): Promise<void>
  /** `tamper` is SQL that plants a mistake for this one reading. */
  collect(tamper?: string): Promise<Evidence>
  stop(): Promise<void>
}

const LEASE_MS = 2_000
const ROLLOUT_MS = 5_000
const RESPONSES_WITHIN_MS = 120_000
/** The outage of the receiver after all other faults. */
const OUTAGE_MS = 4_000
const RETRY = ['200ms', '400ms', '800ms']
const SETTINGS = {
  LEASE_MS: String(LEASE_MS),
  RETRY: RETRY.join(','),
  WEBHOOK_TIMEOUT_MS: '1000',
  CONCURRENCY: '16',
  DATABASE_CONNECTIONS: '4',
  RATE_LIMIT: 'off',
}

export async function startChaos(options: ChaosOptions): Promise<Chaos> {
  const cleanups: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  }
  try {
    return await start(options, { stop, atEnd: (cleanup) => void cleanups.push(cleanup) })
  } catch (error) {
    await stop()
    throw error
  }
}

type Ending = { stop: () => Promise<void>; atEnd: (cleanup: () => Promise<unknown>) => void }

async function start(options: ChaosOptions, { stop, atEnd }: Ending): Promise<Chaos> {
  const { seed, workers } = options
  const folder = mkdtempSync(join(tmpdir(), 'terce-chaos-'))
  const script = writeScript({ ...options, leaseMs: LEASE_MS })
  const server = await startReplicatedServer({ fast: !options.fsync })
  atEnd(server.stop)
  const { pathname } = new URL(await server.createDatabase())
  const database = () => server.url(pathname.slice(1))
  const fleet = createFleet({ mixed: options.rollouts > 0 })
  atEnd(async () => fleet.remove())
  await fleet.migrate(database())
  await keepJournal(database())
  const proxy = await startDatabaseProxy(server)
  atEnd(proxy.close)
  const receiver = await startReceiver({ logFile: join(folder, 'arrivals.jsonl'), seed })
  atEnd(receiver.stop)
  const throughProxy = database().replace(`:${server.port}/`, `:${proxy.port}/`)
  const env = { ...SETTINGS, DATABASE_URL: throughProxy, WEBHOOK_URL: receiver.url }
  const api = createApi({ command: fleet.command, env, folder })
  atEnd(api.stop)
  const workerPool = startWorkerPool({ size: workers, command: fleet.command, env, folder })
  atEnd(workerPool.stop)
  const population = createPopulation(api)
  const waves = createWaves({ api, population }, options)
  await workerPool.ready()
  await waves.prepare()
  const faults = createFaults({ workerPool, server, proxy, receiver, seed })
  atEnd(faults.end)
  let settledAt = Number.POSITIVE_INFINITY
  let outage: Evidence['outage'] = null

  async function rollOut(times: number, ms: number): Promise<void> {
    for (let i = 0; i < times; i++) await fleet.rollOut(workerPool, workers, ms / times)
  }

  /** The limit is that of the deliveries. It begins when every request has its response: until then people become due. */
  async function waitUntilSettled(withinMs: number): Promise<void> {
    await Promise.race([population.settled(), sleep(RESPONSES_WITHIN_MS)])
    const deadline = Date.now() + withinMs
    while ((await countDue(database())) > 0 && Date.now() < deadline) await sleep(200)
    settledAt = Date.now()
  }

  return {
    database,
    server,
    folder,
    receiver,
    population,
    happened: () => ({
      ...faults.happened(),
      starts: api.starts(),
      rollouts: fleet.rollouts(),
      ...population.asked(),
    }),
    async play() {
      // On a slow machine the faults last longer, so that waves of people become due meanwhile.
      const lastsMs = Math.max(options.faultsMs, 3 * waves.leadMs())
      const startAt = Date.now()
      const until = startAt + lastsMs
      const over = sleep(lastsMs)
      const rolling = rollOut(options.rollouts, lastsMs)
      await Promise.all([
        over,
        rolling,
        faults.play(script, startAt),
        Promise.race([over, waves.roll(until)]),
      ])
    },
    rollOut: () => rollOut(1, ROLLOUT_MS),
    async recover(withinMs) {
      const from = Date.now()
      await faults.end()
      await waitUntilSettled(withinMs)
      return settledAt - from
    },
    async outage(people, withinMs) {
      const from = Date.now()
      await receiver.behave('unavailable')
      waves.come(people, from + OUTAGE_MS / 2)
      await sleep(OUTAGE_MS)
      await receiver.behave('accepting')
      outage = { from, upAt: Date.now() }
      waves.come(people, outage.upAt + OUTAGE_MS)
      await waitUntilSettled(withinMs)
    },
    async deliverMore(people, withinMs) {
      waves.come(people, Date.now())
      await waitUntilSettled(withinMs)
    },
    async collect(tamper) {
      const logs = readdirSync(folder).filter((name) => name.endsWith('.log'))
      const text = logs.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
      return {
        ...(await readAll(database(), tamper)),
        arrivals: receiver.arrivals(),
        people: population.people,
        retries: RETRY.length,
        settledAt,
        outage,
        unexpected: [...population.unexpected, ...workerPool.unexplainedExits, ...api.unexplainedExits],
        stale: sumOf(text, /"count":(\d+),.*"Claims lost/g),
      }
    },
    stop,
  }
}

function sumOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0)
}
