// The cut-off of an occasion: the local time after which its event of the day is not sent.
import { describe, expect, it } from 'vitest'
import { failIfObsolete, settlementOf } from '../../src/engine/settlement.ts'
import { HOUR, MINUTE, makePerson, newId, SECOND, SERVER_ERROR } from '../support/fixtures.ts'
import { makeClaim, makeDeps } from './support/claims.ts'
import { NINE, useWorld, world } from './support/use-world.ts'

useWorld()

function personUntil(notAfter: string | null) {
  const person = makePerson({ targetAt: NINE, dateOfBirth: '1990-06-15' })
  person.occasions[0]!.notAfter = notAfter
  return person
}

describe('the cut-off of an occasion', () => {
  it('is the last instant at which an event is tried', () => {
    const { deps } = makeDeps()
    const claim = makeClaim()
    claim.occasion = { ...claim.occasion, notAfter: '10:00' }
    const cutOff = NINE + HOUR
    expect(failIfObsolete(deps, claim, cutOff)).toBeNull()
    expect(failIfObsolete(deps, claim, cutOff + 1)).toMatchObject({ failure: { code: 'CUT_OFF' } })
    const retriedAt = (waitMs: number) =>
      settlementOf({ ...deps, retryPolicy: { delaysMs: [waitMs] } }, claim, SERVER_ERROR, cutOff - MINUTE)
    expect(retriedAt(MINUTE)).toMatchObject({ kind: 'retry', wakeAt: cutOff })
    expect(retriedAt(MINUTE + 1)).toMatchObject({ status: 'FAILED', failure: { code: 'CUT_OFF' } })
  })

  it('fails an event whose next retry would be later, and plans its successor', async () => {
    const person = personUntil('10:00')
    await world.put(person)
    const id = person.events[0]!.id
    world.channel.script(id, SERVER_ERROR, SERVER_ERROR, SERVER_ERROR)
    world.start({}, { retryPolicy: { delaysMs: [50 * MINUTE, 20 * MINUTE] } })
    await world.clock.advanceTo(NINE + 3 * HOUR)
    expect(world.channel.sent.map(({ at }) => at - NINE)).toEqual([0, 50 * MINUTE])
    expect(await world.event(id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'CUT_OFF',
      lastError: 'HTTP 500',
      retryCount: 1,
    })
    expect(await world.events(person.user.id)).toHaveLength(2)
  })

  it('fails an event that is claimed later, but does not apply to a replay', async () => {
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
