// A user goes, and everything that tells of them.
import { describe, expect } from 'vitest'
import { addOccasion, DAY, HOUR, makePerson, newId, T0, YEAR } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { attemptsOf, claimAt, create, createClaimed, delivered, eventsOf, retry } from './steps.ts'

export function describeDeleting(it: StoreIt): void {
  describe('deleting a user', () => {
    it('says whether there was one', async (store) => {
      const person = makePerson()
      await create(store, person)
      expect(await store.deleteUser(newId(T0), T0)).toBe(false)
      expect(await store.deleteUser(person.user.id, T0)).toBe(true)
      expect(await store.deleteUser(person.user.id, T0)).toBe(false)
    })

    it.transport('leaves nothing of them: not the past, not the future', async (store) => {
      const person = addOccasion(
        makePerson(),
        { type: 'WORK_ANNIVERSARY', date: '2015-09-01' },
        T0 + 90 * DAY,
      )
      await create(store, person)
      const [claim] = await claimAt(store, T0, { says: () => 'Ada Lovelace' })
      await store.settle([retry(claim!, T0 + HOUR)])
      const [again] = await claimAt(store, T0 + HOUR)
      const last = delivered(again!)
      await store.settle([last])

      expect(await store.deleteUser(person.user.id, T0)).toBe(true)

      expect(await store.findUser(person.user.id)).toBeNull()
      expect(await store.readPerson(person.user.id)).toBeNull()
      expect(await eventsOf(store, person.user.id)).toEqual([])
      for (const id of [...person.events.map((event) => event.id), last.successor!.id]) {
        expect(await store.findEvent(id)).toBeNull()
      }
      expect((await store.listUsers({ limit: 10, cursor: null })).items).toEqual([])
      expect((await store.listEvents({ limit: 10, cursor: null })).items).toEqual([])
      expect(await store.nextWakeAt()).toBeNull()
      expect(await claimAt(store, T0 + YEAR)).toEqual([])
    })

    it('while their event is in flight makes its settlement stale and leaves nothing behind', async (store) => {
      const { people, claims } = await createClaimed(store, 2)
      const [gone, other] = people as [(typeof people)[0], (typeof people)[0]]
      await store.deleteUser(gone.user.id, T0)
      const settlements = claims.map((claim) => delivered(claim))
      expect(await store.settle(settlements)).toEqual({
        settled: [claims[1]!.id],
        stale: [claims[0]!.id],
        replan: [],
      })
      expect(await store.findUser(gone.user.id)).toBeNull()
      expect(await eventsOf(store, gone.user.id)).toEqual([])
      expect(await store.findEvent(claims[0]!.id)).toBeNull()
      expect(await store.findEvent(settlements[0]!.successor!.id)).toBeNull()
      expect(await store.findUser(other.user.id)).toEqual(other.user)
      expect(await eventsOf(store, other.user.id)).toHaveLength(2)
      expect(await attemptsOf(store, claims[1]!.id)).toHaveLength(1)
    })

    it.transport(
      'while their event is being rendered leaves nothing behind either',
      async (store, { another }) => {
        const person = makePerson()
        await create(store, person)
        const other = await another()
        let deleted: Promise<boolean> | null = null
        const claims = await claimAt(store, T0, {
          says: () => {
            deleted = other.deleteUser(person.user.id, T0)
            return 'Ada'
          },
        })
        expect(await deleted).toBe(true)
        const settled = await store.settle(claims.map((claim) => delivered(claim)))
        expect(settled.settled).toEqual([])
        expect(await eventsOf(store, person.user.id)).toEqual([])
        await create(store, person)
        expect(await claimAt(store, T0, { says: () => 'new' })).toMatchObject([{ body: 'new' }])
      },
    )

    it('and creating the same one again starts from nothing', async (store) => {
      const { people, claims } = await createClaimed(store, 1)
      await store.settle([retry(claims[0]!, T0 + HOUR)])
      await store.deleteUser(people[0]!.user.id, T0)
      await create(store, people[0]!)
      expect(await attemptsOf(store, claims[0]!.id)).toEqual([])
      expect(await claimAt(store, T0, { says: () => 'new' })).toMatchObject([
        { id: claims[0]!.id, version: 2, body: 'new', retryCount: 0 },
      ])
      await store.settle([retry(claims[0]!, T0 + HOUR)])
      const [again] = await claimAt(store, T0 + HOUR)
      expect(again).toMatchObject({ body: 'new', retryCount: 1 })
      expect(await attemptsOf(store, claims[0]!.id)).toHaveLength(1)
    })
  })
}
