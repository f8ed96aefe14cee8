// An occasion may have an hour after which it is not tried any more on its day.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cutOffOf } from '../../src/domain/occasions/occasion.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import { HOUR, MINUTE, makePerson, newId, SECOND, UNAVAILABLE } from '../support/fixtures.ts'
import { createWorld, type World } from './support/world.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')

let world: World
beforeEach(() => {
  world = createWorld('2026-06-15T08:00:00Z')
})
afterEach(() => world.close())

function personUntil(notAfter: string | null) {
  const person = makePerson({ targetAt: NINE, dateOfBirth: '1990-06-15' })
  person.occasions[0]!.notAfter = notAfter
  return person
}

describe('the cut-off', () => {
  it('is that hour on the day of the event, by the law of the place', () => {
    const targetAt = Date.parse('2026-03-29T07:00:00Z')
    const event = { targetAt, offsetSeconds: 7200, timezone: 'Europe/Berlin' }
    expect(cutOffOf(event, '21:00', tzdb)).toBe(Date.parse('2026-03-29T19:00:00Z'))
    expect(cutOffOf(event, null, tzdb)).toBeNull()
    // Due after that hour: until the next evening.
    expect(cutOffOf(event, '08:00', tzdb)).toBe(Date.parse('2026-03-30T06:00:00Z'))
  })

  it('ends the retries: what would come after it is not tried, and next year is planned', async () => {
    const person = personUntil('10:00')
    await world.put(person)
    const id = person.events[0]!.id
    world.channel.script(id, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE)
    world.start({}, { retryPolicy: { delaysMs: [50 * MINUTE, 20 * MINUTE] } })
    await world.clock.advanceTo(NINE + 3 * HOUR)
    expect(world.channel.sent.map(({ at }) => at - NINE)).toEqual([0, 50 * MINUTE])
    expect(await world.event(id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'CUT_OFF',
      lastError: 'HTTP 503',
      retryCount: 1,
    })
    expect(await world.events(person.user.id)).toHaveLength(2)
  })

  it('ends what was found too late, with a body or without, but not a replay', async () => {
    const [late, early] = [personUntil('10:00'), personUntil(null)]
    await world.put(late, early)
    await world.clock.jumpTo(NINE + 2 * HOUR)
    world.start()
    await world.clock.advance(SECOND)
    const id = late.events[0]!.id
    expect(await world.event(id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'CUT_OFF',
      lastError: 'CUT_OFF: not after 10:00 there.',
    })
    expect(world.channel.sent.map(({ eventId }) => eventId)).toEqual([early.events[0]!.id])
    const at = world.clock.now()
    const replay = { of: id, id: newId(at), ownKey: false, at }
    await world.store.replay([replay])
    await world.clock.advance(2 * MINUTE)
    expect(await world.event(replay.id)).toMatchObject({ status: 'COMPLETED', replayOf: id })
  })
})
