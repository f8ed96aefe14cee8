// Recovery: a store that fails, a process that crashes, a long downtime.

import { describe, expect, it } from 'vitest'
import { changeUser } from '../../src/app/users/change.ts'
import { missedAfter } from '../../src/domain/events/lateness.ts'
import { HOUR, MINUTE, SECOND, SERVER_ERROR } from '../support/fixtures.ts'
import { dueAtNine, NINE, useWorld, world } from './support/use-world.ts'
import { SETTINGS, wrapStore } from './support/world.ts'

useWorld()

describe('a store that fails', () => {
  const broken = new Error('no route to the database')

  it('is retried with growing delays, and the engine continues when it is up again', async () => {
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
    'confirmClaims',
    'readClaims',
  ] as const) {
    it(`in ${operation} for a minute loses no event`, async () => {
      const people = await dueAtNine(130)
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

  it('after it has written a settlement does not settle the event twice', async () => {
    const { user, events } = await world.add()
    let lost = 0
    const store = wrapStore(world.store, async (name, call) => {
      const result = await call()
      if (name === 'settle' && lost++ === 0) throw broken
      return result
    })
    world.start({}, { store })
    await world.clock.advanceTo(NINE + MINUTE)
    expect(world.channel.sent).toHaveLength(1)
    expect(await world.attempts(events[0]!.id)).toHaveLength(1)
    expect(await world.events(user.id)).toHaveLength(2)
  })
})

describe('a crash', () => {
  /** A store whose calls never return once the process is dead. */
  function mortal() {
    const state = { dead: false }
    const store = wrapStore(world.store, (_name, call) => (state.dead ? new Promise(() => {}) : call()))
    const die = () => {
      state.dead = true
    }
    return { store, die }
  }

  it('between sending and settling makes the engine send the same key and body again, and settle once', async () => {
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
    await changeUser(world.app, user.id, { input: { firstName: 'Augusta' }, ifVersion: null })

    world.start({ workerId: 'engine-2' })
    await world.clock.advanceTo(NINE + SETTINGS.leaseMs - 1)
    expect(world.channel.sent).toHaveLength(1)
    await world.clock.advanceTo(NINE + 2 * SETTINGS.leaseMs)
    const { sent } = world.channel
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual({ ...sent[0]!, attempt: 2, at: NINE + SETTINGS.leaseMs })
    expect(await world.event(id)).toMatchObject({ status: 'COMPLETED', claimedBy: 'engine-2', retryCount: 0 })
    expect(await world.attempts(id)).toMatchObject([
      { number: 1, claimedBy: 'engine-1', outcome: 'UNKNOWN' },
      { number: 2, claimedBy: 'engine-2', outcome: 'DELIVERED' },
    ])
    expect(await world.events(user.id)).toHaveLength(2)
  })

  it('between claiming and sending loses no event', async () => {
    const people = await dueAtNine(4)
    const state = { dead: false }
    const store = wrapStore(world.store, async (name, call) => {
      if (state.dead) return new Promise(() => {})
      const result = await call()
      if (name === 'claimDue' && (result as unknown[]).length > 0) state.dead = true
      return state.dead ? new Promise(() => {}) : result
    })
    world.start({ workerId: 'engine-1', concurrency: 4 }, { store })
    await world.clock.advanceTo(NINE)
    expect(await world.statuses(people)).toEqual({ PROCESSING: 4 })
    world.start({ workerId: 'engine-2' })
    await world.clock.advanceTo(NINE + SETTINGS.leaseMs + SECOND)
    expect(world.channel.sent.map(({ at }) => at)).toEqual(Array(4).fill(NINE + SETTINGS.leaseMs))
    expect(await world.statuses(people)).toEqual({ COMPLETED: 4 })
  })
})

describe('after a long downtime, the engine', () => {
  it('sends one late event and plans a successor in the future', async () => {
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

  it('continues the retries of an event that was first sent within the catch-up window', async () => {
    const { events } = await world.add()
    world.channel.script(events[0]!.id, { ...SERVER_ERROR, retryAfterMs: 2 * HOUR } as typeof SERVER_ERROR)
    world.start({}, { lateness: missedAfter(HOUR) })
    await world.clock.advanceTo(NINE + 3 * HOUR)
    expect(world.channel.sent).toHaveLength(2)
    expect(await world.event(events[0]!.id)).toMatchObject({ status: 'COMPLETED' })
  })
})
