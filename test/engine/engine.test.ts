// The engine loop against a real store: due times, concurrency, retries and leases.
import { describe, expect, it } from 'vitest'
import { changeUser } from '../../src/app/users/change.ts'
import { idempotencyKey } from '../../src/domain/events/idempotency-key.ts'
import { onlyDestination } from '../support/fixed-parts.ts'
import { DAY, GONE, HOUR, heldAnswer, MINUTE, makePeople, SECOND, SERVER_ERROR } from '../support/fixtures.ts'
import { dueAtNine, NINE, useWorld, world } from './support/use-world.ts'
import { SETTINGS, wrapStore } from './support/world.ts'

const NEXT_YEAR = Date.parse('2027-06-15T09:00:00Z')

useWorld()

describe('a due event', () => {
  it('is sent at its instant, and not a millisecond before', async () => {
    const { events } = await world.add()
    world.start()
    await world.clock.advanceTo(NINE - 1)
    expect(world.channel.sent).toEqual([])
    await world.clock.advanceTo(NINE)
    expect(world.channel.sent).toMatchObject([{ eventId: events[0]!.id, at: NINE, attempt: 1 }])
  })

  it('is sent at its instant even if that is no multiple of the poll interval', async () => {
    await world.add()
    world.start({ pollMs: 7 * MINUTE, leaseMs: HOUR })
    await world.clock.advanceTo(NINE + MINUTE)
    expect(world.channel.sent.map(({ at }) => at)).toEqual([NINE])
  })

  it('is sent at its instant if it is created while the engine sleeps until a later one', async () => {
    await world.add()
    world.start({ pollMs: DAY, leaseMs: DAY })
    await world.clock.advance(MINUTE)
    world.app.deliverAt = '08:30'
    await world.add()
    await world.clock.advanceTo(NINE)
    expect(world.channel.sent.map(({ at }) => at)).toEqual([NINE - 30 * MINUTE, NINE])
  })

  it('is sent at once if its person is created at that instant', async () => {
    world.start({ pollMs: DAY, leaseMs: DAY })
    await world.clock.advanceTo(NINE)
    const { events } = await world.add()
    await world.clock.advanceTo(NINE)
    expect(world.channel.sent).toMatchObject([{ eventId: events[0]!.id, at: NINE }])
  })

  it('is sent every year, each time under a new idempotency key', async () => {
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

describe('many events that are due at once', () => {
  it('are each sent once and completed, if there are far more than a batch', async () => {
    const people = await dueAtNine(2_500)
    world.start({ batchSize: 100, concurrency: 16 })
    await world.clock.advanceTo(NINE + SECOND)
    expect(world.channel.sent).toHaveLength(2_500)
    expect(new Set(world.channel.sent.map(({ eventId }) => eventId)).size).toBe(2_500)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 2_500 })
    expect(await world.store.nextWakeAt()).toBe(NEXT_YEAR)
  })

  it('are each sent once by two engines that run at the same time', async () => {
    const people = await dueAtNine(600)
    world.start({ workerId: 'engine-1' })
    world.start({ workerId: 'engine-2' })
    await world.clock.advanceTo(NINE + SECOND)
    expect(world.channel.sent).toHaveLength(600)
    expect(new Set(world.channel.sent.map(({ eventId }) => eventId)).size).toBe(600)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 600 })
  })

  it('are sent with no more in flight than `concurrency`', async () => {
    await world.put(...makePeople(200, () => ({ targetAt: NINE })))
    let [inFlight, most] = [0, 0]
    const deliver = async () => {
      most = Math.max(most, ++inFlight)
      await new Promise<void>((resolve) => world.clock.after(10, resolve))
      inFlight -= 1
      return { kind: 'delivered', statusCode: 200 } as const
    }
    world.start({ concurrency: 5 }, { destinations: onlyDestination({ deliver, close: async () => {} }) })
    await world.clock.advanceTo(NINE + 10 * SECOND)
    expect(most).toBe(5)
    expect(
      (await world.store.listEvents({ limit: 1_000, cursor: null, status: 'COMPLETED' })).items,
    ).toHaveLength(200)
  })
})

