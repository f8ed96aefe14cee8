// What people are called elsewhere: one person for each name, however often they are brought.
import { describe, expect } from 'vitest'
import type { NewPerson, Store } from '../../../src/ports/store.ts'
import { makePerson, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { allPages, create, eventsOf, idsOf, sorted } from './steps.ts'

const named = (externalId: string | null, firstName = 'Ada') => makePerson({ externalId, firstName })

async function everybody(store: Store) {
  const { items } = await store.listUsers({ limit: 1_000, cursor: null })
  return items
}

/** Nothing of somebody who was not let in. */
async function expectNothingOf(store: Store, { user, occasions, events }: NewPerson) {
  expect(await store.findUser(user.id)).toBeNull()
  for (const { id } of occasions) expect(await store.findOccasion(id)).toBeNull()
  for (const { id } of events) expect(await store.findEvent(id)).toBeNull()
}

export function describeExternalIds(it: StoreIt): void {
  describe('an external id', () => {
    it('finds its user, case-sensitively; users without one are never found', async (store) => {
      const names = ['hr-1', 'HR-1', ' hr', 'ü\u0301"\\{},', '雇員 7']
      const people = [...names.map((name) => named(name)), named(null), named(null)]
      await create(store, ...people)
      for (const { user } of people.slice(0, names.length)) {
        const externalId = user.externalId!
        expect(await store.findUsersByExternalId([externalId])).toEqual([user])
        expect((await store.listUsers({ limit: 2, cursor: null, externalId })).items).toEqual([user])
      }
      const found = await store.findUsersByExternalId([...names, 'nobody', 'hr-1'])
      expect(found).toEqual(people.slice(0, names.length).map(({ user }) => user))
      expect(await store.findUsersByExternalId([])).toEqual([])
      expect(await store.findUsersByExternalId(['null', ''])).toEqual([])
    })

    it('creates one person: a second one is skipped with their occasions and events', async (store) => {
      const [first, second, third] = [named('hr-1'), named('hr-1', 'Grace'), named('hr-2')]
      await create(store, first)
      expect(await store.createUsers([second, third])).toEqual({ kind: 'created', created: 1 })
      expect(await store.findUsersByExternalId(['hr-1', 'hr-2'])).toEqual([first.user, third.user])
      await expectNothingOf(store, second)
      expect(await eventsOf(store, first.user.id)).toHaveLength(1)
      expect(await eventsOf(store, third.user.id)).toHaveLength(1)
    })

    it('creates the first of two people in one batch', async (store) => {
      const [first, second] = [named('hr-1'), named('hr-1', 'Grace')]
      expect(await store.createUsers([first, second])).toEqual({ kind: 'created', created: 1 })
      expect(await everybody(store)).toEqual([first.user])
      await expectNothingOf(store, second)
    })

    it('creates each person once when many callers create the same people at the same time', async (store, {
      another,
    }) => {
      const other = await another()
      const names = Array.from({ length: 400 }, (_, index) => `hr-${index}`)
      const batches = Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? names : names.toReversed()).map((name) => named(name)),
      )
      const results = await Promise.all(
        batches.map((people, index) => (index % 3 === 0 ? other : store).createUsers(people)),
      )
      const created = results.map((result) => (result.kind === 'created' ? result.created : 0))
      expect(created.reduce((sum, count) => sum + count)).toBe(400)
      const users = await everybody(store)
      expect(users.map(({ externalId }) => externalId).sort()).toEqual([...names].sort())
      const events = await allPages((cursor) => store.listEvents({ limit: 1_000, cursor }))
      expect(sorted(events.map(({ userId }) => userId))).toEqual(sorted(idsOf(users)))
    })

    it('is on every event of its user, as it is now', async (store) => {
      const [first, second] = [named('hr-1'), named(null)]
      await create(store, first, second)
      const idsOn = async ({ user }: NewPerson) => {
        const { items } = await store.listEvents({ limit: 9, cursor: null, userId: user.id })
        return items.map(({ externalId }) => externalId)
      }
      expect(await idsOn(first)).toEqual(['hr-1'])
      expect(await idsOn(second)).toEqual([null])
      const user = { ...first.user, externalId: 'hr-2', version: 2 }
      await store.updateUser({ user, reschedules: null })
      expect(await idsOn(first)).toEqual(['hr-2'])
      expect((await store.findEvent(first.events[0]!.id))!.event.externalId).toBe('hr-2')
    })

    it('is free again when its user is gone', async (store) => {
      const [first, second] = [named('hr-1'), named('hr-1')]
      await create(store, first)
      await store.deleteUser(first.user.id, T0)
      await create(store, second)
      expect(await store.findUsersByExternalId(['hr-1'])).toEqual([second.user])
    })

    it('can be added, changed and removed', async (store) => {
      const { user, ...rest } = named(null)
      await create(store, { user, ...rest })
      for (const [version, externalId] of [
        [2, 'hr-1'],
        [3, 'hr-2'],
        [4, null],
      ] as const) {
        const changed = { ...user, externalId, version }
        expect(await store.updateUser({ user: changed, reschedules: null })).toBe('updated')
        expect(await store.findUser(user.id)).toEqual(changed)
      }
      expect(await store.findUsersByExternalId(['hr-1', 'hr-2'])).toEqual([])
    })

    it.transport('of another user is rejected: nothing of the change is written', async (store) => {
      const [one, two] = [named('hr-1'), named('hr-2')]
      await create(store, one, two)
      const before = await store.readPerson(two.user.id)
      const user = { ...two.user, firstName: 'Grace', externalId: 'hr-1', version: 2 }
      const [event] = two.events
      const reschedules = [{ eventId: event!.id, version: 1, to: { ...event!, targetAt: T0 + 5 } }]
      expect(await store.updateUser({ user, reschedules })).toBe('taken')
      expect(await store.updateUser({ user, reschedules: null })).toBe('taken')
      expect(await store.readPerson(two.user.id)).toEqual(before)
      const stale = { ...user, version: 9 }
      expect(await store.updateUser({ user: stale, reschedules: null })).toBe('conflict')
    })
  })
}
