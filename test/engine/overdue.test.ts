// The report of overdue events at start-up. It claims nothing.
import { afterEach, describe, expect, it } from 'vitest'
import { reportOverdue } from '../../src/engine/engine.ts'
import { DAY, HOUR, makePeople } from '../support/fixtures.ts'
import { createWorld, type World } from './support/world.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')

let world: World
afterEach(() => world.close())

const report = () => {
  const { store, clock, app } = world
  return reportOverdue({ store, clock, telemetry: app.telemetry })
}

describe('the report of overdue events', () => {
  it('is zero if no event is overdue', async () => {
    world = createWorld(NINE - HOUR)
    await world.add()
    expect(await report()).toEqual({ count: 0, oldestAt: null, newestAt: null })
    expect(world.notices).toEqual([
      { kind: 'recovery-started' },
      { kind: 'recovery', missed: 0, oldestAt: null, newestAt: null },
    ])
  })

  it('counts overdue events, names the oldest and the newest instant, and claims none', async () => {
    world = createWorld(NINE + 3 * DAY + HOUR)
    const people = makePeople(10, (index) => ({ targetAt: NINE + index * DAY, dateOfBirth: '1990-06-15' }))
    await world.put(...people)
    expect(await report()).toEqual({ count: 4, oldestAt: NINE, newestAt: NINE + 3 * DAY })
    expect(world.notices).toEqual([
      { kind: 'recovery-started' },
      { kind: 'recovery', missed: 4, oldestAt: NINE, newestAt: NINE + 3 * DAY },
    ])
    for (const { events } of people) expect((await world.event(events[0]!.id)).status).toBe('PENDING')
  })
})
