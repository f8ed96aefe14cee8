// How parked events of a channel are woken before their time.
import { describe, expect } from 'vitest'
import { HOUR, MINUTE, makePerson, newId, T0 } from '../../support/fixtures.ts'
import type { Current, StoreIt } from '../store.contract.ts'
import {
  claimAt,
  create,
  createClaimed,
  delivered,
  eventOf,
  idsOf,
  parked,
  release,
  retry,
  sorted,
} from './steps.ts'

const CHANNEL = newId(T0)
const OTHER_CHANNEL = newId(T0)

export function describeWaking(it: StoreIt, current: Current): void {
  describe('waking parked events', () => {
    const wake = (limit: number, by: 'due' | 'wake' = 'wake') =>
      current().store.wakeParked({ channelId: CHANNEL, limit, now: T0 + MINUTE, by })

    it.transport('makes the earliest of them claimable, as many as asked for', async (store) => {
      const { claims } = await createClaimed(store, 3)
      const [first, second, third] = claims.map(({ id }) => id)
      await store.settle(
        claims.map((claim, index) => ({
          ...parked(claim, T0 + HOUR + index, null),
          channelId: CHANNEL,
        })),
      )
      expect(await wake(2)).toBe(2)
      expect(await eventOf(store, first!)).toMatchObject({ wakeAt: T0 + MINUTE - 1 })
      expect(await eventOf(store, third!)).toMatchObject({ wakeAt: T0 + HOUR + 2 })
      expect(sorted(idsOf(await claimAt(store, T0 + MINUTE)))).toEqual(sorted([first!, second!]))
      expect(await wake(2)).toBe(1)
      expect(await wake(2)).toBe(0)
    })

    it('wakes the first due ones, and lets them be claimed in that order', async (store) => {
      const { claims } = await createClaimed(store, 4, (index) => ({ targetAt: T0 - index * MINUTE }))
      const ids = claims.map(({ id }) => id)
      await store.settle(
        claims.map((claim, index) => ({ ...parked(claim, T0 + HOUR + index, null), channelId: CHANNEL })),
      )
      expect(await wake(3, 'due')).toBe(3)
      expect(idsOf(await claimAt(store, T0 + MINUTE))).toEqual([ids[3], ids[2], ids[1]])
    })

    it('leaves events of other channels, retries, released events and events with a fixed wait as they are', async (store) => {
      const { claims } = await createClaimed(store, 4)
      const [other, retried, released, fixed] = claims
      const settled = await store.settle([
        { ...parked(other!, T0 + HOUR, null), channelId: OTHER_CHANNEL },
        { ...retry(retried!, T0 + HOUR), channelId: CHANNEL },
        { ...release(released!, T0 + HOUR), channelId: CHANNEL },
        { ...parked(fixed!, T0 + HOUR), kind: 'parked', isFixed: true, channelId: CHANNEL } as never,
      ])
      expect(settled.settled).toHaveLength(4)
      expect(await wake(10)).toBe(0)
      expect(await claimAt(store, T0 + MINUTE)).toEqual([])
    })

    it('leaves a parked event that is claimed to its holder', async (store) => {
      const { claims } = await createClaimed(store, 1)
      await store.settle([{ ...parked(claims[0]!, T0 + MINUTE, null), channelId: CHANNEL }])
      const [held] = await claimAt(store, T0 + MINUTE)
      expect(await wake(10)).toBe(0)
      const again = { ...parked(held!, T0 + HOUR, null), channelId: CHANNEL }
      expect((await store.settle([again])).settled).toEqual([held!.id])
      expect(await wake(10)).toBe(1)
    })
  })

  describe('deferring due events', () => {
    const deferral = { now: T0, limit: 10, claimedBy: 'worker-1', channelId: CHANNEL, perSecond: 2 }
    const later = { ...deferral, firstAt: T0 + HOUR }

    /** Adds a user with an event that is due, for a channel that the occasion names. */
    async function addDue(targetAt: number, channelId: string | null): Promise<string> {
      const person = makePerson({ targetAt })
      person.occasions[0]!.channelId = channelId
      await create(current().store, person)
      return person.events[0]!.id
    }

    it.transport(
      'spreads them, the oldest first, and leaves those of other channels to the claims',
      async (store) => {
        const ids = [await addDue(T0 - 1, CHANNEL), await addDue(T0 - 3, null), await addDue(T0 - 2, CHANNEL)]
        const other = await addDue(T0, OTHER_CHANNEL)
        const names = [CHANNEL, null]
        expect(idsOf(await claimAt(store, T0, { limit: 1, except: names }))).toEqual([other])
        expect(await store.deferDue({ ...later, of: names, limit: 2 })).toBe(2)
        expect(await store.deferDue({ ...later, of: names, firstAt: T0 + MINUTE })).toBe(1)
        const events = await Promise.all(ids.map(async (id) => (await store.findEvent(id))!))
        expect(events.map(({ event, wait }) => [event.wakeAt, wait])).toEqual([
          [T0 + MINUTE, 'parked'],
          [T0 + HOUR, 'parked'],
          [T0 + HOUR, 'parked'],
        ])
        expect(events[0]!.event).toMatchObject({ status: 'PROCESSING', channelId: CHANNEL, version: 2 })
        expect(await store.countParked(CHANNEL)).toBe(3)
        expect(await store.wakeParked({ channelId: CHANNEL, limit: 1, by: 'wake', now: T0 + 1 })).toBe(1)
        const claims = await claimAt(store, T0 + HOUR, { limit: 10 })
        expect(sorted(idsOf(claims))).toEqual(sorted(ids.concat(other)))
        expect(claims.every(({ body }) => body !== null)).toBe(true)
      },
    )

    it('spreads them by the second', async (store) => {
      for (let i = 0; i < 5; i++) await addDue(T0 - i, CHANNEL)
      await store.deferDue({ ...later, of: [CHANNEL] })
      const due = async (at: number) => (await claimAt(store, T0 + HOUR + at, { limit: 10 })).length
      expect([await due(0), await due(999), await due(1000), await due(2000)]).toEqual([2, 0, 2, 1])
    })

    it('leaves events that are claimed, that are not due, or whose type was not asked for', async (store) => {
      const [claimed] = (await createClaimed(store, 1)).claims
      const birthday = await addDue(T0, null)
      await addDue(T0 + 1, null)
      expect(await store.deferDue({ ...later, of: [null], types: ['OTHER'] })).toBe(0)
      expect(await store.deferDue({ ...later, of: [null], types: ['BIRTHDAY'] })).toBe(1)
      expect((await store.findEvent(birthday))!.event.wakeAt).toBe(T0 + HOUR)
      expect((await store.settle([release(claimed!)])).settled).toEqual([claimed!.id])
    })
  })

  describe('the wait of an open event', () => {
    it.transport(
      'is null while it has a lease, and says whether it is parked or free for any worker',
      async (store) => {
        const { claims } = await createClaimed(store, 3)
        const waits = () => Promise.all(claims.map(async ({ id }) => (await store.findEvent(id))?.wait))
        expect(await waits()).toEqual([null, null, null])
        await store.settle([parked(claims[0]!, T0 + HOUR, null), retry(claims[1]!, T0 + HOUR)])
        await store.settle([release(claims[2]!)])
        expect(await waits()).toEqual(['parked', 'free', 'free'])
        await claimAt(store, T0 + HOUR)
        expect(await waits()).toEqual([null, null, null])
      },
    )
  })

  describe('counting the events that are parked for a channel', () => {
    it.transport(
      'counts neither events of other channels nor retries, nor an event that was delivered since',
      async (store) => {
        const { claims } = await createClaimed(store, 4)
        const [first, second, other, retried] = claims
        await store.settle([
          { ...parked(first!, T0 + HOUR, null), channelId: CHANNEL },
          { ...parked(second!, T0 + 2 * HOUR), channelId: CHANNEL },
          { ...parked(other!, T0 + 2 * HOUR, null), channelId: OTHER_CHANNEL },
          { ...retry(retried!, T0 + 2 * HOUR), channelId: CHANNEL },
        ])
        expect(await store.countParked(CHANNEL)).toBe(2)
        const [again] = await claimAt(store, T0 + HOUR)
        await store.settle([{ ...delivered(again!), channelId: CHANNEL }])
        expect(await store.countParked(CHANNEL)).toBe(1)
      },
    )
  })
}
