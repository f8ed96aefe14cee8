// What remains after trouble: a store that fails, a process that dies, a long time down.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeUser } from '../../src/app/users/change.ts'
import { missedAfter } from '../../src/domain/events/lateness.ts'
import { DAY, HOUR, MINUTE, makePeople, makePerson, SECOND, UNAVAILABLE } from '../support/fixtures.ts'
import { createWorld, SETTINGS, type World, wrapStore } from './support/world.ts'

/** Nine o'clock on Ada's birthday. */
const NINE = Date.parse('2026-06-15T09:00:00Z')

let world: World
beforeEach(() => {
  world = createWorld(NINE - HOUR)
})
afterEach(() => world.close())

describe('a store in trouble', () => {
  const broken = new Error('no route to the database')

  it('is left alone for longer and longer, and the engine goes on when it is back', async () => {
    const { events } = await world.add()
    const backAt = NINE + 5 * MINUTE
    const calls: number[] = []
    const store = wrapStore(world.store, async (_name, call) => {
      if (world.clock.now() < backAt) {
        calls.push(world.clock.now())
        throw broken
      }
      return call()
    })
    world.start({}, { store })
    await world.clock.advanceTo(backAt - 1)
    expect(world.channel.sent).toEqual([])
    const waits = calls.slice(1).map((at, index) => at - calls[index]!)
    expect(waits.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * SECOND))
    await world.clock.advanceTo(backAt + 31 * SECOND)
    expect(world.channel.sent).toHaveLength(1)
    expect(await world.event(events[0]!.id)).toMatchObject({ status: 'COMPLETED' })
    expect(world.notices).toContainEqual({
      kind: 'error',
      operation: 'claim',
      error: broken,
      retryInMs: 1_000,
    })
  })

  for (const operation of [
    'claimDue',
    'freeze',
    'settle',
    'nextWakeAt',
    'extendLeases',
    'readClaims',
  ] as const) {
    it(`whose ${operation} fails for a minute loses nothing`, async () => {
      const people = makePeople(130, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
      await world.put(...people)
      const store = wrapStore(world.store, async (name, call) => {
        if (name === operation && world.clock.now() < NINE + MINUTE) throw broken
        return call()
      })
      world.start({}, { store })
      await world.clock.advanceTo(NINE + 10 * MINUTE)
      expect(await world.statuses(people)).toEqual({ COMPLETED: 130 })
      const { items } = await world.store.listEvents({ limit: 1_000, cursor: null, status: 'PENDING' })
      expect(items).toHaveLength(130)
      const keys = new Map<string, string>()
      for (const { eventId, idempotencyKey: key, body } of world.channel.sent) {
        expect(keys.get(eventId) ?? key + body).toBe(key + body)
        keys.set(eventId, key + body)
      }
      expect(keys.size).toBe(130)
    })
  }

  it('that settles but loses its answer settles nothing twice', async () => {
    const { user, events } = await world.add()
    let lost = 0
    const store = wrapStore(world.store, async (name, call) => {
      const answer = await call()
      if (name === 'settle' && lost++ === 0) throw broken
      return answer
    })
    world.start({}, { store })
    await world.clock.advanceTo(NINE + MINUTE)
    expect(world.channel.sent).toHaveLength(1)
    expect(await world.attempts(events[0]!.id)).toHaveLength(1)
    expect(await world.events(user.id)).toHaveLength(2)
  })

  it('that chokes on one settlement takes the others', async () => {
    const people = makePeople(20, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
    await world.put(...people)
    const poisoned = people[7]!.events[0]!.id
    const store: typeof world.store = Object.create(world.store)
    store.settle = async (settlements) => {
      if (settlements.some(({ eventId }) => eventId === poisoned)) throw broken
      return world.store.settle(settlements)
    }
    world.start({}, { store })
    await world.clock.advanceTo(NINE + 10 * SECOND)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 19, PROCESSING: 1 })
  })
})

