// An engine that was stopped and runs again: it delivers, extends its leases, and knows which destination is down.
import { describe, expect, it } from 'vitest'
import { BREAKER } from '../../src/engine/deliver/circuit-breaker.ts'
import { heldAnswer, MINUTE, makePeople, makePerson, SECOND } from '../support/fixtures.ts'
import { NINE, useWorld, world } from './support/use-world.ts'
import { SETTINGS } from './support/world.ts'

useWorld()

async function stop(engine: { stop(): Promise<void> }): Promise<void> {
  const stopped = engine.stop()
  await world.clock.advance(SECOND)
  await stopped
}

describe('an engine that is resumed after a stop', () => {
  it('delivers what fell due meanwhile, and extends the lease of a slow send', async () => {
    const person = makePerson({ targetAt: NINE, dateOfBirth: '1990-06-15' })
    await world.put(person)
    const held = heldAnswer()
    world.channel.script(person.events[0]!.id, held.step)
    const engine = world.start()
    await stop(engine)
    await world.clock.advanceTo(NINE + MINUTE)
    expect(world.channel.sent).toEqual([])
    engine.resume()
    await world.clock.advance(3 * SETTINGS.leaseMs)
    expect(world.channel.sent).toHaveLength(1)
    held.answer({ kind: 'delivered', statusCode: 200 })
    await world.clock.advance(SECOND)
    expect(await world.statuses([person])).toEqual({ COMPLETED: 1 })
  })

  it('does not send to a destination whose circuit breaker was open at the stop', async () => {
    const down = { kind: 'transient', error: 'down', statusCode: null } as const
    const [before, after] = [NINE, NINE + 2 * SECOND].map((targetAt) =>
      makePeople(20, () => ({ targetAt, dateOfBirth: '1990-06-15' })),
    )
    for (const { events } of [...before!, ...after!])
      world.channel.script(events[0]!.id, ...Array(9).fill(down))
    await world.put(...before!, ...after!)
    const engine = world.start({ breaker: BREAKER })
    await world.clock.advanceTo(NINE + SECOND)
    await stop(engine)
    const sentBefore = world.channel.sent.length
    engine.resume()
    await world.clock.advance(100)
    expect(world.channel.sent.length - sentBefore).toBeLessThanOrEqual(1)
  })
})
