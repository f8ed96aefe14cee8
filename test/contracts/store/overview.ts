// The day as a dashboard shows it: what goes on, what was done, what is to come.
import { describe, expect } from 'vitest'
import type { Claim } from '../../../src/ports/claim.ts'
import { DAY, HOUR, makePerson, newId, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { claimAt, create, createClaimed, delivered, failed, retry } from './steps.ts'

export function describeOverview(it: StoreIt): void {
  describe('the overview', () => {
    it('counts the events in flight and the waiting ones, and lists the latest with names', async (store) => {
      const names = ['Ada', 'Grace', 'Eve', 'Ida']
      const people = names.map((firstName, i) => makePerson({ firstName, targetAt: T0 + i * HOUR }))
      await create(store, ...people)
      const claims = await claimAt(store, T0 + 2 * HOUR)
      const byName = new Map(claims.map((claim) => [claim.user.firstName, claim]))
      await store.settle([delivered(byName.get('Ada')!), retry(byName.get('Eve')!, T0 + 3 * HOUR)])
      const { recent, ...counts } = await store.pulse(T0 + 2 * HOUR)
      expect(counts).toEqual({ inFlight: 1 })
      // A retry that is due is waiting, not in flight.
      expect(await store.pulse(T0 + 4 * HOUR)).toMatchObject({ inFlight: 1 })
      expect((await store.overview(T0 + 2 * HOUR)).waiting).toBe(1)
      expect(recent.map(({ firstName, lastName, status }) => [firstName, lastName, status])).toEqual([
        ['Eve', people[2]!.user.lastName, 'PROCESSING'],
        ['Grace', people[1]!.user.lastName, 'PROCESSING'],
        ['Ada', people[0]!.user.lastName, 'COMPLETED'],
      ])
    })

    it('counts the events settled within a day, their delay, and the wave of the day', async (store) => {
      const { claims } = await createClaimed(store, 4)
      const [a, b, c] = claims as [Claim, Claim, Claim, Claim]
      await store.settle([
        delivered(a, { at: T0 + 100, successor: null }),
        delivered(b, { at: T0 + 300, successor: null }),
        failed(c, 'HTTP 410', { at: T0 + 200, successor: null }),
      ])
      await create(store, makePerson({ targetAt: T0 + HOUR }), makePerson({ targetAt: T0 + 10 * DAY }))
      const { latenessMs, wave, ...day } = await store.overview(T0 + HOUR / 2)
      expect(day).toEqual({ waiting: 0, sent: 2, failed: 1, ambiguous: 0 })
      expect(latenessMs.sort((x, y) => x - y)).toEqual([100, 300])
      const byStatus = wave.map(({ targetAt, status, count }) => [targetAt - T0, status, count])
      expect(byStatus.sort()).toEqual([
        [0, 'COMPLETED', 2],
        [0, 'FAILED', 1],
        [0, 'PROCESSING', 1],
        [HOUR, 'PENDING', 1],
      ])
      const later = await store.overview(T0 + 2 * DAY)
      expect([later.sent, later.failed, later.wave], 'two days on').toEqual([0, 0, []])
    })

    it('has an event that was moved from next year to today', async (store) => {
      const moved = makePerson({ firstName: 'Ada', targetAt: T0 + 365 * DAY })
      await create(store, moved, makePerson({ firstName: 'Grace', targetAt: T0 - HOUR }))
      const to = { ...moved.events[0]!, targetAt: T0 }
      const user = { ...moved.user, version: 2 }
      expect(await store.updateUser({ user, reschedules: [{ eventId: to.id, version: 1, to }] })).toBe(
        'updated',
      )
      const claims = await claimAt(store, T0)
      const names = async () => (await store.pulse(T0 + HOUR)).recent.map(({ firstName }) => firstName)
      expect([claims.length, await names()]).toEqual([2, ['Ada', 'Grace']])
      const points = async () =>
        (await store.overview(T0 + HOUR)).wave.map(({ targetAt, status }) => [targetAt - T0, status])
      expect(await points()).toEqual([
        [-HOUR, 'PROCESSING'],
        [0, 'PROCESSING'],
      ])
      const [claim] = claims.filter(({ id }) => id === to.id)
      const channelId = newId(T0)
      await store.settle([delivered(claim!, { at: T0 + 100, successor: null, channelId })])
      expect(await names()).toEqual(['Ada', 'Grace'])
      expect(await points()).toEqual([
        [-HOUR, 'PROCESSING'],
        [0, 'COMPLETED'],
      ])
      const { sent, latenessMs } = await store.overview(T0 + HOUR)
      expect([sent, latenessMs]).toEqual([1, [100]])
      expect(await store.countDeliveries(channelId, T0 + HOUR)).toEqual([
        { isDelivered: true, tookMs: 100, count: 1 },
      ])
    })

    it('counts the messages of one channel that were settled within a day, by outcome and duration', async (store) => {
      const { claims } = await createClaimed(store, 6)
      const [a, b, c, d, e] = claims as [Claim, Claim, Claim, Claim, Claim, Claim]
      const [channelId, other] = [newId(T0), newId(T0)]
      await store.settle([
        delivered(a, { at: T0 + 100, successor: null, channelId }),
        failed(b, 'HTTP 410', { at: T0 + 300, successor: null, channelId }),
        delivered(c, { at: T0 + 200, successor: null, channelId: other }),
        retry(d, T0 + HOUR),
        delivered(e, { at: T0 + 100, successor: null, channelId }),
      ])
      const counted = await store.countDeliveries(channelId, T0 + HOUR)
      expect(counted.sort((x, y) => x.tookMs - y.tookMs)).toEqual([
        { isDelivered: true, tookMs: 100, count: 2 },
        { isDelivered: false, tookMs: 300, count: 1 },
      ])
      expect(await store.countDeliveries(channelId, T0 + 2 * DAY)).toEqual([])
    })

    it('counts future events by instant and offset', async (store) => {
      await createClaimed(store, 1)
      const due = [T0 + DAY, T0 + DAY, T0 + 2 * DAY, T0 + 9 * DAY]
      await create(store, ...due.map((targetAt) => makePerson({ targetAt })))
      const points = await store.countUpcoming({ from: T0, before: T0 + 9 * DAY })
      expect(points.sort((x, y) => x.targetAt - y.targetAt)).toEqual([
        { targetAt: T0 + DAY, offsetSeconds: 0, count: 2 },
        { targetAt: T0 + 2 * DAY, offsetSeconds: 0, count: 1 },
      ])
    })
  })
}
