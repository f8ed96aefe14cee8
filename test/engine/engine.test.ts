// The loop against the real store: what is sent, when, and how often.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeUser } from '../../src/app/users/change.ts'
import { idempotencyKey } from '../../src/domain/events/idempotency-key.ts'
import { onlyDestination } from '../../src/engine/sending/destinations.ts'
import { DAY, GONE, HOUR, heldAnswer, MINUTE, makePeople, SECOND, UNAVAILABLE } from '../support/fixtures.ts'
import { createWorld, SETTINGS, type World, wrapStore } from './support/world.ts'

/** Nine o'clock on Ada's birthday. */
const NINE = Date.parse('2026-06-15T09:00:00Z')
const NEXT_YEAR = Date.parse('2027-06-15T09:00:00Z')

let world: World
beforeEach(() => {
  world = createWorld(NINE - HOUR)
})
afterEach(() => world.close())

describe('the hour', () => {
  it('is kept: nothing is sent a millisecond before, and it is sent at the instant', async () => {
    const { events } = await world.add()
    world.start()
    await world.clock.advanceTo(NINE - 1)
    expect(world.channel.sent).toEqual([])
    await world.clock.advanceTo(NINE)
    expect(world.channel.sent).toMatchObject([{ eventId: events[0]!.id, at: NINE, attempt: 1 }])
  })

  it('is kept however long the wait and however short the poll', async () => {
    await world.add()
    world.start({ pollMs: 7 * MINUTE, leaseMs: HOUR })
    await world.clock.advanceTo(NINE + MINUTE)
    expect(world.channel.sent.map(({ at }) => at)).toEqual([NINE])
  })

  it('is kept for an event that comes up while the engine sleeps towards a later one', async () => {
    await world.add()
    world.start({ pollMs: DAY, leaseMs: DAY })
    await world.clock.advance(MINUTE)
    world.users.deliverAt = '08:30'
    await world.add()
    await world.clock.advanceTo(NINE)
    expect(world.channel.sent.map(({ at }) => at)).toEqual([NINE - 30 * MINUTE, NINE])
  })

  it('is kept for a person who is created as their hour strikes', async () => {
    world.start({ pollMs: DAY, leaseMs: DAY })
    await world.clock.advanceTo(NINE)
    const { events } = await world.add()
    await world.clock.advanceTo(NINE)
    expect(world.channel.sent).toMatchObject([{ eventId: events[0]!.id, at: NINE }])
  })

  it('is greeted once: delivered at the very instant, the next is due next year', async () => {
    const { user } = await world.add()
    world.start()
    await world.clock.advanceTo(NINE + 10 * MINUTE)
    expect(world.channel.sent).toHaveLength(1)
    const events = await world.events(user.id)
    expect(events.map(({ status, targetAt, occurrence }) => [status, targetAt, occurrence])).toEqual([
      ['COMPLETED', NINE, '2026'],
      ['PENDING', NEXT_YEAR, '2027'],
    ])
  })

  it('comes round every year', async () => {
    const { user } = await world.add()
    world.start()
    for (const year of ['2026', '2027', '2028']) {
      await world.clock.jumpTo(Date.parse(`${year}-06-15T09:00:00Z`))
      await world.clock.advance(SECOND)
    }
    const occurrences = (await world.events(user.id)).map(
      ({ status, occurrence }) => `${occurrence} ${status}`,
    )
    expect(occurrences).toEqual(['2026 COMPLETED', '2027 COMPLETED', '2028 COMPLETED', '2029 PENDING'])
    expect(new Set(world.channel.sent.map((sent) => sent.idempotencyKey)).size).toBe(3)
  })
})

