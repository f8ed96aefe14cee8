// The state of destinations that all workers share.
import { describe, expect } from 'vitest'
import { DAY, MINUTE, newId, SECOND, T0 } from '../../support/fixtures.ts'
import type { Current, StoreIt } from '../store.contract.ts'

const CHANNEL = newId(T0)
const NOT_HELD = { heldAt: null, heldUntil: null, heldBy: null }
const UP = {
  ...{ channelId: CHANNEL, downSince: null, lastError: null, nextProbeAt: null, recoveredAt: null },
  ...NOT_HELD,
}

export function describeDestinations(it: StoreIt, current: Current): void {
  describe('the state of a destination', () => {
    const stateNow = async () => (await current().store.listDestinations())[0] ?? UP
    const goDown = (at: number, error: string, since = at, seen: number | null = null) =>
      current().store.markDown({ channelId: CHANNEL, since, error, nextProbeAt: at + SECOND, seen })

    it.transport(
      'has the start of the outage, the last error and the next probe, until it is up',
      async (store) => {
        expect(await stateNow()).toEqual(UP)
        await goDown(T0, 'HTTP 503')
        await goDown(T0 + MINUTE, 'ECONNREFUSED', T0, T0 + SECOND)
        const nextProbeAt = T0 + MINUTE + SECOND
        expect(await stateNow()).toEqual({ ...UP, downSince: T0, lastError: 'ECONNREFUSED', nextProbeAt })
        await store.markUp(CHANNEL, T0 + 2 * MINUTE)
        expect(await stateNow()).toEqual({ ...UP, recoveredAt: T0 + 2 * MINUTE })
        await goDown(T0 + 3 * MINUTE, 'HTTP 502')
        expect(await stateNow()).toMatchObject({ downSince: T0 + 3 * MINUTE, recoveredAt: T0 + 2 * MINUTE })
      },
    )

    it('has the hold of an operator, which an outage does not end, until it is released', async (store) => {
      const hold = { heldAt: T0, heldUntil: T0 + MINUTE, heldBy: 'ops' }
      await store.holdDestination({ channelId: CHANNEL, ...hold })
      await goDown(T0, 'HTTP 503')
      await store.markUp(CHANNEL, T0 + SECOND)
      expect(await stateNow()).toEqual({ ...UP, ...hold, recoveredAt: T0 + SECOND })
      const replaced = { heldAt: T0 + 2, heldUntil: null, heldBy: null }
      await store.holdDestination({ channelId: CHANNEL, ...replaced })
      expect(await stateNow()).toMatchObject(replaced)
      await goDown(T0 + SECOND, 'HTTP 503')
      await store.releaseDestination(CHANNEL, T0 + MINUTE)
      expect(await stateNow()).toEqual({ ...UP, recoveredAt: T0 + MINUTE })
    })

    it('lets one of many callers probe at a time', async (store) => {
      const claim = (seen: number) => store.claimProbe({ channelId: CHANNEL, seen, until: T0 + MINUTE })
      expect(await claim(T0)).toBe(false)
      await goDown(T0, 'HTTP 503')
      const claimed = await Promise.all(Array.from({ length: 8 }, () => claim(T0 + SECOND)))
      expect(claimed.filter(Boolean)).toHaveLength(1)
      expect(await stateNow()).toMatchObject({ downSince: T0, nextProbeAt: T0 + MINUTE })
      // Another process that finds the outage late does not end the probe.
      await goDown(T0 + 2 * SECOND, 'ECONNREFUSED', T0 + SECOND)
      expect(await stateNow()).toMatchObject({ lastError: 'HTTP 503', nextProbeAt: T0 + MINUTE })
      await goDown(T0 + 2 * SECOND, 'HTTP 503', T0, T0 + MINUTE)
      expect(await claim(T0 + 3 * SECOND)).toBe(true)
      await store.markUp(CHANNEL, T0 + 4 * SECOND)
      expect(await claim(T0 + MINUTE)).toBe(false)
    })
  })

  describe('the leases of the limits of a destination', () => {
    it.transport('are replaced only as they were read', async (store) => {
      const { seen, leases, databaseMs } = await store.readLeases(CHANNEL)
      expect(leases).toEqual({ turnsUntil: 0, slots: {} })
      // Within a day of this process's clock, if the database has one of its own.
      expect(Math.abs((databaseMs ?? Date.now()) - Date.now())).toBeLessThan(DAY)
      const write = (turnsUntil: number, before = seen) =>
        store.writeLeases({ channelId: CHANNEL, seen: before, leases: { turnsUntil, slots: {} } })
      const written = await Promise.all([1, 2, 3, 4].map((turnsUntil) => write(turnsUntil)))
      expect(written.filter(Boolean)).toHaveLength(1)
      const after = await store.readLeases(CHANNEL)
      expect(after.leases.turnsUntil).toBe(written.indexOf(true) + 1)
      expect(await write(5)).toBe(false)
      expect(await write(5, after.seen)).toBe(true)
    })
  })
}
