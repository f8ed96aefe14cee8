// One run: a real PostgreSQL, real workers, a real API and a receiver; everything goes wrong by the script, then nothing
// does, and the evidence is gathered. Whatever was started is stopped at the end.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import { createOffice } from './api-process.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { createWaves } from './due-waves.ts'
import type { Evidence } from './evidence.ts'
import { writeScript } from './fault-script.ts'
import { createFaults, type Happened } from './faults.ts'
import { countDue, keepJournal, readAll } from './journal.ts'
import { createTown, type Town } from './population.ts'
import { type Sink, startSink } from './receiver.ts'
import { startCrew } from './worker-pool.ts'

export type ChaosOptions = {
  seed: number
  faultsMs: number
  workers: number
  people: number
  /** Durable as in production, or fast. */
  fsync: boolean
}

export type Chaos = {
  /** Where logs are. */
  folder: string
  sink: Sink
  town: Town
  happened(): Happened
  /** Lets everything go wrong, by the script. */
  play(): Promise<void>
  /** Ends all faults and waits, for so long at most, until nothing is due. */
  calm(withinMs: number): Promise<void>
  /** Takes in some more, of whom many are due at once, and waits until nothing is. */
  greetMore(people: number, withinMs: number): Promise<void>
  /** `tamper` is SQL that plants a mistake for this one look. */
  gather(tamper?: string): Promise<Evidence>
  stop(): Promise<void>
}

const LEASE_MS = 2_000
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
  const server = await startPostgres({ fast: !options.fsync })
  atEnd(server.stop)
  const database = await server.createDatabase()
  await (await openPostgresStore(database)).close()
  await keepJournal(database)
  const proxy = await startDatabaseProxy(server)
  atEnd(proxy.close)
  const sink = await startSink({ logFile: join(folder, 'arrivals.jsonl'), seed })
  atEnd(sink.stop)
  const throughProxy = database.replace(`:${server.port}/`, `:${proxy.port}/`)
  const env = { ...SETTINGS, DATABASE_URL: throughProxy, WEBHOOK_URL: sink.url }
  const office = createOffice({ env, folder })
  atEnd(office.stop)
  const crew = startCrew({ size: workers, env, folder })
  atEnd(crew.stop)
  const town = createTown(office)
  const waves = createWaves({ office, town }, options)
  await crew.ready()
  await waves.prepare()
  const faults = createFaults({ crew, server, proxy, sink, seed })
  atEnd(faults.end)
  let calmAt = Number.POSITIVE_INFINITY

  async function rest(withinMs: number): Promise<void> {
    const deadline = Date.now() + withinMs
    await Promise.race([town.quiet(), sleep(withinMs)])
    while ((await countDue(database)) > 0 && Date.now() < deadline) await sleep(200)
    calmAt = Date.now()
  }

  return {
    folder,
    sink,
    town,
    happened: () => ({ ...faults.happened(), openings: office.openings(), ...town.asked() }),
    async play() {
      const startAt = Date.now()
      const until = startAt + options.faultsMs
      const over = sleep(options.faultsMs)
      await Promise.all([over, faults.play(script, startAt), Promise.race([over, waves.roll(until)])])
    },
    async calm(withinMs) {
      await faults.end()
      await rest(withinMs)
    },
    async greetMore(people, withinMs) {
      waves.come(people, Date.now())
      await rest(withinMs)
    },
    async gather(tamper) {
      const logs = readdirSync(folder).filter((name) => name.endsWith('.log'))
      const text = logs.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
      return {
        ...(await readAll(database, tamper)),
        arrivals: sink.arrivals(),
        people: town.people,
        retries: RETRY.length,
        calmAt,
        surprises: [...town.surprises, ...crew.deserters, ...office.deserters],
        stale: sumOf(text, /"count":(\d+),.*"Claims lost/g),
      }
    },
    stop,
  }
}

function sumOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0)
}