describe('a crash', () => {
  /** A store that stops answering the moment the process dies. */
  function mortal() {
    const state = { dead: false }
    const store = wrapStore(world.store, (_name, call) => (state.dead ? new Promise(() => {}) : call()))
    const die = () => {
      state.dead = true
    }
    return { store, die }
  }

  it('between sending and settling sends the same key and the same bytes again, and completes once', async () => {
    const { user, events } = await world.add()
    const id = events[0]!.id
    const { store, die } = mortal()
    world.channel.script(id, async () => {
      die()
      return { kind: 'delivered', statusCode: 200 }
    })
    world.start({ workerId: 'engine-1' }, { store })
    await world.clock.advanceTo(NINE + SECOND)
    expect(world.channel.sent).toHaveLength(1)
    await changeUser(world.users, user.id, { input: { firstName: 'Augusta' }, ifVersion: null })

    world.start({ workerId: 'engine-2' })
    await world.clock.advanceTo(NINE + SETTINGS.leaseMs - 1)
    expect(world.channel.sent).toHaveLength(1)
    await world.clock.advanceTo(NINE + 2 * SETTINGS.leaseMs)
    const { sent } = world.channel
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual({ ...sent[0]!, at: NINE + SETTINGS.leaseMs })
    expect(await world.event(id)).toMatchObject({ status: 'COMPLETED', claimedBy: 'engine-2', retryCount: 0 })
    expect(await world.attempts(id)).toMatchObject([
      { number: 1, claimedBy: 'engine-1', outcome: 'UNKNOWN' },
      { number: 2, claimedBy: 'engine-2', outcome: 'DELIVERED' },
    ])
    expect(await world.events(user.id)).toHaveLength(2)
  })

  it('between claiming and sending loses nothing', async () => {
    const people = makePeople(30, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
    await world.put(...people)
    const state = { dead: false }
    const store = wrapStore(world.store, async (name, call) => {
      if (state.dead) return new Promise(() => {})
      const result = await call()
      if (name === 'claimDue' && (result as unknown[]).length > 0) state.dead = true
      return state.dead ? new Promise(() => {}) : result
    })
    world.start({ workerId: 'engine-1' }, { store })
    await world.clock.advanceTo(NINE)
    expect(await world.statuses(people)).toEqual({ PROCESSING: 30 })
    world.start({ workerId: 'engine-2' })
    await world.clock.advanceTo(NINE + SETTINGS.leaseMs + SECOND)
    expect(world.channel.sent.map(({ at }) => at)).toEqual(Array(30).fill(NINE + SETTINGS.leaseMs))
    expect(await world.statuses(people)).toEqual({ COMPLETED: 30 })
  })
})

describe('after long downtime', () => {
  it('sends one belated greeting and plans one that is ahead', async () => {
    const { user } = await world.add()
    await world.clock.jumpTo(Date.parse('2029-08-01T12:00:00Z'))
    world.start()
    await world.clock.advance(10 * MINUTE)
    expect(world.channel.sent).toHaveLength(1)
    const lateBySeconds = (Date.parse('2029-08-01T12:00:00Z') - NINE) / 1000
    expect(JSON.parse(world.channel.sent[0]!.body)).toMatchObject({ occurrence: '2026', lateBySeconds })
    const events = await world.events(user.id)
    expect(events.map(({ occurrence, status }) => `${occurrence} ${status}`)).toEqual([
      '2026 COMPLETED',
      '2030 PENDING',
    ])
  })

  it('sends each of many missed events once', async () => {
    const people = makePeople(300, (index) => ({ targetAt: NINE + index * HOUR, dateOfBirth: '1990-06-15' }))
    await world.put(...people)
    await world.clock.jumpTo(NINE + 400 * HOUR)
    world.start()
    await world.clock.advance(MINUTE)
    expect(world.channel.sent).toHaveLength(300)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 300 })
  })

  it('fails what is later than the catch-up window, with a reason and a successor, and sends the rest', async () => {
    const old = makePerson({ targetAt: NINE - 2 * DAY, dateOfBirth: '1990-06-13' })
    const edge = makePerson({ targetAt: NINE - DAY, dateOfBirth: '1990-06-14' })
    await world.put(old, edge)
    await world.clock.jumpTo(NINE)
    world.start({}, { lateness: missedAfter(DAY) })
    await world.clock.advance(SECOND)
    expect(world.channel.sent.map(({ eventId }) => eventId)).toEqual([edge.events[0]!.id])
    expect(await world.event(old.events[0]!.id)).toMatchObject({
      status: 'FAILED',
      lastError: expect.stringMatching(/^MISSED_WINDOW: 172800 s late/),
    })
    expect((await world.events(old.user.id))[1]).toMatchObject({
      status: 'PENDING',
      targetAt: Date.parse('2027-06-13T09:00:00Z'),
    })
  })

  it('goes on with what was begun before the catch-up window closed', async () => {
    const { events } = await world.add()
    world.channel.script(events[0]!.id, { ...UNAVAILABLE, retryAfterMs: 2 * HOUR } as typeof UNAVAILABLE)
    world.start({}, { lateness: missedAfter(HOUR) })
    await world.clock.advanceTo(NINE + 3 * HOUR)
    expect(world.channel.sent).toHaveLength(2)
    expect(await world.event(events[0]!.id)).toMatchObject({ status: 'COMPLETED' })
  })
})
