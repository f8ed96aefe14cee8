// The plans of users: each occasion with its open event and its last settled one, read alone or page by page.

import { describe, expect } from 'vitest'
import type { Claim } from '../../../src/ports/claim.ts'
import type { NewPerson, Person } from '../../../src/ports/store.ts'
import {
  addOccasion,
  DAY,
  makePeople,
  makePerson,
  makePlanned,
  newId,
  T0,
  YEAR,
} from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { allPages, claimAt, create, createOneClaimed, delivered, failed } from './steps.ts'

const lastSettledOf = (person: Person | null) => person!.plans.map(({ lastSettled }) => lastSettled)

/** As `delivered` and `failed` settle it. */
function endOf({ id, occurrence, targetAt, claimedAt }: Claim, status: 'COMPLETED' | 'FAILED') {
  return { id, occurrence, targetAt, status, executedAt: claimedAt + 250 }
}

export function describePlans(it: StoreIt): void {
  describe('the last settled occurrence', () => {
    it('is the one due last, not the last by name', async (store) => {
      const { person, claim } = await createOneClaimed(store, { occurrence: '2020-06-01' })
      const [occasion] = person.occasions
      let held = claim
      for (const occurrence of ['9:2021-06-01', '10:2022-06-01', 'hebrew-5783', '2:once']) {
        const successor = { ...makePlanned(occasion!, person.user, held.targetAt + DAY), occurrence }
        await store.settle([delivered(held, { successor })])
        expect(lastSettledOf(await store.readPerson(person.user.id))).toEqual([endOf(held, 'COMPLETED')])
        ;[held] = (await claimAt(store, successor.targetAt)) as [typeof held]
      }
    })

    it('is not an older one that was sent again, but its own replay', async (store) => {
      const { person, claim } = await createOneClaimed(store, { targetAt: T0 - YEAR })
      await store.settle([failed(claim, 'HTTP 410')])
      const [next] = await claimAt(store, T0)
      await store.settle([failed(next!, 'HTTP 410')])
      const settled = async (of: string) => {
        await store.replay([{ of, id: newId(T0), ownKey: false, at: T0 + DAY }])
        const [replay] = await claimAt(store, T0 + DAY)
        await store.settle([delivered(replay!, { successor: null })])
        return { replay: replay!, lastSettled: lastSettledOf(await store.readPerson(person.user.id)) }
      }
      const older = await settled(claim.id)
      expect(older.lastSettled).toEqual([endOf(next!, 'FAILED')])
      const latest = await settled(next!.id)
      expect(latest.lastSettled).toEqual([endOf(latest.replay, 'COMPLETED')])
      expect(latest.replay).toMatchObject({ occurrence: '2020~1', targetAt: T0 })
    })
  })

  describe('listing people', () => {
    it('shows each once with the same plans as reading them alone, page by page', async (store) => {
      const one = { type: 'WORK_ANNIVERSARY', date: '2015-09-01' }
      const people = makePeople(7, (index) => ({ targetAt: T0 + (index % 3) * DAY })).map(
        (person, index): NewPerson => (index % 2 === 0 ? person : addOccasion(person, one, T0 + 90 * DAY)),
      )
      const alone = { ...makePerson(), occasions: [], events: [] }
      await create(store, ...people, alone)
      await store.settle((await claimAt(store, T0)).map((claim) => delivered(claim)))
      await claimAt(store, T0 + DAY)
      for (const limit of [1, 3, 8, 50]) {
        const read: Person[] = []
        let cursor: string | null = null
        do {
          const page = await store.listPeople({ limit, cursor })
          expect(page.items.length).toBeLessThanOrEqual(limit)
          read.push(...page.items)
          cursor = page.nextCursor
          if (cursor !== null) expect(cursor).toBe(read.at(-1)!.user.id)
        } while (cursor !== null)
        expect(read).toHaveLength(8)
        for (const person of read) expect(person).toEqual(await store.readPerson(person.user.id))
        expect(read.map(({ user }) => user.id)).toEqual(read.map(({ user }) => user.id).sort())
      }
    })

    it('keeps to the timezone and the name asked for', async (store) => {
      const people = makePeople(6, (index) => ({
        timezone: index % 2 === 0 ? 'Asia/Jakarta' : 'Europe/Rome',
        firstName: index < 3 ? 'Ada' : 'Grace',
      }))
      await create(store, ...people)
      const listed = async (query: { timezone?: string; search?: string }) => {
        const page = await store.listPeople({ limit: 10, cursor: null, ...query })
        return page.items.map(({ user, plans }) => `${user.firstName} ${user.timezone} ${plans.length}`)
      }
      expect(await listed({ timezone: 'Europe/Rome' })).toEqual([
        'Ada Europe/Rome 1',
        'Grace Europe/Rome 1',
        'Grace Europe/Rome 1',
      ])
      expect(await listed({ timezone: 'Europe/Rome', search: 'ada' })).toEqual(['Ada Europe/Rome 1'])
      expect(await listed({ timezone: 'Asia/Tokyo' })).toEqual([])
    })

    it('reads a page of a thousand in one go', async (store) => {
      await create(store, ...makePeople(1_001))
      const users = await allPages((cursor) => store.listUsers({ limit: 1_000, cursor }))
      const page = await store.listPeople({ limit: 1_000, cursor: null })
      expect(page.items.map(({ user }) => user.id)).toEqual(users.slice(0, 1_000).map(({ id }) => id))
      expect(page.items.every(({ plans }) => plans.length === 1 && plans[0]!.open !== null)).toBe(true)
      expect(page.nextCursor).toBe(users[999]!.id)
    })
  })

  describe('listing the open plans of a timezone', () => {
    it('shows each person there once, in order of id, with the open events that listPeople shows', async (store) => {
      const people = makePeople(7, (index) => ({
        timezone: index % 3 === 0 ? 'Europe/Rome' : 'Asia/Jakarta',
        targetAt: T0 + (index % 2) * DAY,
      })).map((person, index): NewPerson => {
        const one = { type: 'WORK_ANNIVERSARY', date: '2015-09-01' }
        return index % 2 === 0 ? person : addOccasion(person, one, T0 + 90 * DAY)
      })
      const alone = { ...makePerson({ timezone: 'Asia/Jakarta' }), occasions: [], events: [] }
      await create(store, ...people, alone)
      await store.settle((await claimAt(store, T0)).map((claim) => failed(claim, 'HTTP_422')))
      await claimAt(store, T0 + DAY)
      const zone = { timezone: 'Asia/Jakarta' }
      const { items } = await store.listPeople({ ...zone, limit: 50, cursor: null })
      const expected = items.map(({ user: { id, dateOfBirth, timezone }, plans }) => {
        const open = plans.filter((plan) => plan.open !== null)
        return {
          user: { id, dateOfBirth, timezone },
          plans: open.map((plan) => ({ ...plan, lastSettled: null })),
        }
      })
      expect(expected).toHaveLength(5)
      for (const limit of [1, 2, 5, 50])
        expect(await allPages((cursor) => store.listOpenPlans({ ...zone, limit, cursor }))).toEqual(expected)
      expect(await store.listOpenPlans({ timezone: 'Asia/Tokyo', limit: 2, cursor: null })).toEqual({
        items: [],
        nextCursor: null,
      })
    })

    it('has no replays', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([failed(claim, 'HTTP_422', { successor: null })])
      expect(await store.replay([{ of: claim.id, id: newId(T0), ownKey: false, at: T0 + DAY }])).toHaveLength(
        1,
      )
      const { id, dateOfBirth, timezone } = person.user
      const { items } = await store.listOpenPlans({ timezone, limit: 10, cursor: null })
      expect(items).toEqual([{ user: { id, dateOfBirth, timezone }, plans: [] }])
    })
  })

  describe('listing the outdated plans of timezones', () => {
    const [rome, jakarta, tokyo] = ['Europe/Rome', 'Asia/Jakarta', 'Asia/Tokyo']
    const outdated = { timezones: [rome, jakarta], release: '2026g', before: T0 + 10 * DAY }

    it('shows the pending events of earlier releases there, the soonest first, page by page', async (store) => {
      const people = makePeople(9, (index) => ({
        timezone: [rome, jakarta, tokyo][index % 3]!,
        targetAt: T0 + (8 - index) * DAY,
      }))
      people[1]!.events[0]!.tzVersion = '2026g'
      people[3]!.events[0]!.tzVersion = '2026h'
      const both = addOccasion(people[4]!, { type: 'WORK_ANNIVERSARY', date: '2015-09-01' }, T0 + 4 * DAY)
      await create(store, ...people.with(4, both))
      await claimAt(store, T0 + DAY)
      const expected = await Promise.all(
        [6, 4, 0].map(async (index) => {
          const { user, plans } = (await store.readPerson(people[index]!.user.id))!
          const { id, dateOfBirth, timezone } = user
          return { user: { id, dateOfBirth, timezone }, plans: plans.map((plan) => plan.open!.id).sort() }
        }),
      )
      expect(expected.map(({ plans }) => plans.length)).toEqual([1, 2, 1])
      for (const limit of [1, 2, 3, 50]) {
        const listed = await allPages((cursor) => store.listOutdatedPlans({ ...outdated, limit, cursor }))
        const events = listed.flatMap(({ user, plans }) => plans.map(({ open }) => ({ user, open })))
        expect(events.map(({ user }) => user)).toEqual(
          expected.flatMap(({ user, plans }) => plans.map(() => user)),
        )
        expect(events.map(({ open }) => open!.id)).toEqual(expected.flatMap(({ plans }) => plans))
      }
    })

    it('reads each as listOpenPlans does, and none from its instant on', async (store) => {
      const [person] = makePeople(1, () => ({ timezone: rome, targetAt: T0 }))
      await create(store, person!)
      const page = { limit: 5, cursor: null }
      const { items } = await store.listOpenPlans({ timezone: rome, ...page })
      expect((await store.listOutdatedPlans({ ...outdated, ...page, before: T0 + 1 })).items).toEqual(items)
      expect((await store.listOutdatedPlans({ ...outdated, ...page, before: T0 })).items).toEqual([])
      expect((await store.listOutdatedPlans({ ...outdated, ...page, timezones: [] })).items).toEqual([])
    })

    it('has no replays', async (store) => {
      const { claim } = await createOneClaimed(store, { timezone: rome })
      await store.settle([failed(claim, 'HTTP_422', { successor: null })])
      await store.replay([{ of: claim.id, id: newId(T0), ownKey: false, at: T0 + DAY }])
      const { items } = await store.listOutdatedPlans({ ...outdated, limit: 10, cursor: null })
      expect(items).toEqual([])
    })
  })
}
