// Which events are claimed, and when: from their instant on, the oldest first, each by one caller.
import { describe, expect } from 'vitest'
import type { Claim } from '../../../src/ports/claim.ts'
import {
  addOccasion,
  DAY,
  MINUTE,
  makePeople,
  makePerson,
  seededDice,
  shuffled,
  T0,
} from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import {
  bodyOf,
  claimAt,
  create,
  createClaimed,
  delivered,
  eventOf,
  idsOf,
  LEASE,
  release,
  sorted,
} from './steps.ts'

export function describeClaiming(it: StoreIt): void {
  describe('claiming', () => {
    it('claims no event a millisecond early, and every event at its instant', async (store) => {
      const person = makePerson({ targetAt: T0 })
      await create(store, person)
      expect(await claimAt(store, T0 - 1)).toEqual([])
      expect(await eventOf(store, person.events[0]!.id)).toMatchObject({ status: 'PENDING', version: 1 })
      expect(idsOf(await claimAt(store, T0))).toEqual([person.events[0]!.id])
    })

    it('claims the oldest events first, in that order, and not more than the limit', async (store) => {
      const people = makePeople(20, (index) => ({ targetAt: T0 + index * MINUTE }))
      await create(store, ...shuffled(people, seededDice(3)))
      const inOrder = people.map(({ events }) => events[0]!.id)
      expect(idsOf(await claimAt(store, T0 + DAY, { limit: 3 }))).toEqual(inOrder.slice(0, 3))
      expect(idsOf(await claimAt(store, T0 + DAY, { limit: 7 }))).toEqual(inOrder.slice(3, 10))
      expect(idsOf(await claimAt(store, T0 + DAY, { limit: 50 }))).toEqual(inOrder.slice(10))
      expect(await claimAt(store, T0 + DAY)).toEqual([])
    })

    it('orders by instant, not by id', async (store) => {
      const people = makePeople(6, (index) => ({ targetAt: T0 + index * MINUTE }))
      const ids = people.map(({ events }) => events[0]!.id).reverse()
      for (const [index, person] of people.entries()) {
        person.events[0] = { ...person.events[0]!, id: ids[index]! }
      }
      await create(store, ...people)
      expect(idsOf(await claimAt(store, T0 + DAY, { limit: 2 }))).toEqual(ids.slice(0, 2))
      expect(idsOf(await claimAt(store, T0 + DAY))).toEqual(ids.slice(2))
    })

    it.transport('carries what is needed to render, send and plan', async (store) => {
      const template = 'Happy birthday, {{ firstName }}'
      const person = makePerson({ firstName: 'Zoë', timezone: 'Europe/Berlin', template, externalId: 'hr-1' })
      person.occasions[0] = { ...person.occasions[0]!, leapDay: 'FEBRUARY_28', localTime: '18:45:30' }
      await create(store, person)
      const [claim] = await claimAt(store, T0 + 1)
      const { id, firstName, lastName, dateOfBirth, timezone, externalId } = person.user
      expect(claim).toMatchObject({
        ...person.events[0]!,
        eventType: 'BIRTHDAY',
        version: 2,
        planRevision: expect.any(Number),
        retryCount: 0,
        claimedAt: T0 + 1,
        user: { id, firstName, lastName, dateOfBirth, timezone, externalId },
        occasion: person.occasions[0]!,
        body: bodyOf(claim!),
      })
    })

    it('shows which worker claimed the event, when, and until when', async (store) => {
      const person = makePerson()
      await create(store, person)
      await claimAt(store, T0 + 7, { by: 'worker-7' })
      expect(await eventOf(store, person.events[0]!.id)).toMatchObject({
        status: 'PROCESSING',
        version: 2,
        wakeAt: T0 + 7 + LEASE,
        claimedBy: 'worker-7',
        claimedAt: T0 + 7,
        retryCount: 0,
        executedAt: null,
      })
    })

    it('claims the events of two occasions of one person separately', async (store) => {
      const both = { type: 'WORK_ANNIVERSARY', date: '2015-06-01', template: 'Well done' }
      const person = addOccasion(makePerson({ targetAt: T0 }), both, T0 + DAY)
      await create(store, person)
      const [first] = await claimAt(store, T0)
      expect(first).toMatchObject({ id: person.events[0]!.id, eventType: 'BIRTHDAY' })
      await store.settle([delivered(first!)])
      expect(await eventOf(store, person.events[1]!.id)).toMatchObject({ status: 'PENDING', version: 1 })
      const [second] = await claimAt(store, T0 + DAY)
      expect(second).toMatchObject({
        id: person.events[1]!.id,
        eventType: 'WORK_ANNIVERSARY',
        occasion: person.occasions[1]!,
      })
    })

    it.transport('gives an event to one of fifty callers', async (store, { another }) => {
      const other = await another()
      await create(store, makePerson())
      const claimed = await Promise.all(
        Array.from({ length: 50 }, (_, i) => claimAt(i % 2 === 0 ? store : other, T0, { by: `worker-${i}` })),
      )
      expect(claimed.flat()).toHaveLength(1)
    })

    it('gives two thousand events to forty claimers on two connections, each event once', async (store, {
      another,
    }) => {
      const other = await another()
      const people = makePeople(2_000, (index) => ({ targetAt: T0 + (index % 100) }))
      await create(store, ...people)
      const claimed: string[] = []
      const claimer = async (index: number) => {
        for (;;) {
          const limit = 10 + index
          const from = index % 2 === 0 ? store : other
          const claims = await claimAt(from, T0 + MINUTE, { limit, by: `worker-${index}` })
          expect(claims.length).toBeLessThanOrEqual(limit)
          if (claims.length === 0) return
          claimed.push(...idsOf(claims))
        }
      }
      await Promise.all(Array.from({ length: 40 }, (_, index) => claimer(index)))
      expect(claimed).toHaveLength(2_000)
      expect(sorted(claimed)).toEqual(sorted(people.map(({ events }) => events[0]!.id)))
    })

    it('claims an event that was released behind a run of many claims before it finds no event', async (store) => {
      const people = makePeople(12)
      await create(store, ...people)
      const claims: Claim[] = []
      for (let i = 0; i < 9; i++) claims.push(...(await claimAt(store, T0 + 1, { limit: 1 })))
      await store.settle([release(claims[0]!, T0)])
      const claimed = idsOf(claims.slice(1))
      for (let i = 0; i < 4; i++) claimed.push(...idsOf(await claimAt(store, T0 + 1, { limit: 1 })))
      expect(await claimAt(store, T0 + 1, { limit: 1 })).toEqual([])
      expect(sorted(claimed)).toEqual(sorted(people.map(({ events }) => events[0]!.id)))
    })

    it('claims an event whose lease expired behind a run of many claims within half a minute', async (store) => {
      const { claims } = await createClaimed(store, 1)
      await create(store, ...makePeople(40))
      const claimed: string[] = []
      const now = T0 + LEASE - 1
      for (let i = 0; i < 18; i++) claimed.push(...idsOf(await claimAt(store, now, { limit: 1, by: 'run' })))
      expect(claimed).not.toContain(claims[0]!.id)
      claimed.push(...idsOf(await claimAt(store, now + 30_000, { limit: 1, by: 'run' })))
      expect(claimed).toHaveLength(19)
      expect(claimed).toContain(claims[0]!.id)
    })

    it('keeps the limit when expired leases and pending events are both due', async (store) => {
      const { claims } = await createClaimed(store, 6)
      const pending = makePeople(6, () => ({ targetAt: T0 + MINUTE }))
      await create(store, ...pending)
      const claimed: string[] = []
      for (const expected of [4, 4, 4, 0]) {
        const batch = await claimAt(store, T0 + LEASE, { limit: 4 })
        expect(batch).toHaveLength(expected)
        claimed.push(...idsOf(batch))
      }
      expect(sorted(claimed)).toEqual(
        sorted([...idsOf(claims), ...pending.map(({ events }) => events[0]!.id)]),
      )
    })
  })
}
