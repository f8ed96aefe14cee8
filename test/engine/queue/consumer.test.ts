// The queue consumer: deadlines, duplicates, poison messages, late messages, store errors and dead letters.
import { describe, expect, it } from 'vitest'
import { createQueueConsumer } from '../../../src/engine/queue/consumer.ts'
import { dispatch } from '../../../src/engine/queue/dispatcher.ts'
import type { ClaimRef } from '../../../src/ports/claim.ts'
import type { Message } from '../../../src/ports/queue.ts'
import type { Store } from '../../../src/ports/store.ts'
import { failingStore } from '../../contracts/queue/fixture.ts'
import { heldAnswer, MINUTE, SECOND, untilAborted } from '../../support/fixtures.ts'
import { dueAtNine, NINE, useWorld, world } from '../support/use-world.ts'
import {
  depsOf,
  LEASE,
  received,
  rememberingQueue,
  WORK,
  whileTimePasses,
} from './support/recording-queue.ts'

const ACK = { kind: 'ack' }

useWorld(NINE)

/** People whose events are claimed and in the queue. */
async function inQueue(count: number, store = world.store) {
  const people = await dueAtNine(count)
  const queue = rememberingQueue()
  const settings = { claimedBy: 'run-1', leaseMs: LEASE, batchSize: 100, until: NINE + MINUTE }
  await dispatch({ ...depsOf(world), store, queue }, settings)
  const refs = people.map(({ events }) => queue.sent.find(({ eventId }) => eventId === events[0]!.id)!)
  return { people, refs }
}

const worker = (over: { store?: Store; concurrency?: number } = {}) => {
  const { store = world.store, concurrency = WORK.concurrency } = over
  return createQueueConsumer({ ...depsOf(world), store }, { ...WORK, concurrency })
}

