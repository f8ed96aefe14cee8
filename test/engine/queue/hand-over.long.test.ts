// Faults of D1 and of the queue between the claim of an event and its delivery: the next run of the scheduler makes up for
// each, and the history of an event that never left says nothing of an attempt.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createQueueConsumer } from '../../../src/engine/queue/consumer.ts'
import { dispatchUntil } from '../../../src/engine/queue/dispatcher.ts'
import type { Message, Queue } from '../../../src/ports/queue.ts'
import type { NewPerson } from '../../../src/ports/store.ts'
import { openD1Store } from '../../../src/stores/d1/d1-store.ts'
import { MINUTE, makePeople, SECOND } from '../../support/fixtures.ts'
import { type D1InWorkerd, startD1 } from '../../support/workerd/d1.ts'
import { createWorld, type World } from '../support/world.ts'
import { createFaultyD1, type FaultyD1, first, queryLimit } from './support/faulty-d1.ts'
import { depsOf, LEASE, received, WORK, whileTimePasses } from './support/recording-queue.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')
/** As on Cloudflare. */
const RUN_MS = 50 * SECOND
const BATCH = 20
const PEOPLE = 50

let d1: D1InWorkerd
let db: FaultyD1
let world: World
let people: NewPerson[]
let runs = 0
let timesRejected = 0
let queue: ReturnType<typeof createQueue>