describe('a rush', () => {
  it('is drained: each of far more than a batch is sent once and completed', async () => {
    const people = makePeople(2_500, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
    await world.put(...people)
    world.start({ batchSize: 100, concurrency: 16 })
    await world.clock.advanceTo(NINE + SECOND)
    expect(world.channel.sent).toHaveLength(2_500)
    expect(new Set(world.channel.sent.map(({ eventId }) => eventId)).size).toBe(2_500)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 2_500 })
    expect(await world.store.nextWakeAt()).toBe(NEXT_YEAR)
  })

  it('is shared by two engines without sending anything twice', async () => {
    const people = makePeople(600, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
    await world.put(...people)
    world.start({ workerId: 'engine-1' })
    world.start({ workerId: 'engine-2' })
    await world.clock.advanceTo(NINE + SECOND)
    expect(world.channel.sent).toHaveLength(600)
    expect(new Set(world.channel.sent.map(({ eventId }) => eventId)).size).toBe(600)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 600 })
  })

  it('never has more sends under way than it was told', async () => {
    await world.put(...makePeople(200, () => ({ targetAt: NINE })))
    let [underWay, most] = [0, 0]
    const deliver = async () => {
      most = Math.max(most, ++underWay)
      await new Promise<void>((resolve) => world.clock.after(10, resolve))
      underWay -= 1
      return { kind: 'delivered', statusCode: 200 } as const
    }
    world.start({ concurrency: 5 }, { destinations: onlyDestination({ deliver, close: async () => {} }) })
    await world.clock.advanceTo(NINE + 10 * SECOND)
    expect(most).toBe(5)
    expect(
      (await world.store.listEvents({ limit: 1_000, cursor: null, status: 'COMPLETED' })).items,
    ).toHaveLength(200)
  })

  it('tells telemetry of every attempt and nothing of the person', async () => {
    await world.add({ firstName: 'Wilhelmina', dateOfBirth: '1984-06-15', email: 'w@example.com' })
    world.start()
    await world.clock.advanceTo(NINE + SECOND)
    const told = JSON.stringify(world.notices)
    expect(world.notices.filter(({ kind }) => kind === 'attempt')).toMatchObject([
      { outcome: 'delivered', attempt: 1, statusCode: 200, lateMs: 0, error: null },
    ])
    for (const secret of ['Wilhelmina', '1984', 'example.com']) expect(told).not.toContain(secret)
  })
})

describe('a failed attempt', () => {
  it('is tried again at the times of the policy', async () => {
    const { events } = await world.add()
    const id = events[0]!.id
    world.channel.script(id, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE)
    world.start()
    await world.clock.advanceTo(NINE + MINUTE)
    expect(world.channel.sent.map(({ at, attempt }) => [at - NINE, attempt])).toEqual([
      [0, 1],
      [1_000, 2],
      [3_000, 3],
      [7_000, 4],
    ])
    expect(await world.event(id)).toMatchObject({ status: 'COMPLETED', retryCount: 3 })
  })

  it('is tried again with the same key and the same bytes, though the user was renamed in between', async () => {
    const { user, events, occasions } = await world.add()
    world.channel.script(events[0]!.id, UNAVAILABLE, UNAVAILABLE)
    world.start()
    await world.clock.advanceTo(NINE + 500)
    await changeUser(world.users, user.id, { input: { firstName: 'Augusta' }, ifVersion: null })
    await world.clock.advanceTo(NINE + 10 * MINUTE)
    const { sent } = world.channel
    expect(sent).toHaveLength(3)
    const key = idempotencyKey({ userId: user.id, occasionId: occasions[0]!.id, occurrence: '2026' })
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey))).toEqual(new Set([key]))
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
    expect(JSON.parse(sent[0]!.body)).toMatchObject({ message: "Hey, Ada Lovelace it's your birthday" })
    expect(await world.event(events[0]!.id)).toMatchObject({
      status: 'COMPLETED',
      deliveryPayload: sent[0]!.body,
    })
  })

  it('ends FAILED with a successor once the retries are used up', async () => {
    const { user, events } = await world.add()
    const id = events[0]!.id
    world.channel.script(id, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE)
    world.start()
    await world.clock.advanceTo(NINE + 10 * MINUTE)
    expect(world.channel.sent).toHaveLength(4)
    expect(await world.event(id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'RETRIES_EXHAUSTED',
      lastError: 'HTTP 503',
      retryCount: 3,
      statusCode: 503,
    })
    expect((await world.attempts(id)).map(({ outcome }) => outcome)).toEqual([
      'RETRY',
      'RETRY',
      'RETRY',
      'FAILED',
    ])
    expect((await world.events(user.id))[1]).toMatchObject({ status: 'PENDING', targetAt: NEXT_YEAR })
  })

  it('ends FAILED with a successor at once when it can never work', async () => {
    const { user, events } = await world.add()
    world.channel.script(events[0]!.id, GONE)
    world.start()
    await world.clock.advanceTo(NINE + 10 * MINUTE)
    expect(world.channel.sent).toHaveLength(1)
    expect(await world.event(events[0]!.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'HTTP 410',
      lastError: 'HTTP 410',
      statusCode: 410,
      executedAt: NINE,
      retryCount: 0,
    })
    expect((await world.events(user.id))[1]).toMatchObject({ status: 'PENDING', targetAt: NEXT_YEAR })
  })

  it('waits as long as the far side asks', async () => {
    const { events } = await world.add()
    world.channel.script(events[0]!.id, {
      kind: 'transient',
      error: 'HTTP 429',
      statusCode: 429,
      retryAfterMs: 90 * SECOND,
    })
    world.start()
    await world.clock.advanceTo(NINE + 10 * MINUTE)
    expect(world.channel.sent.map(({ at }) => at - NINE)).toEqual([0, 90 * SECOND])
  })
})

