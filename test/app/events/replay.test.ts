// Replays of failed events with a running worker: delivered at once, with the same key and bytes, and one successor.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { replayEvent, replayMatching } from '../../../src/app/events/replay.ts'
import { pauseOccasion } from '../../../src/app/occasions/occasions.ts'
import type { DeliveryResult } from '../../../src/ports/channel.ts'
import { createWorld, type World, wrapStore } from '../../engine/support/world.ts'
import { MINUTE, SECOND } from '../../support/fixtures.ts'

const REJECTED: DeliveryResult = { kind: 'permanent', error: 'HTTP 404', statusCode: 404 }
const NINE = Date.parse('2026-06-15T09:00:00Z')

let world: World
beforeEach(() => {
  world = createWorld('2026-06-15T08:00:00Z')
})
afterEach(() => world.close())

/** A person whose event failed because the receiver rejected it. */
async function withFailed() {
  const person = await world.add()
  const eventId = person.events[0]!.id
  world.channel.script(eventId, REJECTED)
  world.start()
  await world.clock.advanceTo(NINE + MINUTE)
  expect(await world.event(eventId)).toMatchObject({ status: 'FAILED' })
  return { userId: person.user.id, eventId }
}

describe('a replay', () => {
  it('is delivered at once, with the same key and bytes, and leaves one successor', async () => {
    const { userId, eventId } = await withFailed()
    const result = await replayEvent(world.app, eventId, { newKey: false })
    await world.clock.advance(SECOND)
    expect(result).toMatchObject({ kind: 'replayed', event: { replayOf: eventId } })
    const [first, second] = world.channel.sent
    expect(second).toMatchObject({ idempotencyKey: first!.idempotencyKey, body: first!.body })
    expect(second!.at - NINE).toBeLessThan(MINUTE + SECOND)
    const events = await world.events(userId)
    expect(events.map(({ status }) => status).sort()).toEqual(['COMPLETED', 'FAILED', 'PENDING'])
  })

  it('is delivered although its occasion was paused meanwhile', async () => {
    const { eventId } = await withFailed()
    await pauseOccasion(world.app, (await world.event(eventId))!.occasionId)
    await replayEvent(world.app, eventId, { newKey: false })
    await world.clock.advance(SECOND)
    expect(world.channel.sent).toHaveLength(2)
  })

  it('has another idempotency key if a new key is requested', async () => {
    const { eventId } = await withFailed()
    await replayEvent(world.app, eventId, { newKey: true })
    await world.clock.advance(SECOND)
    const [first, second] = world.channel.sent
    expect(second!.idempotencyKey).not.toBe(first!.idempotencyKey)
  })

  it('is delivered if the event was matched by a filter', async () => {
    const { eventId } = await withFailed()
    const how = { newKey: false, pastCutOff: 'send', dryRun: false, limit: 10, cursor: null } as const
    const filter = { reason: 'HTTP 404', settledBefore: world.clock.now() }
    expect(await replayMatching(world.app, filter, how)).toEqual({
      matched: 1,
      replayed: 1,
      skipped: 0,
      parts: null,
      nextCursor: null,
    })
    await world.clock.advance(SECOND)
    expect(world.channel.sent).toHaveLength(2)
    expect(await replayEvent(world.app, eventId, { newKey: false })).toMatchObject({ kind: 'delivered' })
  })

  it('is retried on a conflict with another replay, and throws if the conflicts do not end', async () => {
    const { eventId } = await withFailed()
    let conflicts = 1
    const store = wrapStore(world.store, (name, call) => {
      if (name !== 'replay' || conflicts === 0) return call()
      conflicts -= 1
      return Promise.resolve([])
    })
    const result = await replayEvent({ ...world.app, store }, eventId, { newKey: false })
    expect(result).toMatchObject({ kind: 'replayed' })
    await world.store.deleteUser((await world.event(eventId)).userId, world.clock.now())
    expect(await replayEvent(world.app, eventId, { newKey: false })).toEqual({ kind: 'missing' })
    const { eventId: another } = await withAnother()
    conflicts = Number.POSITIVE_INFINITY
    await expect(replayEvent({ ...world.app, store }, another, { newKey: false })).rejects.toThrow(another)
  })

  async function withAnother() {
    const person = await world.add({ dateOfBirth: '1990-06-16' })
    const eventId = person.events[0]!.id
    world.channel.script(eventId, REJECTED)
    await world.clock.advanceTo(NINE + 24 * 60 * MINUTE + MINUTE)
    return { eventId }
  }
})

it('the engine reports events whose lease expired as attempts with an unknown outcome', async () => {
  const person = await world.add()
  const eventId = person.events[0]!.id
  await world.clock.advanceTo(NINE)
  await world.store.claimDue({
    now: NINE,
    limit: 1,
    leaseMs: SECOND,
    claimedBy: 'dead',
    render: () => '{}',
  })
  world.start()
  await world.clock.advance(MINUTE)
  expect(world.notices.filter(({ kind }) => kind === 'unknown')).toEqual([
    { kind: 'unknown', eventIds: [eventId] },
  ])
})