describe('the claims of an engine', () => {
  it('begin small after a sleep and grow, so that the first messages of a spike leave at once', async () => {
    await world.put(...makePeople(2_000, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' })))
    const limits: number[] = []
    const store = wrapStore(world.store, (name, call, [claim]) => {
      if (name === 'claimDue') limits.push((claim as { limit: number }).limit)
      return call()
    })
    world.start({ batchSize: 1_000, concurrency: 5_000 }, { store })
    await world.clock.advanceTo(NINE - 1)
    limits.length = 0
    await world.clock.advanceTo(NINE)
    expect(limits.slice(0, 4)).toEqual([4, 32, 256, 1_000])
  })

  it('are not repeated after a claim that found fewer events than its limit', async () => {
    await world.add()
    let claims = 0
    const store = wrapStore(world.store, (name, call) => {
      if (name === 'claimDue') claims += 1
      return call()
    })
    world.start({ pollMs: 2 * HOUR, leaseMs: 2 * HOUR }, { store })
    await world.clock.advanceTo(NINE - 1)
    claims = 0
    await world.clock.advanceTo(NINE)
    expect(claims).toBe(1)
    expect(world.channel.sent).toHaveLength(1)
  })

  it('do not wait for channels and templates, which are reloaded just before the next event is due', async () => {
    await world.add()
    const reads: number[] = []
    const destinations = onlyDestination(world.channel)
    const refresh = async (at = world.clock.now()) => void reads.push(at - world.clock.now())
    world.start({ pollMs: 2 * HOUR, leaseMs: 2 * HOUR }, { destinations: { ...destinations, refresh } })
    await world.clock.advanceTo(NINE - SECOND)
    reads.length = 0
    await world.clock.advanceTo(NINE - 1)
    expect(reads).toEqual([250])
  })
})

describe('a failed attempt', () => {
  it('is retried at the times of the retry policy', async () => {
    const { events } = await world.add()
    const id = events[0]!.id
    world.channel.script(id, SERVER_ERROR, SERVER_ERROR, SERVER_ERROR)
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

  it('is retried with the same key and body, even if the user was renamed in between', async () => {
    const { user, events, occasions } = await world.add()
    world.channel.script(events[0]!.id, SERVER_ERROR, SERVER_ERROR)
    world.start()
    await world.clock.advanceTo(NINE + 500)
    await changeUser(world.app, user.id, { input: { firstName: 'Augusta' }, ifVersion: null })
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

  it('makes the event FAILED, with a successor, after the last retry', async () => {
    const { user, events } = await world.add()
    const id = events[0]!.id
    world.channel.script(id, SERVER_ERROR, SERVER_ERROR, SERVER_ERROR, SERVER_ERROR)
    world.start()
    await world.clock.advanceTo(NINE + 10 * MINUTE)
    expect(world.channel.sent).toHaveLength(4)
    expect(await world.event(id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'RETRIES_EXHAUSTED',
      lastError: 'HTTP 500',
      retryCount: 3,
      statusCode: 500,
    })
    expect((await world.attempts(id)).map(({ outcome }) => outcome)).toEqual([
      'RETRY',
      'RETRY',
      'RETRY',
      'FAILED',
    ])
    expect((await world.events(user.id))[1]).toMatchObject({ status: 'PENDING', targetAt: NEXT_YEAR })
  })

  it('makes the event FAILED at once, with a successor, if the error is permanent', async () => {
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

  it('is retried after the time that the receiver asks for', async () => {
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

describe('a send that takes longer than its lease', () => {
  it('has its lease extended, so that a second engine does not claim the event', async () => {
    const { user, events } = await world.add()
    const held = heldAnswer()
    world.channel.script(events[0]!.id, held.step)
    world.start({ workerId: 'engine-1' })
    world.start({ workerId: 'engine-2' })
    await world.clock.advanceTo(NINE + 10 * SETTINGS.leaseMs)
    expect(world.channel.sent).toHaveLength(1)
    held.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    expect(await world.event(events[0]!.id)).toMatchObject({ status: 'COMPLETED', retryCount: 0 })
    expect(await world.events(user.id)).toHaveLength(2)
  })

  it('is repeated by another engine under the same key and settled once, if its lease expires', async () => {
    const { user, events } = await world.add()
    const id = events[0]!.id
    const held = heldAnswer()
    world.channel.script(id, held.step)
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
    held.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    const { sent } = world.channel
    expect(sent).toHaveLength(2)
    expect(sent[1]).toMatchObject({ idempotencyKey: sent[0]!.idempotencyKey, body: sent[0]!.body })
    expect((await world.attempts(id)).map(({ outcome }) => outcome)).toEqual(['UNKNOWN', 'DELIVERED'])
    expect(await world.events(user.id)).toHaveLength(2)
  })
})

describe('one engine', () => {
  it('extends the lease of an event that it claimed again after the first lease expired', async () => {
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

  it('does not claim in a busy loop when the clock of the store is behind its own', async () => {
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

  it('sends on time an event that falls due between claiming and reading the next wake-up time', async () => {
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
