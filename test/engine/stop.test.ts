// Stopping an engine: sends in flight end or are aborted, unsent events are released, and stop() always resolves.
import { describe, expect, it } from 'vitest'
import {
  HOUR,
  heldAnswer,
  MINUTE,
  makePeople,
  makePerson,
  SECOND,
  untilAborted,
} from '../support/fixtures.ts'
import { NINE, useWorld, world } from './support/use-world.ts'
import { SETTINGS, wrapStore } from './support/world.ts'

useWorld()

/** Claims what a worker of another process would get now. */
function claimAsOther() {
  const how = {
    limit: 50,
    leaseMs: HOUR,
    claimedBy: 'other',
    render: ({ id }: { id: string }) => `body of ${id}`,
  }
  return world.store.claimDue({ now: world.clock.now(), ...how })
}

const RELEASED = { delivered: 0, retried: 0, failed: 0, released: 1 }

describe('stopping an engine', () => {
  const stop = (engine: { stop(): Promise<void> }) => {
    const state = { done: false }
    void engine.stop().then(() => {
      state.done = true
    })
    return state
  }

  it('ends at once if nothing is in flight', async () => {
    await world.add()
    const engine = world.start()
    await world.clock.advance(MINUTE)
    const state = stop(engine)
    await world.clock.advance(0)
    expect(state.done).toBe(true)
    await world.clock.advanceTo(NINE + MINUTE)
    expect(world.channel.sent).toEqual([])
  })

  it('waits for the sends in flight, settles them and claims no more', async () => {
    const people = makePeople(2, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
    const held = heldAnswer()
    for (const { events } of people) world.channel.script(events[0]!.id, held.step)
    const later = makePerson({ targetAt: NINE + 2 * SECOND })
    await world.put(...people, later)
    const engine = world.start()
    await world.clock.advanceTo(NINE + SECOND)
    const state = stop(engine)
    await world.clock.advance(3 * SECOND)
    expect(state.done).toBe(false)
    held.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    expect(state.done).toBe(true)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 2 })
    expect(await world.event(later.events[0]!.id)).toMatchObject({ status: 'PENDING' })
  })

  /** Two sends are in flight; the rest of the batch is claimed and waits. */
  async function startBusy() {
    const people = makePeople(10, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' }))
    // One quick delivery before: the engine claims ahead only when it knows the pace of its sends.
    await world.put(makePerson({ targetAt: NINE - SECOND }), ...people)
    const held = heldAnswer()
    for (const { events } of people) world.channel.script(events[0]!.id, held.step)
    const engine = world.start({ concurrency: 2 })
    await world.clock.advanceTo(NINE - 1)
    expect(world.channel.sent.splice(0)).toHaveLength(1)
    await world.clock.advanceTo(NINE + SECOND)
    expect(world.channel.sent).toHaveLength(2)
    return { people, held, engine }
  }

  it('releases claimed events that were not sent before the sends in flight end, without using a retry', async () => {
    const { people, held, engine } = await startBusy()
    const state = stop(engine)
    await world.clock.advance(10)
    const again = await claimAsOther()
    expect(again.map(({ retryCount }) => retryCount)).toEqual(Array(8).fill(0))
    expect(state.done).toBe(false)
    held.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    expect(state.done).toBe(true)
    expect(world.channel.sent).toHaveLength(2)
    expect(await world.statuses(people)).toEqual({ COMPLETED: 2, PROCESSING: 8 })
  })

  it('extends the leases of sends in flight until they end', async () => {
    const { events } = await world.add()
    const held = heldAnswer()
    world.channel.script(events[0]!.id, held.step)
    const engine = world.start({ graceMs: HOUR })
    await world.clock.advanceTo(NINE + SECOND)
    stop(engine)
    await world.clock.advance(5 * SETTINGS.leaseMs)
    const claims = await claimAsOther()
    expect(claims).toEqual([])
    held.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    expect(await world.event(events[0]!.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('aborts sends after the grace period and releases their events without using a retry', async () => {
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
    const again = await claimAsOther()
    expect(again).toMatchObject([{ id, retryCount: 0, body: world.channel.sent[0]!.body }])
  })

  it('ends soon after the grace period even if the channel ignores the abort', async () => {
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
      { kind: 'settled', ...RELEASED, byType: { BIRTHDAY: RELEASED } },
    ])
    expect(world.notices[0]).toEqual({ kind: 'run', of: 'worker', state: 'started', runId: 'engine-1' })
    const ended = { kind: 'run', of: 'worker', state: 'ended', runId: 'engine-1' }
    expect(world.notices.at(-1)).toEqual({ ...ended, durationMs: expect.any(Number) })
  })

  it('releases events whose claim returns after it was called', async () => {
    const person = await world.add()
    const claiming = Promise.withResolvers<void>()
    const store = wrapStore(world.store, async (name, call) => {
      const result = await call()
      if (name === 'claimDue' && (result as unknown[]).length > 0) await claiming.promise
      return result
    })
    const engine = world.start({}, { store })
    await world.clock.advanceTo(NINE + SECOND)
    const state = stop(engine)
    claiming.resolve()
    await world.clock.advance(SECOND)
    expect(state.done).toBe(true)
    expect(world.channel.sent).toEqual([])
    expect(world.notices).toContainEqual(expect.objectContaining({ kind: 'settled', ...RELEASED }))
    expect(await world.event(person.events[0]!.id)).toMatchObject({ retryCount: 0 })
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
