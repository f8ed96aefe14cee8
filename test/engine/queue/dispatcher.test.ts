// The queue dispatcher: the events that one scheduler run claims, hands to the queue and releases, and its deadline.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DispatchSettings, dispatch, dispatchUntil } from '../../../src/engine/queue/dispatcher.ts'
import type { Queue } from '../../../src/ports/queue.ts'
import { HOUR, MINUTE, makePeople, makePerson, SECOND } from '../../support/fixtures.ts'
import { createWorld, type World } from '../support/world.ts'
import { depsOf, LEASE, rememberingQueue, whileTimePasses } from './support/recording-queue.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')

let world: World
beforeEach(() => {
  world = createWorld(NINE)
})
afterEach(() => world.close())

const depsWith = (queue: Queue) => ({ ...depsOf(world), queue })

function settings(over: Partial<DispatchSettings> = {}): DispatchSettings {
  return { claimedBy: 'run-1', leaseMs: LEASE, batchSize: 10, until: world.clock.now() + MINUTE, ...over }
}

const dueAt = (targetAt: number) => ({ targetAt, dateOfBirth: '1990-06-15' })

/** A queue that takes `ms` for each batch. */
const slowQueue = (ms: number) =>
  rememberingQueue(async () => {
    await new Promise<void>((resolve) => world.clock.after(ms, resolve))
    return { failed: [], error: null }
  })

describe('a run of the scheduler', () => {
  it('hands all due events to the queue in batches, the oldest first', async () => {
    const people = makePeople(25, (index) => dueAt(NINE - index * SECOND))
    await world.put(...people, makePerson(dueAt(NINE + 1)))
    const queue = rememberingQueue()
    const result = await dispatch(depsWith(queue), settings())
    expect(result).toEqual({ handedOver: 25, ended: 0, rejected: 0 })
    expect(queue.sent.map(({ eventId }) => eventId)).toEqual(
      people.map(({ events }) => events[0]!.id).reverse(),
    )
    expect(world.channel.sent).toEqual([])
  })

  it('settles an event that fails at the claim, and hands the others to the queue', async () => {
    const broken = makePerson({ ...dueAt(NINE), template: 'Hi {{ nickname }}' })
    const good = makePerson(dueAt(NINE))
    await world.put(broken, good)
    const queue = rememberingQueue()
    expect(await dispatch(depsWith(queue), settings())).toMatchObject({ handedOver: 1, ended: 1 })
    expect(queue.sent).toEqual([{ eventId: good.events[0]!.id, version: 2 }])
    const [failed, successor] = await world.events(broken.user.id)
    expect(failed).toMatchObject({ status: 'FAILED', failureCode: 'BAD_TEMPLATE' })
    expect(successor).toMatchObject({ status: 'PENDING' })
  })

  it('begins no batch that might not end before its deadline', async () => {
    await world.put(...makePeople(100, () => dueAt(NINE)))
    const queue = slowQueue(4 * SECOND)
    const run = dispatch(depsWith(queue), settings({ until: NINE + 20 * SECOND }))
    const { handedOver } = await whileTimePasses(world, run, MINUTE)
    // A batch takes 4 s. After three of them 8 s are left, too little for a batch that takes twice as long.
    expect(handedOver).toBe(30)
    expect(world.clock.now()).toBeLessThanOrEqual(NINE + 20 * SECOND)
    const { items } = await world.store.listEvents({ limit: 200, cursor: null, status: 'PENDING' })
    expect(items).toHaveLength(70)
  })

  it('claims nothing if its deadline has passed before it begins', async () => {
    await world.put(makePerson(dueAt(NINE)))
    const queue = rememberingQueue()
    await dispatch(depsWith(queue), settings({ until: NINE }))
    expect(queue.sent).toEqual([])
    expect(await world.store.countOverdue(NINE + 1)).toMatchObject({ count: 1 })
  })

  it('begins no batch when it may not continue, and does not wait for further events', async () => {
    await world.put(...makePeople(100, () => dueAt(NINE)), makePerson(dueAt(NINE + 10 * SECOND)))
    const queue = rememberingQueue()
    const limited = settings({ mayContinue: () => queue.sent.length < 30 })
    expect(await dispatchUntil(depsWith(queue), limited)).toMatchObject({ handedOver: 30 })
    expect(world.clock.now()).toBe(NINE)
    const { items } = await world.store.listEvents({ limit: 200, cursor: null, status: 'PENDING' })
    expect(items).toHaveLength(71)
  })

  it('goes on a second after the queue rejected a whole batch, and hands that batch over too', async () => {
    const people = makePeople(40, () => dueAt(NINE))
    await world.put(...people)
    const sentAt: number[] = []
    const queue = rememberingQueue(async (refs) => {
      sentAt.push(world.clock.now() - NINE)
      return sentAt.length === 1 ? { failed: [...refs], error: new Error('no') } : { failed: [], error: null }
    })
    const result = await whileTimePasses(world, dispatchUntil(depsWith(queue), settings()), MINUTE)
    expect(result).toEqual({ handedOver: 40, ended: 0, rejected: 10 })
    expect(sentAt.slice(0, 4)).toEqual([0, SECOND, SECOND, SECOND])
    expect(sentAt.at(-1)).toBeLessThan(8 * SECOND)
  })

  it('asks a queue that rejects everything less and less often, and leaves the events to the next run', async () => {
    const people = makePeople(40, () => dueAt(NINE))
    await world.put(...people)
    let calls = 0
    const rejecting = rememberingQueue(async (refs) => {
      calls += 1
      return { failed: [...refs], error: new Error('no') }
    })
    const run = dispatchUntil(depsWith(rejecting), settings({ until: NINE + 50 * SECOND }))
    expect(await whileTimePasses(world, run, MINUTE)).toMatchObject({ handedOver: 0, rejected: calls * 10 })
    // At 0, 1, 3, 7, 15 and 31 s.
    expect(calls).toBe(6)
    await world.clock.jumpTo(NINE + MINUTE)
    const queue = rememberingQueue()
    expect(await dispatch(depsWith(queue), settings())).toMatchObject({ handedOver: 40 })
  })
})

