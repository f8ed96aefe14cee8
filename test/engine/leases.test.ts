// The claims that a worker holds, and when the store must confirm them again.
import { beforeEach, describe, expect, it } from 'vitest'
import { createLeaseKeeper } from '../../src/engine/leases.ts'
import { momentOf } from '../../src/engine/timing.ts'
import type { Claim } from '../../src/ports/claim.ts'
import type { Store } from '../../src/ports/store.ts'
import { createElapsed } from '../../src/runtimes/shared/system-clock.ts'
import { HOUR, MINUTE, SECOND } from '../support/fixtures.ts'
import { dueAtNine, NINE, useWorld, world } from './support/use-world.ts'
import { wrapStore } from './support/world.ts'

let now = NINE
let elapsedMs = 0
let calls: string[] = []
useWorld()
beforeEach(() => {
  now = NINE
  elapsedMs = 0
  calls = []
})

async function keepOne() {
  await dueAtNine(1)
  const how = { limit: 1, leaseMs: MINUTE, claimedBy: 'engine-1', render: () => 'body' }
  const claims = await world.store.claimDue({ now: NINE, ...how })
  const clock = {
    ...world.clock,
    now: () => now,
    elapsedMs: createElapsed(
      () => now,
      () => elapsedMs,
    ),
  }
  const store: Store = wrapStore(world.store, async (name, call) => {
    calls.push(name)
    return call()
  })
  const settings = { leaseMs: () => MINUTE, heartbeatMs: null }
  const leases = createLeaseKeeper({ store, clock, telemetry: () => {} }, settings)
  leases.add(claims, momentOf(clock))
  /** The clock shows that instant: it moved there by itself, or was set, as `elapsedMs` tells. */
  const stateAt = (at: number) => {
    now = at
    return leases.stateOf(claims[0]!)
  }
  return { leases, claims, claim: claims[0]!, stateAt }
}

const leaseUntil = async ({ id }: Claim) => (await world.event(id)).wakeAt

describe('a claim', () => {
  it('ages while the process is suspended and the clock is set back meanwhile', async () => {
    const { leases, claims, stateAt } = await keepOne()
    elapsedMs = 2 * MINUTE
    expect(stateAt(NINE)).toBe('stale')
    await leases.confirm(claims)
    expect(calls).toEqual(['extendLeases', 'confirmClaims'])
    expect(stateAt(NINE)).toBe('held')
    elapsedMs += 750
    expect(stateAt(NINE + 750)).toBe('stale')
  })

  it('ages while the machine is suspended, which its monotonic time does not count', async () => {
    const { stateAt } = await keepOne()
    elapsedMs = 100
    expect(stateAt(NINE + 100)).toBe('held')
    expect(stateAt(NINE + HOUR)).toBe('stale')
  })

  it('ages while the machine is suspended, also after the clock was ahead once', async () => {
    const { leases, claims, stateAt } = await keepOne()
    expect(stateAt(NINE + HOUR)).toBe('stale')
    now = NINE
    await leases.confirm(claims)
    expect(stateAt(NINE)).toBe('held')
    expect(stateAt(NINE + 5 * MINUTE)).toBe('stale')
  })

  it('gets a new lease when a clock that was set back during the last extension is corrected', async () => {
    const { leases, claims, stateAt } = await keepOne()
    elapsedMs = 2 * MINUTE
    now = NINE - HOUR
    await leases.confirm(claims)
    expect(calls).toEqual(['extendLeases', 'confirmClaims'])
    elapsedMs += 100
    expect(stateAt(NINE + 2 * MINUTE)).toBe('stale')
    await leases.confirm(claims)
    expect(calls.slice(2)).toEqual(['extendLeases', 'confirmClaims'])
  })

  it('does not age when the clock is set back', async () => {
    const { stateAt } = await keepOne()
    expect([0, -HOUR].map((offset) => stateAt(NINE + offset))).toEqual(['held', 'held'])
  })

  it('is stale 750 ms after the call that confirmed it began, and aging for the last 250 ms', async () => {
    const { stateAt } = await keepOne()
    const states = [0, 499, 500, 749, 750].map((ms) => {
      elapsedMs = ms
      return stateAt(NINE + ms)
    })
    expect(states).toEqual(['held', 'held', 'aging', 'aging', 'stale'])
  })

  it('is confirmed without a write while its lease lasts', async () => {
    const { leases, claims, claim, stateAt } = await keepOne()
    const before = await leaseUntil(claim)
    expect(stateAt(NINE + 10 * SECOND)).toBe('stale')
    await leases.confirm(claims)
    expect(stateAt(NINE + 10 * SECOND)).toBe('held')
    expect(calls).toEqual(['confirmClaims'])
    expect(await leaseUntil(claim)).toBe(before)
  })

  it('that was confirmed just now is not confirmed again', async () => {
    const { leases, claims } = await keepOne()
    await leases.confirm(claims)
    expect(calls).toEqual([])
  })

  it.each([
    ['ends', MINUTE - 700],
    ['has ended', 2 * MINUTE],
  ])('whose lease %s gets a new lease before it is sent', async (_, offset) => {
    const { leases, claims, claim, stateAt } = await keepOne()
    expect(stateAt(NINE + offset)).toBe('stale')
    await leases.confirm(claims)
    expect(calls).toEqual(['extendLeases', 'confirmClaims'])
    expect(stateAt(NINE + offset)).toBe('held')
    expect(await leaseUntil(claim)).toBe(NINE + offset + MINUTE)
  })

  it('is lost when its event was claimed again under its version, as after a failover', async () => {
    const { leases, claim, stateAt } = await keepOne()
    leases.add([{ ...claim, claimedAt: NINE + SECOND }], { now, elapsedMs })
    expect(stateAt(NINE + SECOND)).toBe('lost')
  })

  it('of a person who was deleted meanwhile is lost', async () => {
    const { leases, claims, claim, stateAt } = await keepOne()
    await world.store.deleteUser(claim.user.id, world.clock.now())
    expect(stateAt(NINE + SECOND)).toBe('stale')
    await leases.confirm(claims)
    expect(stateAt(NINE + SECOND)).toBe('lost')
    expect(leases.size()).toBe(0)
  })
})