describe('a long send', () => {
  it('keeps its lease: a second engine does not take it', async () => {
    const { user, events } = await world.add()
    const far = heldAnswer()
    world.channel.script(events[0]!.id, far.step)
    world.start({ workerId: 'engine-1' })
    world.start({ workerId: 'engine-2' })
    await world.clock.advanceTo(NINE + 10 * SETTINGS.leaseMs)
    expect(world.channel.sent).toHaveLength(1)
    far.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    expect(await world.event(events[0]!.id)).toMatchObject({ status: 'COMPLETED', retryCount: 0 })
    expect(await world.events(user.id)).toHaveLength(2)
  })

  it('that lost its lease is sent again by another under the same key, and settled once', async () => {
    const { user, events } = await world.add()
    const id = events[0]!.id
    const far = heldAnswer()
    world.channel.script(id, far.step)
    let cutOff = false
    const store = wrapStore(world.store, async (name, call) => {
      if (cutOff && name === 'extendLeases') throw new Error('no route to the database')
      return call()
    })
    world.start({ workerId: 'engine-1' }, { store })
    await world.clock.advanceTo(NINE + SECOND)
    cutOff = true
    world.start({ workerId: 'engine-2', pollMs: SECOND })
    await world.clock.advance(2 * SETTINGS.leaseMs)
    far.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    const { sent } = world.channel
    expect(sent).toHaveLength(2)
    expect(sent[1]).toMatchObject({ idempotencyKey: sent[0]!.idempotencyKey, body: sent[0]!.body })
    expect((await world.attempts(id)).map(({ outcome }) => outcome)).toEqual(['UNKNOWN', 'DELIVERED'])
    expect(await world.events(user.id)).toHaveLength(2)
  })
})

describe('an engine alone', () => {
  it('keeps the lease of an event that it lost and took again', async () => {
    const { events } = await world.add()
    const [first, second] = [heldAnswer(), heldAnswer()]
    world.channel.script(events[0]!.id, first.step, second.step)
    const store = wrapStore(world.store, async (name, call) => {
      if (name === 'extendLeases' && world.clock.now() < NINE + 35 * SECOND) throw new Error('no route')
      return call()
    })
    world.start({ workerId: 'engine-1' }, { store })
    await world.clock.advanceTo(NINE + 36 * SECOND)
    expect(world.channel.sent).toHaveLength(2)
    first.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    world.start({ workerId: 'engine-2', pollMs: SECOND })
    await world.clock.advance(5 * SETTINGS.leaseMs)
    expect(world.channel.sent).toHaveLength(2)
    second.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    expect(await world.event(events[0]!.id)).toMatchObject({ status: 'COMPLETED', claimedBy: 'engine-1' })
  })

  it('does not press a store whose clock is behind its own', async () => {
    const { events } = await world.add()
    let early = 0
    const store = wrapStore(world.store, async (name, call) => {
      const behind = world.clock.now() >= NINE && world.clock.now() < NINE + 2 * SECOND
      if (name === 'claimDue' && behind && early++ < 1_000) return []
      return call()
    })
    world.start({}, { store })
    await world.clock.advanceTo(NINE + 5 * SECOND)
    expect(early).toBeLessThan(100)
    expect(await world.event(events[0]!.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('is not late for what falls due between two looks', async () => {
    const { events } = await world.add()
    let missed = false
    const store = wrapStore(world.store, async (name, call) => {
      if (name !== 'claimDue' || missed || world.clock.now() < NINE) return call()
      missed = true
      return []
    })
    world.start({}, { store })
    await world.clock.advanceTo(NINE + 2)
    expect(await world.event(events[0]!.id)).toMatchObject({ status: 'COMPLETED' })
  })
})
