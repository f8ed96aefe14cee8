// Who may take an event, and when: from its instant on, the oldest first, one taker each.
import { describe, expect, it } from 'vitest'
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
import type { Current } from '../store.contract.ts'
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

export function describeClaiming(current: Current): void {
  describe('claiming', () => {
    it('takes nothing a millisecond early, and everything at its instant', async () => {
      const { store } = current()
      const person = makePerson({ targetAt: T0 })
      await create(store, person)
      expect(await claimAt(store, T0 - 1)).toEqual([])
      expect(await eventOf(store, person.events[0]!.id)).toMatchObject({ status: 'PENDING', version: 1 })
      expect(idsOf(await claimAt(store, T0))).toEqual([person.events[0]!.id])
    })

    it('takes the oldest first, in that order, and not more than the limit', async () => {
      const { store } = current()
      const people = makePeople(20, (index) => ({ targetAt: T0 + index * MINUTE }))
      await create(store, ...shuffled(people, seededDice(3)))
      const inOrder = people.map(({ events }) => events[0]!.id)
      expect(idsOf(await claimAt(store, T0 + DAY, { limit: 3 }))).toEqual(inOrder.slice(0, 3))
      expect(idsOf(await claimAt(store, T0 + DAY, { limit: 7 }))).toEqual(inOrder.slice(3, 10))
      expect(idsOf(await claimAt(store, T0 + DAY, { limit: 50 }))).toEqual(inOrder.slice(10))
      expect(await claimAt(store, T0 + DAY)).toEqual([])
    })

    it('orders by instant, not by id', async () => {
      const { store } = current()
      const people = makePeople(6, (index) => ({ targetAt: T0 + index * MINUTE }))
      const ids = people.map(({ events }) => events[0]!.id).reverse()
      for (const [index, person] of people.entries()) {
        person.events[0] = { ...person.events[0]!, id: ids[index]! }
      }
      await create(store, ...people)
      expect(idsOf(await claimAt(store, T0 + DAY, { limit: 2 }))).toEqual(ids.slice(0, 2))
      expect(idsOf(await claimAt(store, T0 + DAY))).toEqual(ids.slice(2))
    })

    it('carries what is needed to render, send and plan', async () => {
      const { store } = current()
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

    it('shows who took it, when, and until when', async () => {
      const { store } = current()
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

    it('takes two occasions of one person apart', async () => {
      const { store } = current()
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

    it('lets one of fifty claimers have an event', async () => {
      const { store, another } = current()
      const other = await another()
      await create(store, makePerson())
      const taken = await Promise.all(
        Array.from({ length: 50 }, (_, i) => claimAt(i % 2 === 0 ? store : other, T0, { by: `worker-${i}` })),
      )
      expect(taken.flat()).toHaveLength(1)
    })

    it('gives two thousand events to forty claimers on two connections, each event once', async () => {
      const { store, another } = current()
      const other = await another()
      const people = makePeople(2_000, (index) => ({ targetAt: T0 + (index % 100) }))
      await create(store, ...people)
      const taken: string[] = []
      const claimer = async (index: number) => {
        for (;;) {
          const limit = 10 + index
          const from = index % 2 === 0 ? store : other
          const claims = await claimAt(from, T0 + MINUTE, { limit, by: `worker-${index}` })
          expect(claims.length).toBeLessThanOrEqual(limit)
          if (claims.length === 0) return
          taken.push(...idsOf(claims))
        }
      }
      await Promise.all(Array.from({ length: 40 }, (_, index) => claimer(index)))
      expect(taken).toHaveLength(2_000)
      expect(sorted(taken)).toEqual(sorted(people.map(({ events }) => events[0]!.id)))
    })

    it('takes an event that was released behind a run of many claims before it finds nothing', async () => {
      const { store } = current()
      const people = makePeople(12)
      await create(store, ...people)
      const claims: Claim[] = []
      for (let i = 0; i < 9; i++) claims.push(...(await claimAt(store, T0 + 1, { limit: 1 })))
      await store.settle([release(claims[0]!, T0)])
      const taken = idsOf(claims.slice(1))
      for (let i = 0; i < 4; i++) taken.push(...idsOf(await claimAt(store, T0 + 1, { limit: 1 })))
      expect(await claimAt(store, T0 + 1, { limit: 1 })).toEqual([])
      expect(sorted(taken)).toEqual(sorted(people.map(({ events }) => events[0]!.id)))
    })

    it('takes an event whose lease expired behind a run of many claims within half a minute', async () => {
      const { store } = current()
      const { claims } = await createClaimed(store, 1)
      await create(store, ...makePeople(40))
      const taken: string[] = []
      const now = T0 + LEASE - 1
      for (let i = 0; i < 18; i++) taken.push(...idsOf(await claimAt(store, now, { limit: 1, by: 'run' })))
      expect(taken).not.toContain(claims[0]!.id)
      taken.push(...idsOf(await claimAt(store, now + 30_000, { limit: 1, by: 'run' })))
      expect(taken).toHaveLength(19)
      expect(taken).toContain(claims[0]!.id)
    })

    it('keeps the limit when leases that ran out and pending events meet', async () => {
      const { store } = current()
      const { claims } = await createClaimed(store, 6)
      const pending = makePeople(6, () => ({ targetAt: T0 + MINUTE }))
      await create(store, ...pending)
      const taken: string[] = []
      for (const expected of [4, 4, 4, 0]) {
        const batch = await claimAt(store, T0 + LEASE, { limit: 4 })
        expect(batch).toHaveLength(expected)
        taken.push(...idsOf(batch))
      }
      expect(sorted(taken)).toEqual(sorted([...idsOf(claims), ...pending.map(({ events }) => events[0]!.id)]))
    })
  })
}