describe('a batch with a deadline', () => {
  it('is sent completely if the slowest send ends before the deadline', async () => {
    const { people, refs } = await inQueue(3)
    const slow = heldAnswer()
    world.channel.script(refs[0]!.eventId, slow.step)
    world.clock.after(24 * SECOND, () => slow.answer({ kind: 'delivered', statusCode: 200 }))
    const batch = worker({ concurrency: 1 }).work(received(refs), NINE + 30 * SECOND)
    expect(await whileTimePasses(world, batch, MINUTE)).toEqual([ACK, ACK, ACK])
    expect(await world.statuses(people)).toEqual({ COMPLETED: 3 })
  })

  it('releases the events that were aborted or not sent, for the next run', async () => {
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

  it('ends before the deadline even if a receiver never responds and the channel ignores the abort', async () => {
    const { refs } = await inQueue(2)
    world.channel.script(refs[0]!.eventId, () => new Promise(() => {}))
    const until = NINE + 30 * SECOND
    const one = worker()
    const dispositions = await whileTimePasses(world, one.work(received(refs), until), MINUTE)
    expect(world.clock.now()).toBeLessThanOrEqual(until)
    // The outcome of the first is unknown: its message is retried.
    expect(dispositions).toEqual([{ kind: 'retry', delayMs: 10 * SECOND }, ACK])
    expect(await world.event(refs[1]!.eventId)).toMatchObject({ status: 'COMPLETED' })

    const before = world.clock.now()
    const more = await inQueue(1)
    await whileTimePasses(world, one.work(received(more.refs), before + 30 * SECOND), MINUTE)
    expect(world.clock.now() - before).toBeLessThan(SECOND)
    expect(await world.statuses(more.people)).toEqual({ COMPLETED: 1 })
  })

  it('releases messages of a second receive without sending them if the deadline has passed', async () => {
    const { refs } = await inQueue(5)
    const dispositions = await worker().work(received(refs, 2), world.clock.now())
    expect(dispositions).toEqual(refs.map(() => ACK))
    expect(world.channel.sent).toEqual([])
    expect(await world.store.countOverdue(NINE + 1)).toMatchObject({ count: 5 })
  })
})

describe('a message that is in one batch twice', () => {
  it('is sent once, and both copies are acknowledged', async () => {
    const { refs } = await inQueue(2)
    const asked: unknown[] = []
    const readAndNote = (some: readonly ClaimRef[]) => {
      asked.push(...some)
      return world.store.readClaims(some)
    }
    const store = new Proxy(world.store, {
      get: (target, key: keyof Store) => (key === 'readClaims' ? readAndNote : target[key]),
    })
    const dispositions = await worker({ store }).work(received([...refs, ...refs]), NINE + 30 * SECOND)
    expect(dispositions).toEqual([ACK, ACK, ACK, ACK])
    expect(world.channel.sent).toHaveLength(2)
    // Each claim is read once: a store may return a claim for every reference.
    expect(asked).toHaveLength(2)
  })
})

describe('a poison message, which crashes its consumer,', () => {
  const MAX_RECEIVES = 4

  /** Delivers all messages to a new process after each crash, until the poison message is dead-lettered. */
  async function deliverRepeatedly(messages: readonly Message[], poison: string): Promise<void> {
    for (let left = messages; left.length > 0; ) {
      const crash = new Promise((resolve) => {
        world.channel.script(poison, () => {
          resolve('crashed')
          return new Promise(() => {})
        })
      })
      const end = await Promise.race([worker().work(left, NINE + 30 * SECOND), crash])
      if (end !== 'crashed') return
      left = left
        .map((message) => ({ ...message, receives: message.receives + 1 }))
        .filter(({ receives }) => receives <= MAX_RECEIVES)
    }
  }

  for (const failuresBefore of [0, 1, 2]) {
    for (const crashesBefore of [0, 1, 2, 3]) {
      it(`after ${crashesBefore} crashes does not dead-letter a message that failed ${failuresBefore} times`, async () => {
        for (const poison of [0, 1]) {
          const { people, refs } = await inQueue(2)
          const messages = refs.map((ref, i) => ({
            ...ref,
            receives: 1 + (i === poison ? crashesBefore : failuresBefore),
          }))
          await deliverRepeatedly(messages, refs[poison]!.eventId)
          expect(await world.statuses([people[1 - poison]!])).toEqual({ COMPLETED: 1 })
        }
      })
    }
  }
})

describe('a message that is received late', () => {
  it('has its lease extended before its event is sent', async () => {
    const { refs } = await inQueue(1)
    await world.clock.advanceTo(NINE + LEASE - SECOND)
    const slow = heldAnswer()
    world.channel.script(refs[0]!.eventId, slow.step)
    const batch = worker().work(received(refs), world.clock.now() + 30 * SECOND)
    await world.clock.advance(10 * SECOND)
    const otherQueue = rememberingQueue()
    const settings = { claimedBy: 'run-2', leaseMs: LEASE, batchSize: 100, until: world.clock.now() + MINUTE }
    await dispatch({ ...depsOf(world), queue: otherQueue }, settings)
    expect(otherQueue.sent).toEqual([])
    slow.answer({ kind: 'delivered', statusCode: 200 })
    expect(await whileTimePasses(world, batch, MINUTE)).toEqual([ACK])
    expect(await world.event(refs[0]!.eventId)).toMatchObject({ status: 'COMPLETED' })
  })

  it('is acknowledged without a send if its person was deleted', async () => {
    const { people, refs } = await inQueue(1)
    await world.store.deleteUser(people[0]!.user.id, world.clock.now())
    expect(await worker().work(received(refs), NINE + 30 * SECOND)).toEqual([ACK])
    expect(world.channel.sent).toEqual([])
  })
})

describe('a message whose lease the scheduler could not extend', () => {
  const inQueueProvisionally = () =>
    inQueue(
      1,
      failingStore(world.store, (name) => name === 'extendLeases'),
    )

  it('is sent under a lease that its consumer has extended', async () => {
    const { people, refs } = await inQueueProvisionally()
    expect(await world.store.readClaims(refs)).toMatchObject([{ provisional: true }])
    let atSend: object[] = []
    world.channel.script(refs[0]!.eventId, async () => {
      atSend = await world.store.readClaims(refs)
      return { kind: 'delivered', statusCode: 200 }
    })
    // The provisional lease has expired, and no run has claimed the event again.
    await world.clock.jumpTo(NINE + 2 * MINUTE)
    expect(await worker().work(received(refs), NINE + 4 * MINUTE)).toEqual([ACK])
    expect(atSend).toMatchObject([{ provisional: false }])
    expect(await world.statuses(people)).toEqual({ COMPLETED: 1 })
  })

  it('is acknowledged without a send if another run has claimed its event again', async () => {
    const { refs } = await inQueueProvisionally()
    await world.clock.jumpTo(NINE + MINUTE)
    const queue = rememberingQueue()
    const settings = { claimedBy: 'run-2', leaseMs: LEASE, batchSize: 100, until: NINE + 2 * MINUTE }
    await dispatch({ ...depsOf(world), queue }, settings)
    expect(await worker().work(received(refs), NINE + 2 * MINUTE)).toEqual([ACK])
    expect(world.channel.sent).toEqual([])
    expect(await worker().work(received(queue.sent), NINE + 2 * MINUTE)).toEqual([ACK])
    expect(world.channel.sent).toHaveLength(1)
  })

  it('does not fail its event as a dead letter: no consumer has read the claim', async () => {
    const { people, refs } = await inQueueProvisionally()
    expect(await worker().deadLetter(received(refs), NINE + MINUTE)).toEqual([ACK])
    expect(await world.statuses(people)).toEqual({ PROCESSING: 1 })
  })
})

describe('a store', () => {
  const names = (ref: ClaimRef) => (args: unknown[]) => JSON.stringify(args).includes(ref.eventId)

  it('that fails to read one claim does not keep the other claims from being sent', async () => {
    const { refs } = await inQueue(4)
    const failing = failingStore(world.store, (name, args) => name === 'readClaims' && names(refs[1]!)(args))
    const dispositions = await worker({ store: failing }).work(received(refs), NINE + 30 * SECOND)
    expect(dispositions).toEqual([ACK, { kind: 'retry', delayMs: 10 * SECOND }, ACK, ACK])
    expect(world.channel.sent).toHaveLength(3)
  })

  it('that fails to settle one event still settles the others', async () => {
    const { people, refs } = await inQueue(4)
    const failing = failingStore(world.store, (name, args) => name === 'settle' && names(refs[2]!)(args))
    const batch = worker({ store: failing }).work(received(refs), NINE + 30 * SECOND)
    const dispositions = await whileTimePasses(world, batch, MINUTE)
    expect(dispositions.map(({ kind }) => kind)).toEqual(['ack', 'ack', 'retry', 'ack'])
    expect(await world.statuses(people)).toEqual({ COMPLETED: 3, PROCESSING: 1 })
    expect(world.clock.now()).toBeLessThanOrEqual(NINE + 30 * SECOND)
  })

  for (const hanging of ['readClaims', 'settle'] as const) {
    it(`that hangs in ${hanging} does not delay the consumer beyond its deadline`, async () => {
      const { refs } = await inQueue(2)
      const until = NINE + 30 * SECOND
      const batch = worker({ store: hangingIn(world.store, hanging) }).work(received(refs), until)
      const dispositions = await whileTimePasses(world, batch, MINUTE)
      expect(dispositions.map(({ kind }) => kind)).toEqual(['retry', 'retry'])
      expect(world.clock.now()).toBeLessThanOrEqual(until)
    })
  }

  function hangingIn(store: Store, name: keyof Store): Store {
    return new Proxy(store, {
      get: (target, key: keyof Store) => (key === name ? () => new Promise(() => {}) : target[key]),
    })
  }

  it('that cannot be reached makes messages retry with growing delays that outlast the lease', async () => {
    const { refs } = await inQueue(1)
    const gone = failingStore(world.store, () => true)
    const delays: number[] = []
    for (const receives of [1, 2, 3, 4]) {
      const [disposition] = await worker({ store: gone }).work(received(refs, receives), NINE + 30 * SECOND)
      delays.push(disposition!.kind === 'retry' ? disposition!.delayMs : -1)
    }
    expect(delays.slice(0, 2)).toEqual([10 * SECOND, MINUTE])
    expect(delays.reduce((sum, delay) => sum + delay)).toBeGreaterThan(LEASE)
  })
})

describe('dead letters', () => {
  it('fail their events once, with a reason and a successor', async () => {
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

  it('do not fail events whose leases expired: the scheduler claims them again', async () => {
    const { people, refs } = await inQueue(1)
    await world.clock.advanceTo(NINE + LEASE)
    expect(await worker().deadLetter(received(refs, 5), world.clock.now() + 30 * SECOND)).toEqual([ACK])
    expect(await world.statuses(people)).toEqual({ PROCESSING: 1 })
    expect(await world.store.countOverdue(NINE + LEASE + 1)).toMatchObject({ count: 1 })
  })

  it('are retried while the store cannot be reached', async () => {
    const { refs } = await inQueue(1)
    const gone = failingStore(world.store, () => true)
    const [disposition] = await worker({ store: gone }).deadLetter(received(refs, 5), NINE + 30 * SECOND)
    expect(disposition).toMatchObject({ kind: 'retry' })
  })
})
