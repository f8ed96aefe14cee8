// Lists of users under each filter and in each order: every match once, with pages of any size.

import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { UserFilter, UserQuery } from '../../../src/ports/query.ts'
import type { NewPerson, Store } from '../../../src/ports/store.ts'
import {
  addOccasion,
  DAY,
  HOUR,
  makePeople,
  makePerson,
  newId,
  seededDice,
  shuffled,
  T0,
} from '../../support/fixtures.ts'
import type { Current, StoreIt } from '../store.contract.ts'
import { allPages, claimAt, create, delivered, failed, idsOf, retry, sorted } from './steps.ts'

export function describePeopleLists(it: StoreIt, current: Current): void {
  const listed = async (query: Partial<UserQuery>) => {
    const { store } = current()
    return idsOf(await allPages((cursor) => store.listUsers({ limit: 2, cursor, ...query })))
  }

  const matching = async (filter: UserFilter) => sorted(await listed(filter))
  const userIds = (people: readonly NewPerson[]) => sorted(people.map(({ user }) => user.id))

  describe('listing users by filter', () => {
    it('finds users by the type of their occasions, each once', async () => {
      const jubilee = { type: 'JUBILEE', date: '2015-06-11' }
      const twice = addOccasion(addOccasion(makePerson(), jubilee, T0), jubilee, T0 + DAY)
      const once = addOccasion(makePerson(), jubilee, T0)
      const other = addOccasion(makePerson(), { type: 'JUBILEE_2', date: '2015-06-11' }, T0)
      await create(current().store, twice, once, other)
      expect(await matching({ type: 'JUBILEE' })).toEqual(userIds([twice, once]))
      expect(await matching({ type: 'BIRTHDAY' })).toEqual(userIds([twice, once, other]))
      expect(await matching({ type: 'NAME_DAY' })).toEqual([])
    })

    it('finds users with a paused occasion, and users without one', async () => {
      const [active, ...paused] = makePeople(3)
      const halfPaused = addOccasion(makePerson(), { type: 'JUBILEE', date: '2015-06-11', pausedAt: T0 }, T0)
      for (const { occasions } of paused) occasions[0]!.pausedAt = T0
      await create(current().store, active!, ...paused, halfPaused)
      expect(await matching({ paused: true })).toEqual(userIds([...paused, halfPaused]))
      expect(await matching({ paused: false })).toEqual(userIds([active!]))
    })

    it('finds users with a failed event until a replay of it was delivered', async (store) => {
      const [fails, works, waits] = makePeople(3)
      await create(store, fails!, works!, waits!)
      const claims = new Map((await claimAt(store, T0)).map((claim) => [claim.user.id, claim]))
      await store.settle([
        failed(claims.get(fails!.user.id)!, 'HTTP 410'),
        delivered(claims.get(works!.user.id)!),
        retry(claims.get(waits!.user.id)!, T0 + HOUR),
      ])
      expect(await matching({ failed: true })).toEqual([fails!.user.id])
      const of = claims.get(fails!.user.id)!.id
      await store.replay([{ of, id: newId(T0 + HOUR), ownKey: false, at: T0 + 2 * HOUR }])
      expect(await matching({ failed: true }), 'while it is replayed').toEqual([fails!.user.id])
      const replays = (await claimAt(store, T0 + 2 * HOUR)).filter(({ replayOf }) => replayOf === of)
      await store.settle([failed(replays[0]!, 'HTTP 410', { successor: null })])
      expect(await matching({ failed: true }), 'after it failed again').toEqual([fails!.user.id])
      await store.replay([{ of, id: newId(T0 + DAY), ownKey: false, at: T0 + DAY }])
      const again = (await claimAt(store, T0 + DAY)).filter(({ replayOf }) => replayOf !== null)
      await store.settle([delivered(again[0]!, { successor: null })])
      expect(await matching({ failed: true }), 'after it was delivered').toEqual([])
    })

    it('finds users with an event that may be sent before an instant, overdue ones included', async (store) => {
      const people = [-DAY, 0, DAY, 2 * DAY].map((after) => makePerson({ targetAt: T0 + after }))
      const none = { ...makePerson(), events: [] }
      await create(store, ...people, none)
      expect(await matching({ dueBefore: T0 })).toEqual(userIds(people.slice(0, 1)))
      expect(await matching({ dueBefore: T0 + DAY })).toEqual(userIds(people.slice(0, 2)))
      expect(await matching({ dueBefore: T0 + 9 * DAY })).toEqual(userIds(people))
      const [claim] = await claimAt(store, T0 - DAY)
      await store.settle([retry(claim!, T0 + 5 * DAY)])
      expect(await matching({ dueBefore: T0 }), 'after it was put off').toEqual([])
    })

    it('finds users by id, alone and with another filter', async () => {
      const people = makePeople(4, (i) => ({ timezone: i % 2 === 0 ? 'Asia/Tokyo' : 'Europe/Rome' }))
      await create(current().store, ...people)
      const ids = [...idsOf(people.slice(0, 3).map(({ user }) => user)), newId(T0)]
      expect(await matching({ ids })).toEqual(userIds(people.slice(0, 3)))
      expect(await matching({ ids, timezone: 'Europe/Rome' })).toEqual(userIds([people[1]!]))
      expect(await matching({ ids: [] })).toEqual([])
    })

    it('lists the events of the users who match, and no others', async (store) => {
      const people = makePeople(4, (i) => ({ timezone: i % 2 === 0 ? 'Asia/Tokyo' : 'Europe/Rome' }))
      await create(store, ...people)
      await store.settle((await claimAt(store, T0)).map((claim) => failed(claim, 'HTTP 410')))
      const failures = await allPages((cursor) =>
        store.listEvents({ limit: 1, cursor, status: 'FAILED', people: { timezone: 'Asia/Tokyo' } }),
      )
      expect(sorted(failures.map(({ userId }) => userId))).toEqual(userIds([people[0]!, people[2]!]))
    })
  })

  describe('paging through users', () => {
    it('lists users in order of id, in both directions', async () => {
      const people = makePeople(5)
      await create(current().store, ...shuffled(people, seededDice(3)))
      expect(await listed({})).toEqual(userIds(people))
      expect(await listed({ order: 'newest' })).toEqual(userIds(people).toReversed())
    })

    it('continues after a user who was deleted since', async (store) => {
      const people = ['A', 'B', 'C', 'D'].map((firstName) => makePerson({ firstName }))
      await create(store, ...people)
      const first = await store.listUsers({ limit: 1, cursor: null })
      await store.deleteUser(first.items[0]!.id, T0)
      const rest = await store.listUsers({ limit: 10, cursor: first.nextCursor })
      expect(rest.items).toHaveLength(3)
    })

    it('gives the whole list, page after page, in both orders and under every filter', async (store) => {
      await createMixture(store)
      const filter: fc.Arbitrary<UserFilter> = fc.record(
        {
          search: fc.constantFrom('a', 'ada', 'z'),
          timezone: fc.constantFrom('Asia/Tokyo', 'Europe/Rome'),
          type: fc.constantFrom('BIRTHDAY', 'JUBILEE'),
          paused: fc.boolean(),
          failed: fc.constant(true as const),
          dueBefore: fc.constantFrom(T0, T0 + 2 * DAY, T0 + 400 * DAY),
        },
        { requiredKeys: [] },
      )
      const order = fc.constantFrom({}, { order: 'newest' as const })
      const query = fc.tuple(order, filter, fc.integer({ min: 1, max: 7 }))
      await fc.assert(
        fc.asyncProperty(query, async ([order, filter, limit]) => {
          const whole = (await store.listUsers({ limit: 200, cursor: null, ...order, ...filter })).items
          const pages = await allPages((cursor) => store.listUsers({ limit, cursor, ...order, ...filter }))
          expect(idsOf(pages)).toEqual(idsOf(whole))
          const inOrderOfId = await allPages((cursor) => store.listUsers({ limit: 200, cursor, ...filter }))
          expect(sorted(idsOf(whole))).toEqual(idsOf(inOrderOfId))
        }),
        { numRuns: 40, seed: 16 },
      )
    })
  })
}

/** Sixty users who share few names and due times; some paused, some failed, some without an event. */
async function createMixture(store: Store): Promise<void> {
  const people = makePeople(60, (i) => ({
    firstName: ['Ada', 'Zoe', 'ada', 'Bob'][i % 4]!,
    lastName: ['King', 'Abel'][i % 2]!,
    timezone: i % 3 === 0 ? 'Asia/Tokyo' : 'Europe/Rome',
    targetAt: T0 + (i % 5) * DAY,
  }))
  const mixture = people.map((person, i) => {
    if (i % 7 === 0) person.occasions[0]!.pausedAt = T0
    if (i % 8 === 0) return addOccasion(person, { type: 'JUBILEE' }, T0 + 3 * DAY)
    return i % 11 === 0 ? { ...person, events: [] } : person
  })
  await create(store, ...shuffled(mixture, seededDice(16)))
  const claims = await claimAt(store, T0)
  await store.settle(
    claims.map((claim, i) => {
      if (i % 3 === 0) return failed(claim, 'HTTP 410')
      return i % 3 === 1 ? delivered(claim) : retry(claim, T0 + DAY)
    }),
  )
}
