// Stopping an engine: what is under way ends, what is not goes back, and it does end.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  HOUR,
  heldAnswer,
  MINUTE,
  makePeople,
  makePerson,
  SECOND,
  untilAborted,
} from '../support/fixtures.ts'
import { createWorld, SETTINGS, type World, wrapStore } from './support/world.ts'

/** Nine o'clock on Ada's birthday. */
const NINE = Date.parse('2026-06-15T09:00:00Z')

let world: World
beforeEach(() => {
  world = createWorld(NINE - HOUR)
})
afterEach(() => world.close())

describe('stopping', () => {
  const stop = (engine: { stop(): Promise<void> }) => {
    const state = { done: false }
    void engine.stop().then(() => {
      state.done = true
    })
    return state
  }

  it('is done at once when nothing is under way', async () => {
    await world.add()
    const engine = world.start()
    await world.clock.advance(MINUTE)
    const state = stop(engine)
    await world.clock.advance(0)
    expect(state.done).toBe(true)
    await world.clock.advanceTo(NINE + MINUTE)
    expect(world.channel.sent).toEqual([])
  })

  it('lets the sends under way end, writes them down and claims no more', async () => {
    const people = makePeople(2, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
    const far = heldAnswer()
    for (const { events } of people) world.channel.script(events[0]!.id, far.step)
    const later = makePerson({ targetAt: NINE + 2 * SECOND })
    await world.put(...people, later)
    const engine = world.start()
    await world.clock.advanceTo(NINE + SECOND)
    const state = stop(engine)
    await world.clock.advance(3 * SECOND)
    expect(state.done).toBe(false)
    far.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    expect(state.done).toBe(true)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 2 })
    expect(await world.event(later.events[0]!.id)).toMatchObject({ status: 'PENDING' })
  })

  /** Two sends under way, the rest of the batch claimed and waiting. */
  async function startBusy() {
    const people = makePeople(10, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
    await world.put(...people)
    const far = heldAnswer()
    for (const { events } of people) world.channel.script(events[0]!.id, far.step)
    const engine = world.start({ concurrency: 2 })
    await world.clock.advanceTo(NINE + SECOND)
    expect(world.channel.sent).toHaveLength(2)
    return { people, far, engine }
  }

  it('gives back what was not sent, uncounted, for others to take at once', async () => {
    const { people, far, engine } = await startBusy()
    const state = stop(engine)
    far.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    expect(state.done).toBe(true)
    expect(world.channel.sent).toHaveLength(2)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 2, PROCESSING: 8 })
    const again = await world.store.claimDue({
      now: world.clock.now(),
      limit: 50,
      leaseMs: 1,
      claimedBy: 'other',
      render: ({ id }) => `body of ${id}`,
    })
    expect(again).toHaveLength(8)
    expect(new Set(again.map(({ retryCount }) => retryCount))).toEqual(new Set([0]))
  })

  it('gives back what was not sent without waiting for the sends under way', async () => {
    const { far, engine } = await startBusy()
    stop(engine)
    await world.clock.advance(10)
    const again = await world.store.claimDue({
      now: world.clock.now(),
      limit: 50,
      leaseMs: HOUR,
      claimedBy: 'other',
      render: ({ id }) => `body of ${id}`,
    })
    expect(again).toHaveLength(8)
    far.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
  })

  it('keeps the leases of sends under way until they end', async () => {
    const { events } = await world.add()
    const far = heldAnswer()
    world.channel.script(events[0]!.id, far.step)
    const engine = world.start({ graceMs: HOUR })
    await world.clock.advanceTo(NINE + SECOND)
    stop(engine)
    await world.clock.advance(5 * SETTINGS.leaseMs)
    const taken = await world.store.claimDue({
      now: world.clock.now(),
      limit: 5,
      leaseMs: 1,
      claimedBy: 'other',
      render: ({ id }) => `body of ${id}`,
    })
    expect(taken).toEqual([])
    far.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    expect(await world.event(events[0]!.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('cuts sends short after the grace time and gives them back uncounted', async () => {
    const { events } = await world.add()
    const id = events[0]!.id
    world.channel.script(id, untilAborted)
    const engine = world.start()
    await world.clock.advanceTo(NINE + SECOND)
    const state = stop(engine)
    await world.clock.advance(SETTINGS.graceMs - 1)
    expect(state.done).toBe(false)
    await world.clock.advance(SECOND)
    expect(state.done).toBe(true)
    expect(await world.attempts(id)).toEqual([])
    const again = await world.store.claimDue({
      now: world.clock.now(),
      limit: 5,
      leaseMs: 1,
      claimedBy: 'other',
      render: ({ id }) => `body of ${id}`,
    })
    expect(again).toMatchObject([{ id, retryCount: 0, body: world.channel.sent[0]!.body }])
  })

  it('ends soon after the grace time even if the channel ignores that it was told to give up', async () => {
    const { events } = await world.add()
    world.channel.script(events[0]!.id, () => new Promise(() => {}))
    const engine = world.start()
    await world.clock.advanceTo(NINE + SECOND)
    const state = stop(engine)
    await world.clock.advance(2 * SETTINGS.graceMs)
    expect(state.done).toBe(true)
  })

  it('returns the same promise when called twice, and releases each event once', async () => {
    const { events } = await world.add()
    world.channel.script(events[0]!.id, untilAborted)
    const written: string[] = []
    const store = wrapStore(world.store, (name, call) => {
      if (name === 'settle') written.push(name)
      return call()
    })
    const engine = world.start({}, { store })
    await world.clock.advanceTo(NINE + SECOND)
    const first = engine.stop()
    expect(engine.stop()).toBe(first)
    await world.clock.advance(2 * SETTINGS.graceMs)
    await first
    expect(engine.stop()).toBe(first)
    expect(written).toEqual(['settle'])
    expect(world.notices.filter(({ kind }) => kind === 'settled')).toEqual([
      { kind: 'settled', delivered: 0, retried: 0, failed: 0, released: 1 },
    ])
  })

  it('ends while every call to the store fails', async () => {
    await world.add()
    const store = wrapStore(world.store, () => Promise.reject(new Error('no route to the database')))
    const engine = world.start({}, { store })
    await world.clock.advance(MINUTE)
    const state = stop(engine)
    await world.clock.advance(SECOND)
    expect(state.done).toBe(true)
  })
})