describe('a run of the scheduler that may wait', () => {
  it('hands an event to the queue at its instant, although the run began before', async () => {
    world = createWorld(NINE - 40 * SECOND)
    await world.put(makePerson(dueAt(NINE)), makePerson(dueAt(NINE - 10 * SECOND)))
    const handedOverAt: number[] = []
    const queue = rememberingQueue(async () => {
      handedOverAt.push(world.clock.now())
      return { failed: [], error: null }
    })
    const run = dispatchUntil(depsWith(queue), settings())
    expect(await whileTimePasses(world, run, MINUTE)).toMatchObject({ handedOver: 2 })
    expect(handedOverAt).toEqual([NINE - 10 * SECOND, NINE])
    // No other event falls due before the deadline, so the run ends.
    expect(world.clock.now()).toBeLessThan(NINE + SECOND)
  })

  it('ends at once if no event falls due before its deadline', async () => {
    await world.put(makePerson(dueAt(NINE + HOUR)))
    await dispatchUntil(depsWith(rememberingQueue()), settings())
    expect(world.clock.now()).toBe(NINE)
  })

  it('hands over an event that is created while it waits', async () => {
    await world.put(makePerson(dueAt(NINE + 30 * SECOND)))
    const queue = rememberingQueue()
    const run = dispatchUntil(depsWith(queue), settings())
    await world.clock.advance(5 * SECOND)
    await world.put(makePerson(dueAt(NINE + 6 * SECOND)))
    await world.clock.advance(4 * SECOND)
    expect(queue.sent).toHaveLength(1)
    expect(await whileTimePasses(world, run, MINUTE)).toMatchObject({ handedOver: 2 })
  })
})

it.each([
  ['is up', { status: 'ACTIVE', probeIn: null }, 20],
  ['is down: ten of them, if the next probe is due', { status: 'ACTIVE', probeIn: 0 }, 10],
  ['is down: none before the next probe is due', { status: 'ACTIVE', probeIn: 1 }, 0],
  ['is held: none of them', { status: 'HELD', probeIn: null }, 0],
  ['is limited: those of a minute', { status: 'ACTIVE', probeIn: null, perSecond: 0.2 }, 12],
] as const)('a run hands over the events of a destination that %s', async (_, state, handedOver) => {
  await world.put(...makePeople(20, () => dueAt(NINE)))
  const deps = depsWith(rememberingQueue())
  const { destinations, clock } = deps
  const { id } = destinations.of(null)
  const at = clock.now()
  if (state.probeIn !== null)
    destinations.states.markDown({
      channelId: id,
      at,
      error: '',
      nextProbeAt: at + state.probeIn,
      isLocal: true,
    })
  destinations.of(null).status = state.status
  if ('perSecond' in state) destinations.of(null).limits.perSecond = state.perSecond
  expect(await dispatch(deps, settings())).toMatchObject({ handedOver })
})
