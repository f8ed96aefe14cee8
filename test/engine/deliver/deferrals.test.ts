// A destination that has no room and many events due: the events of others are sent at once, and its own are not lost.
import { describe, expect, it } from 'vitest'
import type { ChannelLimits } from '../../../src/domain/settings/channel.ts'
import { createDeferrals } from '../../../src/engine/deliver/deferrals.ts'
import { MINUTE, SECOND } from '../../support/fixtures.ts'
import { wrapStore } from '../support/world.ts'
import { destinationsOf, NINE, peopleOf, setUp, useWorld, world } from './support/outage-world.ts'

useWorld()

const MANY = 1_500

describe('a channel with many due and no room', () => {
  it.each([
    ['is limited to 20 a second', { perSecond: 20 }, 'ACTIVE', 20 * 30],
    ['sends one at a time', { concurrency: 1 }, 'ACTIVE', MANY],
    ['is held', {}, 'HELD', 0],
  ] satisfies [string, Partial<ChannelLimits>, 'ACTIVE' | 'HELD', number][])(
    'does not delay another channel if it %s',
    async (_, limits, status, sentIn30s) => {
      const crowded = await setUp('crowded', limits)
      const other = await setUp('other')
      if (status === 'HELD')
        await world.store.setChannelStatus({
          id: crowded.id,
          from: 'ACTIVE',
          to: status,
          reason: 'test',
          at: NINE,
        })
      const many = peopleOf(crowded, MANY)
      await world.put(...many, ...peopleOf(other, 100))
      let claimed = 0
      let claimedBefore: number | null = null
      const store = wrapStore(world.store, async (name, call) => {
        if (name === 'claimDue' && other.receiver.sent.length === 100) claimedBefore ??= claimed
        const result = await call()
        if (name === 'claimDue') claimed += (result as unknown[]).length
        return result
      })
      world.start({ concurrency: 32 }, { store, destinations: destinationsOf(store) })
      await world.clock.advanceTo(NINE + 30 * SECOND)
      expect(claimedBefore).toBeLessThan(MANY / 2)
      expect(crowded.receiver.sent.length).toBeGreaterThanOrEqual(0.9 * sentIn30s)
      expect(crowded.receiver.sent.length).toBeLessThanOrEqual(1.1 * sentIn30s)
      if (status === 'ACTIVE') return
      await world.store.setChannelStatus({
        id: crowded.id,
        from: status,
        to: 'ACTIVE',
        reason: null,
        at: NINE,
      })
      await world.clock.advance(MINUTE)
      expect(await world.statuses(many)).toEqual({ COMPLETED: MANY })
    },
  )
})

describe('the events of two backlogs, of a slice and a part of one each, wake by themselves', () => {
  /** The seconds until the first of each slice does. `setBackMs`: the clock is set back between the backlogs. */
  async function slices({ forLimit, setBackMs = 0 }: { forLimit: boolean; setBackMs?: number }) {
    const crowded = await setUp('crowded', { perSecond: 20 })
    const destinations = destinationsOf()
    await destinations.refresh()
    let now = NINE
    const clock = { ...world.clock, now: () => now }
    const wakes: number[] = []
    const store = {
      deferDue: async ({ firstAt, limit }: { firstAt: number; limit: number }) =>
        wakes.push((firstAt - now) / SECOND) % 2 === 1 ? limit : 0,
    }
    const deferrals = createDeferrals({ store, clock, destinations }, { workerId: 'one' })
    const destination = destinations.of(crowded.id)
    for (let backlog = 0; backlog < 2; backlog++) {
      deferrals.onBatch([{ kind: 'park', until: now + SECOND, forLimit, destination }], true)
      for (let i = 0; i < 3; i++) expect(await deferrals.next()).toBe(true)
      expect(await deferrals.next()).toBe(false)
      now -= setBackMs
    }
    return wakes
  }

  it('one slice after the other over ten minutes each, under a limit', async () => {
    expect(await slices({ forLimit: true })).toEqual([30, 630, 630, 1_230])
  })

  it('each backlog after half a minute, if the destination takes no events', async () => {
    expect(await slices({ forLimit: false })).toEqual([30, 60, 30, 60])
  })

  it('after half a minute also when the clock was set back', async () => {
    expect(await slices({ forLimit: true, setBackMs: 60 * MINUTE })).toEqual([30, 630, 30, 630])
  })
})
