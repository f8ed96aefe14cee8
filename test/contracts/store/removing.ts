// An occasion goes, and everything that tells of it.

import { describe, expect } from 'vitest'
import type { OpenChange } from '../../../src/ports/store.ts'
import { DAY, HOUR, makeOccasion, makePerson, makePlanned, newId, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { allOf, saveOf } from './occasion-fixtures.ts'
import { attemptsOf, claimAt, create, createOneClaimed, delivered, failed, retry } from './steps.ts'

export function describeRemoving(it: StoreIt): void {
  describe('removing an occasion', () => {
    it('leaves nothing of it, and all of the others', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([retry(claim, T0 + DAY)])
      const before = await allOf(store, person)
      const occasion = makeOccasion(person.user, { type: 'PAYDAY' })
      const event = makePlanned(occasion, person.user, T0)
      await store.saveOccasion(saveOf(occasion, { open: { kind: 'insert', event } }))

      const [first] = await claimAt(store, T0)
      await store.settle([retry(first!, T0 + HOUR)])
      const [second] = await claimAt(store, T0 + HOUR)
      const last = failed(second!, 'HTTP 410')
      await store.settle([last])
      const replay = { of: event.id, id: newId(T0), ownKey: false, at: T0 + 2 * HOUR }
      await store.replay([replay])

      expect(await store.removeOccasion(newId(T0), T0)).toBe(false)
      expect(await store.removeOccasion(occasion.id, T0)).toBe(true)
      expect(await store.removeOccasion(occasion.id, T0)).toBe(false)
      expect(await store.findOccasion(occasion.id)).toBeNull()
      for (const id of [event.id, last.successor!.id, replay.id]) {
        expect(await store.findEvent(id)).toBeNull()
        expect(await attemptsOf(store, id)).toEqual([])
      }
      const { items } = await store.listEvents({ limit: 10, cursor: null, occasionId: occasion.id })
      expect(items).toEqual([])
      expect(await allOf(store, person)).toEqual(before)

      // A body or an attempt left behind would come back with the id.
      await store.saveOccasion(saveOf(occasion, { open: { kind: 'insert', event } }))
      expect(await claimAt(store, T0, { says: () => 'new' })).toMatchObject([{ id: event.id, body: 'new' }])
      expect(await attemptsOf(store, event.id)).toEqual([])
    })

    it('while its event is in flight makes its settlement stale', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      expect(await store.removeOccasion(claim.occasionId, T0)).toBe(true)
      const settlement = delivered(claim)
      expect(await store.settle([settlement])).toEqual({ settled: [], stale: [claim.id], replan: [] })
      expect(await store.findEvent(settlement.successor!.id)).toBeNull()
      expect(await store.readPerson(person.user.id)).toEqual({ user: person.user, plans: [] })
    })

    it('while its event is being rendered leaves nothing behind either', async (store, { another }) => {
      const person = makePerson()
      await create(store, person)
      const [occasion] = person.occasions
      const other = await another()
      let removed: Promise<boolean> | null = null
      const claims = await claimAt(store, T0, {
        says: () => {
          removed = other.removeOccasion(occasion!.id, T0)
          return 'old'
        },
      })
      expect(await removed).toBe(true)
      expect((await store.settle(claims.map((claim) => delivered(claim)))).settled).toEqual([])
      const open: OpenChange = { kind: 'insert', event: person.events[0]! }
      expect(await store.saveOccasion(saveOf(occasion!, { open }))).toBe('saved')
      expect(await claimAt(store, T0, { says: () => 'new' })).toMatchObject([{ body: 'new' }])
    })

    it('lets the user change without it', async (store) => {
      const person = makePerson()
      await create(store, person)
      const user = { ...person.user, version: 2 }
      const reschedules = [{ eventId: person.events[0]!.id, version: 1, to: person.events[0]! }]
      await store.removeOccasion(person.occasions[0]!.id, T0)
      expect(await store.updateUser({ user, reschedules })).toBe('conflict')
      expect(await store.updateUser({ user, reschedules: [] })).toBe('updated')
    })
  })
}
