// What people and operators look up: every item once, page by page, under the filters they asked for.

import { describe, expect } from 'vitest'
import type { Claim } from '../../../src/ports/claim.ts'
import type { EventQuery } from '../../../src/ports/query.ts'
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
import {
  allPages,
  claimAt,
  create,
  createClaimed,
  createOneClaimed,
  delivered,
  exhausted,
  failed,
  idsOf,
  LEASE,
  retry,
  sorted,
} from './steps.ts'

export function describeReading(it: StoreIt, current: Current): void {
  describe('looking up', () => {
    it.transport('finds nothing in an empty store', async (store) => {
      const id = newId(T0)
      expect(await store.findUser(id)).toBeNull()
      expect(await store.readPerson(id)).toBeNull()
      expect(await store.findEvent(id)).toBeNull()
      expect(await store.listUsers({ limit: 10, cursor: null })).toEqual({ items: [], nextCursor: null })
      expect(await store.listEvents({ limit: 10, cursor: null })).toEqual({ items: [], nextCursor: null })
    })
  })

  describe('listing users', () => {
    it.transport('shows each once, page by page in the order of ids, and ends', async (store) => {
      const people = shuffled(makePeople(23), seededDice(5))
      await create(store, ...people)
      for (const limit of [1, 5, 23, 100]) {
        const listed = await allPages(async (cursor) => {
          const page = await store.listUsers({ limit, cursor })
          expect(page.items.length).toBeLessThanOrEqual(limit)
          if (page.nextCursor !== null) expect(page.nextCursor).toBe(page.items.at(-1)!.id)
          return page
        })
        expect(idsOf(listed)).toEqual(sorted(people.map(({ user }) => user.id)))
      }
    })

    it('ends with the last full page, and not with an empty one', async (store) => {
      await create(store, ...makePeople(6))
      const first = await store.listUsers({ limit: 3, cursor: null })
      const second = await store.listUsers({ limit: 3, cursor: first.nextCursor })
      expect([first.items.length, second.items.length, second.nextCursor]).toEqual([3, 3, null])
    })

    it('shows each user once while other users are created and deleted between pages', async (store) => {
      const people = makePeople(20)
      await create(store, ...people.filter((_, index) => index % 2 === 0))
      const first = await store.listUsers({ limit: 4, cursor: null })
      await create(store, ...people.filter((_, index) => index % 2 === 1))
      await store.deleteUser(first.items[3]!.id, T0)
      const rest = await allPages((cursor) =>
        store.listUsers({ limit: 4, cursor: cursor ?? first.nextCursor }),
      )
      const listed = [...idsOf(first.items), ...idsOf(rest)]
      expect(new Set(listed).size).toBe(listed.length)
      for (const { user } of people.filter((_, index) => index % 2 === 0)) expect(listed).toContain(user.id)
    })

    const search = async (text: string) => {
      const found = await allPages((cursor) => current().store.listUsers({ limit: 2, cursor, search: text }))
      return found.map(({ firstName, lastName }) => `${firstName} ${lastName}`).sort()
    }

    it('finds people by the beginning of any word of their name, in any letter case', async () => {
      const names = [
        ['Ada', 'Lovelace'],
        ['Grace', 'Hopper'],
        ['Adele', 'Goldberg'],
        ['Maria del Carmen', "O'Brien-López"],
      ]
      await create(
        current().store,
        ...names.map(([firstName, lastName]) => makePerson({ firstName: firstName!, lastName: lastName! })),
      )
      const maria = ["Maria del Carmen O'Brien-López"]
      expect(await search('ad')).toEqual(['Ada Lovelace', 'Adele Goldberg'])
      expect(await search('ADA')).toEqual(['Ada Lovelace'])
      expect(await search('love')).toEqual(['Ada Lovelace'])
      expect(await search('hoPPe')).toEqual(['Grace Hopper'])
      expect(await search('love ad'), 'words in any order').toEqual(['Ada Lovelace'])
      expect(await search('ada hopper'), 'all words').toEqual([])
      for (const text of ['del', 'carm', 'brien', 'lopez', "o'brien", 'maria lópez', "O'Brien-Lo"])
        expect(await search(text), text).toEqual(maria)
      expect(await search('nobody')).toEqual([])
      expect(await search('lace'), 'only the beginning of a word').toEqual([])
      expect(await search(' '), 'no word').toEqual([])
    })

    it('finds people without regard to accents', async () => {
      const names = ['Zoë', 'Éva', 'ŁUKASZ', '李小龍', 'Σοφία', 'Müller', 'Großmann', 'Ørsted']
      await create(current().store, ...names.map((firstName) => makePerson({ firstName, lastName: 'X' })))
      for (const [text, expected] of [
        ['ZOË', 'Zoë X'],
        ['zoe', 'Zoë X'],
        ['éVA', 'Éva X'],
        ['łukasz', 'ŁUKASZ X'],
        ['lukas', 'ŁUKASZ X'],
        ['李小', '李小龍 X'],
        ['σοφ', 'Σοφία X'],
        ['muller', 'Müller X'],
        ['MÜLLER', 'Müller X'],
        ['grossm', 'Großmann X'],
        ['orsted', 'Ørsted X'],
      ] as const) {
        expect(await search(text), text).toEqual([expected])
      }
    })

    it('finds people by the beginning of their e-mail address, external id and id', async () => {
      const people = [
        makePerson({ firstName: 'A', email: 'Ada.King@Example.com', externalId: 'CRM-4711 b' }),
        makePerson({ firstName: 'B', email: 'grace@example.com', externalId: '100%_"x\\' }),
      ]
      await create(current().store, ...people)
      for (const text of ['ada.king@', 'ADA.KING@example.com', 'crm-47', 'CRM-4711', 'a crm'])
        expect(await search(text), text).toEqual(['A Lovelace'])
      for (const text of ['grace@', '100%_', '100%_"X\\'])
        expect(await search(text), text).toEqual(['B Lovelace'])
      expect(await search(people[0]!.user.id)).toEqual(['A Lovelace'])
      expect(await search(people[1]!.user.id.toUpperCase())).toEqual(['B Lovelace'])
      expect(await search(people[0]!.user.id.slice(0, 8))).toEqual(['A Lovelace', 'B Lovelace'])
      expect(await search('example'), 'only the beginning').toEqual([])
    })

    it.transport('reads characters that SQL treats specially as they are', async () => {
      const ids = ['%', '_', "'", '\\', '[a', '*', '?', ':*', '&', "\\'", '!']
      await create(
        current().store,
        ...ids.map((externalId) => makePerson({ firstName: externalId, lastName: 'X', externalId })),
      )
      for (const id of ids) {
        const found = ids.filter((other) => other.startsWith(id)).map((other) => `${other} X`)
        expect(await search(id), id).toEqual(found.sort())
      }
    })

    it('finds a person by their new name after a change, and by no name after their deletion', async (store) => {
      const { user } = makePerson({ firstName: 'Ada', lastName: 'Lovelace' })
      await create(store, { user, occasions: [], events: [] })
      const renamed = { ...user, lastName: 'Märkl', email: 'm@example.com', version: 2 }
      expect(await store.updateUser({ user: renamed, reschedules: null })).toBe('updated')
      for (const text of ['ada', 'markl', 'm@ex']) expect(await search(text), text).toEqual(['Ada Märkl'])
      expect(await search('love')).toEqual([])
      await store.deleteUser(user.id, T0)
      for (const text of ['ada', 'markl', 'm@ex']) expect(await search(text), text).toEqual([])
    })

    it('filters by timezone, alone and with a search', async (store) => {
      const people = makePeople(12, (index) => ({
        firstName: index % 2 === 0 ? 'Ada' : 'Grace',
        timezone: index % 3 === 0 ? 'Asia/Jakarta' : 'Europe/Rome',
      }))
      await create(store, ...people)
      const listed = (query: { timezone: string; search?: string }) =>
        allPages((cursor) => store.listUsers({ limit: 3, cursor, ...query }))
      expect(await listed({ timezone: 'Asia/Jakarta' })).toHaveLength(4)
      expect(await listed({ timezone: 'Europe/Rome', search: 'ada' })).toHaveLength(4)
      expect(await listed({ timezone: 'Asia/Tokyo' })).toEqual([])
    })
  })

  describe('listing events', () => {
    it('shows each once, page by page in the order of ids, whether open or settled, and ends', async (store) => {
      const { people, claims } = await createClaimed(store, 9)
      const pending = makePeople(9, (index) => ({ targetAt: T0 + (index % 2) * DAY + HOUR }))
      await create(store, ...pending)
      const settlements = claims.slice(0, 5).map((claim) => delivered(claim))
      await store.settle([...settlements, retry(claims[5]!, T0 + HOUR)])
      const expected = [
        ...[...people, ...pending].map(({ events }) => events[0]!.id),
        ...settlements.map(({ successor }) => successor!.id),
      ]
      for (const limit of [1, 4, 23, 100]) {
        const listed = await allPages(async (cursor) => {
          const page = await store.listEvents({ limit, cursor })
          expect(page.items.length).toBeLessThanOrEqual(limit)
          return page
        })
        expect(idsOf(listed)).toEqual(sorted(expected))
      }
    })

    it('shows the same of an event as looking it up alone', async (store) => {
      const { people, claims } = await createClaimed(store, 4)
      await store.settle([
        delivered(claims[0]!),
        failed(claims[1]!, 'HTTP 410'),
        retry(claims[2]!, T0 + HOUR),
      ])
      await create(store, makePerson({ targetAt: T0 + DAY }))
      const listed = await allPages((cursor) => store.listEvents({ limit: 3, cursor }))
      expect(listed).toHaveLength(people.length + 3)
      for (const event of listed) {
        expect({ ...event, deliveryPayload: null }).toEqual({
          ...(await store.findEvent(event.id))!.event,
          deliveryPayload: null,
        })
      }
    })

    it('filters by user, status, type and time, alone and together', async (store) => {
      const { people, claims } = await createClaimed(store, 4)
      const [first] = people
      await store.settle([delivered(claims[0]!), failed(claims[1]!, 'HTTP 410')])
      const other = { type: 'WORK_ANNIVERSARY', date: '2015-06-11', template: 'Well done' }
      const busy = addOccasion(makePerson({ targetAt: T0 + DAY }), other, T0 + 10 * DAY)
      await create(store, busy)
      const listed = async (query: Partial<Parameters<typeof store.listEvents>[0]>) => {
        return sorted(idsOf(await allPages((cursor) => store.listEvents({ limit: 2, cursor, ...query }))))
      }
      const [birthday, anniversary] = busy.events
      expect(await listed({ userId: busy.user.id })).toEqual(sorted(idsOf(busy.events)))
      expect(await listed({ status: 'COMPLETED' })).toEqual([claims[0]!.id])
      expect(await listed({ status: 'FAILED' })).toEqual([claims[1]!.id])
      expect(await listed({ status: 'PROCESSING' })).toEqual(sorted(idsOf(claims.slice(2))))
      expect(await listed({ status: 'PENDING' })).toHaveLength(4)
      expect(await listed({ type: 'WORK_ANNIVERSARY' })).toEqual([anniversary!.id])
      expect(await listed({ dueFrom: T0 + DAY, dueBefore: T0 + 10 * DAY })).toEqual([birthday!.id])
      expect(await listed({ dueFrom: T0 + DAY + 1, dueBefore: T0 + 10 * DAY + 1 })).toEqual([anniversary!.id])
      expect(await listed({ dueBefore: T0 + 1 })).toEqual(sorted(idsOf(claims)))
      expect(await listed({ userId: first!.user.id, status: 'COMPLETED' })).toEqual([claims[0]!.id])
      expect(await listed({ userId: busy.user.id, type: 'BIRTHDAY', status: 'PENDING' })).toEqual([
        birthday!.id,
      ])
      expect(await listed({ userId: busy.user.id, status: 'FAILED' })).toEqual([])
      expect(await listed({ userId: newId(T0) })).toEqual([])
    })

    it.transport('filters by several states, and by ids', async (store) => {
      const { claims } = await createClaimed(store, 4)
      await store.settle([delivered(claims[0]!), failed(claims[1]!, 'HTTP 410')])
      const listed = async (query: Partial<EventQuery>) =>
        sorted(idsOf(await allPages((cursor) => store.listEvents({ limit: 2, cursor, ...query }))))
      const settled = sorted(idsOf(claims.slice(0, 2)))
      expect(await listed({ status: ['COMPLETED', 'FAILED'] })).toEqual(settled)
      expect(await listed({ status: ['PROCESSING', 'FAILED'] })).toEqual(sorted(idsOf(claims.slice(1))))
      expect(await listed({ status: ['FAILED'] })).toEqual([claims[1]!.id])
      expect(await listed({ ids: settled })).toEqual(settled)
      expect(await listed({ ids: [...settled, newId(T0)], status: 'FAILED' })).toEqual([claims[1]!.id])
      expect(await listed({ ids: [] })).toEqual([])
    })

    it('lists the newest first, page by page, also within a span of due times', async (store) => {
      const people = makePeople(6, (i) => ({ targetAt: T0 + i * DAY }))
      await create(store, ...people)
      const ids = people.map(({ events: [event] }) => event!.id)
      const to = { ...people[5]!.events[0]!, targetAt: T0 + DAY }
      await store.replan([{ eventId: to.id, version: 1, to }], T0 - DAY)
      const listed = async (query: Partial<EventQuery>) =>
        idsOf(await allPages((cursor) => store.listEvents({ limit: 2, cursor, order: 'newest', ...query })))
      expect(await listed({})).toEqual(ids.toReversed())
      expect(await listed({ dueBefore: T0 + 3 * DAY })).toEqual([ids[5], ids[2], ids[1], ids[0]])
      expect(await listed({ dueFrom: T0 + DAY, dueBefore: T0 + 3 * DAY })).toEqual([ids[5], ids[2], ids[1]])
    })

    it('lists the events of a local date, also where that date is another one than in UTC', async (store) => {
      const day = Date.parse('2027-12-15')
      const at = (hours: number, offset: number) => [day + hours * HOUR, offset * 3_600] as const
      const places = [at(-14, 14), at(-15, 14), at(12, 0), at(35, -12), at(36, -12), at(23, 1)]
      const people = places.map(([targetAt, offsetSeconds]) => {
        const person = makePerson({ targetAt })
        return { ...person, events: person.events.map((event) => ({ ...event, offsetSeconds })) }
      })
      await create(store, ...people)
      const ids = people.map(({ events: [event] }) => event!.id)
      const listed = async (query: Partial<EventQuery>) =>
        idsOf(
          await allPages((cursor) =>
            store.listEvents({ limit: 2, cursor, localDate: '2027-12-15', ...query }),
          ),
        )
      expect((await listed({})).toSorted()).toEqual([ids[0]!, ids[2]!, ids[3]!].toSorted())
      expect(await listed({ status: 'PENDING', dueFrom: day, dueBefore: day + DAY })).toEqual([ids[2]])
    })

    it('finds events with an attempt of unknown outcome since an instant', async (store) => {
      const { claim } = await createOneClaimed(store)
      await claimAt(store, T0 + LEASE + 7)
      await createClaimed(store, 2)
      const listed = async (unknownFrom: number) =>
        idsOf((await store.listEvents({ limit: 9, cursor: null, unknownFrom })).items)
      expect(await listed(T0 + LEASE)).toEqual([claim.id])
      expect(await listed(T0 + LEASE + 1)).toEqual([])
    })

    it('finds moved events and replays by when they are due, page by page in order of id', async (store) => {
      const people = makePeople(6, (i) => ({ targetAt: T0 + i * DAY }))
      await create(store, ...people)
      const events = people.map(({ events: [event] }) => event!)
      // The first moves to the last day, the last one to the first.
      const moves = [
        { ...events[0]!, targetAt: T0 + 5 * DAY },
        { ...events[5]!, targetAt: T0 },
      ]
      await store.replan(
        moves.map((to) => ({ eventId: to.id, version: 1, to })),
        T0 - DAY,
      )
      const [claim] = await claimAt(store, T0)
      await store.settle([failed(claim!, 'HTTP 410', { successor: null })])
      const replay = {
        of: claim!.id,
        id: newId(T0 + 30 * DAY),
        ownKey: false,
        at: T0 + 30 * DAY,
      }
      await store.replay([replay])
      const listed = async (query: Partial<EventQuery>) =>
        idsOf(await allPages((cursor) => store.listEvents({ limit: 2, cursor, ...query })))
      const [first, second, third, fourth, fifth, sixth] = idsOf(events)
      expect(await listed({ dueFrom: T0, dueBefore: T0 + 2 * DAY })).toEqual([second, sixth, replay.id])
      expect(await listed({ dueFrom: T0 + DAY })).toEqual([first, second, third, fourth, fifth])
      expect(await listed({ dueFrom: T0 + 5 * DAY })).toEqual([first])
      expect(await listed({ dueBefore: T0 + 1 })).toEqual([sixth, replay.id])
      expect(await listed({ dueFrom: T0, status: 'FAILED' })).toEqual([sixth])
    })

    it('finds failures by how their reason begins and by when they were settled', async (store) => {
      const { claims } = await createClaimed(store, 4)
      const [gone, down, strange, fine] = claims as [Claim, Claim, Claim, Claim]
      await store.settle([
        failed(gone, 'HTTP 410', { at: T0 + HOUR }),
        exhausted(down, 'HTTP 503', { at: T0 + 2 * HOUR }),
        failed(strange, '100%_strange', { at: T0 + 3 * HOUR }),
        delivered(fine, { at: T0 + HOUR }),
      ])
      const listed = async (query: Partial<EventQuery>) => {
        return sorted(idsOf(await allPages((cursor) => store.listEvents({ limit: 2, cursor, ...query }))))
      }
      expect(await listed({ reason: 'HTTP 4' })).toEqual([gone.id])
      expect(await listed({ reason: 'RETRIES_EXHAUSTED' })).toEqual([down.id])
      expect(await listed({ reason: 'RETRIES_EXHAUSTED: HTTP 5' })).toEqual([down.id])
      expect(await listed({ reason: 'HTTP 5' }), 'not by the last error alone').toEqual([])
      expect(await listed({ reason: 'TTP' }), 'only how it begins').toEqual([])
      expect(await listed({ reason: 'retries' }), 'letter for letter').toEqual([])
      expect(await listed({ reason: '100%_' })).toEqual([strange.id])
      expect(await listed({ reason: '%' }), 'as it is').toEqual([])
      expect(await listed({ status: 'FAILED', settledFrom: T0 + 2 * HOUR })).toEqual(
        sorted([down.id, strange.id]),
      )
      expect(await listed({ status: 'FAILED', settledBefore: T0 + 2 * HOUR })).toEqual([gone.id])
      expect(await listed({ settledFrom: T0 + HOUR, settledBefore: T0 + HOUR + 1 })).toEqual(
        sorted([gone.id, fine.id]),
      )
    })

    it('finds all that belong to one occasion', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await create(store, makePerson())
      const { successor } = delivered(claim)
      await store.settle([failed(claim, 'HTTP 410', { successor })])
      const again = { of: claim.id, id: newId(T0 + DAY), ownKey: false, at: T0 + DAY }
      await store.replay([again])
      const { items } = await store.listEvents({
        limit: 10,
        cursor: null,
        occasionId: person.occasions[0]!.id,
      })
      expect(sorted(idsOf(items))).toEqual(sorted([claim.id, successor!.id, again.id]))
    })

    it('keeps the state of each event apart: none in two states at once', async (store) => {
      const { claims } = await createClaimed(store, 3)
      await create(store, ...makePeople(3, () => ({ targetAt: T0 + HOUR })))
      await store.settle([delivered(claims[0]!), retry(claims[1]!, T0 + HOUR)])
      const counts: Record<string, number> = {}
      for (const status of ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const) {
        counts[status] = (await store.listEvents({ limit: 100, cursor: null, status })).items.length
      }
      expect(counts).toEqual({ PENDING: 4, PROCESSING: 2, COMPLETED: 1, FAILED: 0 })
    })
  })
}
