// What a worker does with a batch when time is short, leases are short, or the store is in trouble.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createQueueConsumer } from '../../../src/engine/queue/consumer.ts'
import { dispatch } from '../../../src/engine/queue/dispatcher.ts'
import type { ClaimRef } from '../../../src/ports/claim.ts'
import type { Message } from '../../../src/ports/queue.ts'
import type { Store } from '../../../src/ports/store.ts'
import { failingStore } from '../../contracts/queue/fixture.ts'
import { heldAnswer, MINUTE, makePeople, SECOND, untilAborted } from '../../support/fixtures.ts'
import { createWorld, type World } from '../support/world.ts'
import {
  depsOf,
  LEASE,
  received,
  rememberingQueue,
  WORK,
  whileTimePasses,
} from './support/recording-queue.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')
const ACK = { kind: 'ack' }

let world: World
beforeEach(() => {
  world = createWorld(NINE)
})
afterEach(() => world.close())

/** People whose events are claimed and in the queue. */
async function inQueue(count: number) {
  const people = makePeople(count, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
  await world.put(...people)
  const queue = rememberingQueue()
  const settings = { claimedBy: 'run-1', leaseMs: LEASE, batchSize: 100, until: NINE + MINUTE }
  await dispatch({ ...depsOf(world), queue }, settings)
  const refs = people.map(({ events }) => queue.sent.find(({ eventId }) => eventId === events[0]!.id)!)
  return { people, refs }
}

const worker = (over: { store?: Store; concurrency?: number } = {}) => {
  const { store = world.store, concurrency = WORK.concurrency } = over
  return createQueueConsumer({ ...depsOf(world), store }, { ...WORK, concurrency })
}

describe('a batch with little time', () => {
  it('uses what there is', async () => {
    const { people, refs } = await inQueue(3)
    const slow = heldAnswer()
    world.channel.script(refs[0]!.eventId, slow.step)
    world.clock.after(24 * SECOND, () => slow.answer({ kind: 'delivered', statusCode: 200 }))
    const batch = worker({ concurrency: 1 }).work(received(refs), NINE + 30 * SECOND)
    expect(await whileTimePasses(world, batch, MINUTE)).toEqual([ACK, ACK, ACK])
    expect(await world.statuses(people)).toEqual({ COMPLETED: 3 })
  })

  it('gives back what was not begun and what was cut short, for the next run', async () => {
    const { refs } = await inQueue(3)
    world.channel.script(refs[0]!.eventId, untilAborted)
    const batch = worker({ concurrency: 1 }).work(received(refs), NINE + 30 * SECOND)
    expect(await whileTimePasses(world, batch, MINUTE)).toEqual([ACK, ACK, ACK])
    for (const { eventId } of refs) {
      expect(await world.event(eventId)).toMatchObject({ status: 'PROCESSING', retryCount: 0 })
      expect(await world.attempts(eventId)).toEqual([])
    }
    expect(await world.store.countOverdue(world.clock.now() + 1)).toMatchObject({ count: 3 })
  })

  it('ends in time although a far side never answers and ignores that it is told to stop', async () => {
    const { refs } = await inQueue(2)
    world.channel.script(refs[0]!.eventId, () => new Promise(() => {}))
    const until = NINE + 30 * SECOND
    const one = worker()
    const answers = await whileTimePasses(world, one.work(received(refs), until), MINUTE)
    expect(world.clock.now()).toBeLessThanOrEqual(until)
    // Nobody can tell of the first: it comes again, and so does its message.
    expect(answers).toEqual([{ kind: 'retry', delayMs: 10 * SECOND }, ACK])
    expect(await world.event(refs[1]!.eventId)).toMatchObject({ status: 'COMPLETED' })

    const before = world.clock.now()
    const more = await inQueue(1)
    await whileTimePasses(world, one.work(received(more.refs), before + 30 * SECOND), MINUTE)
    expect(world.clock.now() - before).toBeLessThan(SECOND)
    expect(await world.statuses(more.people)).toEqual({ COMPLETED: 1 })
  })

  it('sends nothing that came before when the time is up', async () => {
    const { refs } = await inQueue(5)
    const answers = await worker().work(received(refs, 2), world.clock.now())
    expect(answers).toEqual(refs.map(() => ACK))
    expect(world.channel.sent).toEqual([])
    expect(await world.store.countOverdue(NINE + 1)).toMatchObject({ count: 5 })
  })
})

describe('a message that is twice in one batch', () => {
  it('is sent once, and both are done with', async () => {
    const { refs } = await inQueue(2)
    const asked: unknown[] = []
    const readAndNote = (some: readonly ClaimRef[]) => {
      asked.push(...some)
      return world.store.readClaims(some)
    }
    const store = new Proxy(world.store, {
      get: (target, key: keyof Store) => (key === 'readClaims' ? readAndNote : target[key]),
    })
    const answers = await worker({ store }).work(received([...refs, ...refs]), NINE + 30 * SECOND)
    expect(answers).toEqual([ACK, ACK, ACK, ACK])
    expect(world.channel.sent).toHaveLength(2)
    // A store may answer as often as it is asked.
    expect(asked).toHaveLength(2)
  })
})

describe('a message that ends whoever sends it', () => {
  const MOST = 4

  /** Gives them out together, each time to a new process, and then those that are left when the deadly one came too often. */
  async function giveOut(messages: readonly Message[], deadly: string): Promise<void> {
    for (let left = messages; left.length > 0; ) {
      const death = new Promise((resolve) => {
        world.channel.script(deadly, () => {
          resolve('died')
          return new Promise(() => {})
        })
      })
      const end = await Promise.race([worker().work(left, NINE + 30 * SECOND), death])
      if (end !== 'died') return
      left = left
        .map((message) => ({ ...message, receives: message.receives + 1 }))
        .filter(({ receives }) => receives <= MOST)
    }
  }

  for (const before of [0, 1, 2]) {
    for (const deadlyBefore of [0, 1, 2, 3]) {
      it(`after ${deadlyBefore} deaths does not take along another that failed ${before} times`, async () => {
        for (const deadly of [0, 1]) {
          const { people, refs } = await inQueue(2)
          const messages = refs.map((ref, i) => ({
            ...ref,
            receives: 1 + (i === deadly ? deadlyBefore : before),
          }))
          await giveOut(messages, refs[deadly]!.eventId)
          expect(await world.statuses([people[1 - deadly]!])).toEqual({ COMPLETED: 1 })
        }
      })
    }
  }
})

describe('a message that comes late', () => {
  it('has its lease extended before it is sent', async () => {
    const { refs } = await inQueue(1)
    await world.clock.advanceTo(NINE + LEASE - SECOND)
    const slow = heldAnswer()
    world.channel.script(refs[0]!.eventId, slow.step)
    const batch = worker().work(received(refs), world.clock.now() + 30 * SECOND)
    await world.clock.advance(10 * SECOND)
    const rival = rememberingQueue()
    const settings = { claimedBy: 'run-2', leaseMs: LEASE, batchSize: 100, until: world.clock.now() + MINUTE }
    await dispatch({ ...depsOf(world), queue: rival }, settings)
    expect(rival.sent).toEqual([])
    slow.answer({ kind: 'delivered', statusCode: 200 })
    expect(await whileTimePasses(world, batch, MINUTE)).toEqual([ACK])
    expect(await world.event(refs[0]!.eventId)).toMatchObject({ status: 'COMPLETED' })
  })

  it('is done with when its person is gone', async () => {
    const { people, refs } = await inQueue(1)
    await world.store.deleteUser(people[0]!.user.id)
    expect(await worker().work(received(refs), NINE + 30 * SECOND)).toEqual([ACK])
    expect(world.channel.sent).toEqual([])
  })
})

describe('a store in trouble', () => {
  const names = (ref: ClaimRef) => (args: unknown[]) => JSON.stringify(args).includes(ref.eventId)

  it('that chokes on one reference has the others read one by one', async () => {
    const { refs } = await inQueue(4)
    const choking = failingStore(world.store, (name, args) => name === 'readClaims' && names(refs[1]!)(args))
    const answers = await worker({ store: choking }).work(received(refs), NINE + 30 * SECOND)
    expect(answers).toEqual([ACK, { kind: 'retry', delayMs: 10 * SECOND }, ACK, ACK])
    expect(world.channel.sent).toHaveLength(3)
  })

  it('that chokes on the end of one has the others written', async () => {
    const { people, refs } = await inQueue(4)
    const choking = failingStore(world.store, (name, args) => name === 'settle' && names(refs[2]!)(args))
    const batch = worker({ store: choking }).work(received(refs), NINE + 30 * SECOND)
    const answers = await whileTimePasses(world, batch, MINUTE)
    expect(answers.map(({ kind }) => kind)).toEqual(['ack', 'ack', 'retry', 'ack'])
    expect(await world.statuses(people)).toEqual({ COMPLETED: 3, PROCESSING: 1 })
    expect(world.clock.now()).toBeLessThanOrEqual(NINE + 30 * SECOND)
  })

  for (const hanging of ['readClaims', 'settle'] as const) {
    it(`that hangs in ${hanging} is waited for no longer than there is time`, async () => {
      const { refs } = await inQueue(2)
      const until = NINE + 30 * SECOND
      const batch = worker({ store: hangingIn(world.store, hanging) }).work(received(refs), until)
      const answers = await whileTimePasses(world, batch, MINUTE)
      expect(answers.map(({ kind }) => kind)).toEqual(['retry', 'retry'])
      expect(world.clock.now()).toBeLessThanOrEqual(until)
    })
  }

  function hangingIn(store: Store, name: keyof Store): Store {
    return new Proxy(store, {
      get: (target, key: keyof Store) => (key === name ? () => new Promise(() => {}) : target[key]),
    })
  }

  it('that cannot be reached keeps messages away for longer each time, until the lease is over', async () => {
    const { refs } = await inQueue(1)
    const gone = failingStore(world.store, () => true)
    const delays: number[] = []
    for (const receives of [1, 2, 3, 4]) {
      const [answer] = await worker({ store: gone }).work(received(refs, receives), NINE + 30 * SECOND)
      delays.push(answer!.kind === 'retry' ? answer!.delayMs : -1)
    }
    expect(delays.slice(0, 2)).toEqual([10 * SECOND, MINUTE])
    expect(delays.reduce((sum, delay) => sum + delay)).toBeGreaterThan(LEASE)
  })
})

describe('messages that came too often', () => {
  it('fail their events, once, with a reason and a successor', async () => {
    const { people, refs } = await inQueue(2)
    expect(await worker().deadLetter(received(refs, 4), NINE + 30 * SECOND)).toEqual([ACK, ACK])
    expect(await worker().deadLetter(received(refs, 5), NINE + 30 * SECOND)).toEqual([ACK, ACK])
    for (const { user } of people) {
      const [failed, successor, ...others] = await world.events(user.id)
      expect(failed).toMatchObject({
        status: 'FAILED',
        failureCode: 'QUEUE_EXHAUSTED',
      })
      expect(successor).toMatchObject({ status: 'PENDING' })
      expect(others).toEqual([])
    }
    expect(world.channel.sent).toEqual([])
  })

  it('because the store was away for longer than a lease fail nothing: the scheduler takes their events', async () => {
    const { people, refs } = await inQueue(1)
    await world.clock.advanceTo(NINE + LEASE)
    expect(await worker().deadLetter(received(refs, 5), world.clock.now() + 30 * SECOND)).toEqual([ACK])
    expect(await world.statuses(people)).toEqual({ PROCESSING: 1 })
    expect(await world.store.countOverdue(NINE + LEASE + 1)).toMatchObject({ count: 1 })
  })

  it('stay while the store cannot be reached', async () => {
    const { refs } = await inQueue(1)
    const gone = failingStore(world.store, () => true)
    const [answer] = await worker({ store: gone }).deadLetter(received(refs, 5), NINE + 30 * SECOND)
    expect(answer).toMatchObject({ kind: 'retry' })
  })
})