beforeAll(async () => {
  d1 = await startD1()
})
afterAll(() => d1.stop())
beforeEach(async () => {
  db = createFaultyD1(d1.db)
  world = createWorld(NINE, openD1Store(db))
  people = makePeople(PEOPLE, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
  await world.put(...people)
  queue = createQueue()
  timesRejected = 0
})
afterEach(() => d1.empty())

/** Delivers each message to a consumer after a second, and a retried one after its delay. */
function createQueue(): Queue & { respond: (send: () => void) => 'stored' | 'rejected' | 'lost' } {
  const consumer = createQueueConsumer(depsOf(world), WORK)
  let working = Promise.resolve()
  function deliver(messages: readonly Message[], ms: number): void {
    world.clock.after(ms, () => {
      working = working.then(async () => {
        const answers = await consumer.work(messages, world.clock.now() + 2 * MINUTE)
        for (const [i, answer] of answers.entries())
          if (answer.kind === 'retry')
            deliver([{ ...messages[i]!, receives: messages[i]!.receives + 1 }], answer.delayMs)
      })
    })
  }
  const created = {
    respond: (send: () => void) => {
      send()
      return 'stored'
    },
    async send(refs) {
      const response = created.respond(() => deliver(received(refs), SECOND))
      return response === 'stored'
        ? { failed: [], error: null }
        : { failed: [...refs], error: new Error('no') }
    },
  } as ReturnType<typeof createQueue>
  return created
}

/** One run of the scheduler; an error ends it, as the platform would log it. */
async function run(): Promise<unknown> {
  runs += 1
  const until = world.clock.now() + RUN_MS
  const settings = { claimedBy: `run-${runs}`, leaseMs: LEASE, batchSize: BATCH, until }
  const done = dispatchUntil({ ...depsOf(world), queue }, settings).catch((error) => error)
  return whileTimePasses(world, done, 2 * MINUTE)
}

/** A run with the fault, then one without at the next minute. */
async function runTwice(): Promise<void> {
  await run()
  // The consumers of this run meet the fault too.
  await world.clock.advance(3 * SECOND)
  db.heal()
  queue.respond = (send) => {
    send()
    return 'stored'
  }
  if (world.clock.now() < NINE + MINUTE) await world.clock.jumpTo(NINE + MINUTE)
  await run()
  await world.clock.jumpTo(Math.max(world.clock.now(), NINE + 2 * MINUTE))
}

async function expectDelivered(): Promise<void> {
  expect(await world.statuses(people)).toEqual({ COMPLETED: PEOPLE })
  const latest = Math.max(...(await world.firstEvents(people)).map(({ executedAt }) => executedAt!))
  expect(latest).toBeLessThanOrEqual(NINE + 2 * MINUTE)
}

async function attemptsOfAll(): Promise<unknown[]> {
  return (await d1.db.prepare('SELECT outcome FROM attempts').raw()).flat()
}

const CLAIM = /UPDATE events SET status = 'PROCESSING'/
const BODIES = /INSERT INTO payloads/
const EXTEND = /UPDATE events SET lease_until = max/
const READ_CLAIMS = /FROM json_each\(\?\) AS j CROSS JOIN events AS e/
const SETTLE = /UPDATE events SET status = .*FROM .*json_each/s

const FAULTS: [name: string, plant: () => void][] = [
  ['the claim fails before it is committed', () => db.fault(first(1, CLAIM, 'fails'))],
  ['the claim is committed and its answer lost', () => db.fault(first(1, CLAIM, 'lost'))],
  ['the insert of the bodies fails once', () => db.fault(first(1, BODIES, 'fails'))],
  ['the insert of the bodies is committed and its answer lost', () => db.fault(first(1, BODIES, 'lost'))],
  ['the extension of the leases fails', () => db.fault(first(1, EXTEND, 'fails'))],
  ['the extension of the leases is committed and its answer lost', () => db.fault(first(1, EXTEND, 'lost'))],
  ['a consumer cannot read its claims', () => db.fault(first(1, READ_CLAIMS, 'fails'))],
  ['the answer to a settlement is lost', () => db.fault(first(1, SETTLE, 'lost'))],
  [
    'the queue rejects every message and the release fails three times',
    () => {
      reject('rejected')
      db.fault(first(3, SETTLE, 'fails'))
    },
  ],
  ['the queue rejects every message', () => reject('rejected')],
  ['the queue stores every message and its answer is lost', () => reject('lost')],
]

function reject(how: 'rejected' | 'lost'): void {
  queue.respond = (send) => {
    timesRejected += 1
    if (how === 'lost') send()
    return how
  }
}

/** Recovered by a retry inside the run. */
const IN_THE_RUN = FAULTS.slice(0, 6)

describe('one fault between claim and delivery', () => {
  it.each(FAULTS)('delays no event beyond the next run if %s', async (_name, plant) => {
    plant()
    await runTwice()
    expect(db.failures() + timesRejected).toBeGreaterThan(0)
    await expectDelivered()
    expect(await attemptsOfAll()).not.toContain('UNKNOWN')
  })

  it.each(IN_THE_RUN)('is made up for in the run if %s', async (_name, plant) => {
    plant()
    expect(await run()).toMatchObject({ handedOver: PEOPLE })
    await world.clock.jumpTo(NINE + 20 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: PEOPLE })
    expect(world.channel.sent).toHaveLength(PEOPLE)
  })

  it('delays no event beyond the next run if the run is killed between the claim and the queue', async () => {
    const deps = { ...depsOf(world), queue: { send: () => new Promise<never>(() => {}) } }
    const settings = { claimedBy: 'killed', leaseMs: LEASE, batchSize: BATCH, until: NINE + RUN_MS }
    void dispatchUntil(deps, settings)
    await world.clock.advance(SECOND)
    expect(await world.statuses(people)).toEqual({ PENDING: PEOPLE - BATCH, PROCESSING: BATCH })
    await world.clock.jumpTo(NINE + MINUTE)
    await run()
    await world.clock.jumpTo(NINE + 2 * MINUTE)
    await expectDelivered()
    expect(await attemptsOfAll()).not.toContain('UNKNOWN')
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15])(
    'delays no event beyond the next run if D1 rejects every call after %i statements',
    async (limit) => {
      db.fault(queryLimit(limit))
      await runTwice()
      await expectDelivered()
      expect(await attemptsOfAll()).not.toContain('UNKNOWN')
    },
  )
})
