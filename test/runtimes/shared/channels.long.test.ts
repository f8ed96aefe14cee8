// The destination of a Node process without any channel.
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { openDestinations } from '../../../src/runtimes/shared/channels.ts'
import { createWorld, type World } from '../../engine/support/world.ts'
import { DAY, makePerson } from '../../support/fixtures.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')

let world: World
afterEach(() => world.close())

async function openWithoutChannels() {
  world = createWorld(NINE)
  const { store, clock, planner, app } = world
  const deps = { store, clock, telemetry: app.telemetry, ids: planner.ids }
  return openDestinations(readConfig({ DATABASE_URL: 'sqlite::memory:' }), deps)
}

describe('a worker without any channel', () => {
  it('leaves its events: none is attempted, and none fails', async () => {
    const destinations = await openWithoutChannels()
    const person = makePerson({ targetAt: NINE, dateOfBirth: '1990-06-15' })
    await world.put(person)
    const engine = world.start({}, { destinations })
    await world.clock.advance(DAY)
    await engine.stop()
    const { id } = person.events[0]!
    expect(await world.event(id)).toMatchObject({ status: 'PENDING', retryCount: 0 })
    expect(await world.attempts(id)).toEqual([])
    expect(world.notices.filter(({ kind }) => kind === 'attempt')).toEqual([])
    await destinations.close()
  })
})
