// The claims that a worker holds, and when the store must confirm them again.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLeaseKeeper } from '../../src/engine/leases.ts'
import { HOUR, MINUTE, makePeople, SECOND } from '../support/fixtures.ts'
import { createWorld, type World } from './support/world.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')

let world: World
beforeEach(() => {
  world = createWorld(NINE - HOUR)
})
afterEach(() => world.close())

it('a claim that was stale once stays stale when a clock that was set back reaches its time again', async () => {
  await world.put(...makePeople(1, () => ({ targetAt: NINE, dateOfBirth: '1990-06-15' })))
  const how = { limit: 1, leaseMs: MINUTE, claimedBy: 'engine-1', render: () => 'body' }
  const claims = await world.store.claimDue({ now: NINE, ...how })
  let now = NINE
  const clock = { ...world.clock, now: () => now }
  const settings = { leaseMs: () => MINUTE, heartbeatMs: null }
  const leases = createLeaseKeeper({ store: world.store, clock, telemetry: () => {} }, settings)
  leases.add(claims, NINE)
  const states = [0, -5 * SECOND, 0].map((offset) => {
    now = NINE + offset
    return leases.stateOf(claims[0]!)
  })
  expect(states).toEqual(['held', 'stale', 'stale'])
  expect(await leases.extend()).toBe(true)
  expect(leases.stateOf(claims[0]!)).toBe('held')
})
