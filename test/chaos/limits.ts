// `npm run chaos -- --limit N`: workers that are killed, stopped and replaced send to a channel with a limit. Counts what arrives
// in each second.
import { mkdtempSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildProduct } from '../../bench/product/build.ts'
import { stopAll } from '../../bench/servers.ts'
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { createDice } from '../simulation/support/dice.ts'
import { makePeople } from '../support/fixtures.ts'
import { mostInASecond } from '../support/most-in-a-second.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { createFleet } from './support/fleet.ts'
import { type Arrival, startReceiver } from './support/receiver.ts'
import { startWorkerPool } from './support/worker-pool.ts'

export type LimitOptions = { perSecond: number; people: number; workers: number; seed: number }

const BATCH = 1_000
const LOW_PRIORITY = 10
/** A worker ends so often. */
const END_EVERY_MS = 10_000

type LimitRun = { arrivals: readonly Arrival[]; ended: number }

/** Returns the exit code: 1 if the limit was exceeded, or hardly used. */
export async function checkLimit(
  options: LimitOptions,
  print: (...lines: string[]) => void,
): Promise<number> {
  const { arrivals, ended } = await runLimit(options)
  const at = arrivals.map((arrival) => arrival.at).toSorted((a, b) => a - b)
  const keys = new Set(arrivals.map(({ key }) => key)).size
  const most = mostInASecond(at)
  // Not the start, when the workers fill their queues, nor the end, when not every worker has messages left.
  const middle = at.slice(at.length * 0.05, at.length * 0.9)
  const used = (middle.length - 1) / ((middle.at(-1)! - middle[0]!) / 1_000) / options.perSecond
  print(
    `${at.length} arrivals of ${keys} messages by ${options.workers} workers, of which ${ended} were killed or stopped and replaced.`,
    `At most ${most} arrived within a second, of ${options.perSecond}. ${(100 * used).toFixed(1)} % of the limit was used while messages waited.`,
  )
  return most > options.perSecond || used < 0.95 ? 1 : 0
}

async function runLimit(options: LimitOptions): Promise<LimitRun> {
  const { perSecond, people, workers, seed } = options
  const dice = createDice(seed)
  const cleanups: (() => unknown)[] = []
  try {
    const folder = mkdtempSync(join(tmpdir(), 'terce-chaos-'))
    cleanups.push(() => rmSync(folder, { recursive: true }))
    const server = await startPostgres({ fast: true })
    cleanups.push(server.stop)
    const DATABASE_URL = await server.createDatabase()
    // As installed: from sources each start takes 3 s of CPU, which the other workers lack.
    cleanups.push(stopAll)
    const command = buildProduct()
    await createFleet({ mixed: false }).migrate(DATABASE_URL)
    const receiver = await startReceiver({ logFile: join(folder, 'arrivals.jsonl'), seed })
    cleanups.push(receiver.stop)
    await receiver.behave('accepting')
    // For this process and the workers that it starts: the receiver's readings of the clock are the measurement.
    setPriority(LOW_PRIORITY)
    const store = await openPostgresStore(DATABASE_URL)
    cleanups.push(store.close)
    const env = { DATABASE_URL, WEBHOOK_URL: receiver.url, LEASE_MS: '5000' }
    const pool = startWorkerPool({ size: workers, command: () => command, env, folder })
    cleanups.push(pool.stop)
    await pool.ready()
    const [channel] = await store.listChannels()
    const { version, settings } = channel!
    await store.saveChannel({ ...channel!, version: version + 1, settings: { ...settings, perSecond } })
    // Long enough to store them, and for the workers to read the limit.
    const dueAt = Date.now() + 5_000 + people
    for (let from = 0; from < people; from += BATCH)
      await store.createUsers(makePeople(Math.min(BATCH, people - from), () => ({ targetAt: dueAt })))
    await sleep(Math.max(0, dueAt - Date.now()))
    let ended = 0
    for (let endAt = Date.now() + END_EVERY_MS; receiver.arrivals().length < people; await sleep(1_000)) {
      if (Date.now() < endAt) continue
      endAt += END_EVERY_MS
      ended += 1
      const slot = dice.between(0, workers - 1)
      if (dice.chance(0.5)) pool.kill(slot)
      else pool.retire(slot)
    }
    return { arrivals: receiver.arrivals(), ended }
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
}
