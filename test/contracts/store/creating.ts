// People come in: once, and whole.

import { describe, expect } from 'vitest'
import type { DateOfBirth } from '../../../src/domain/users/date-of-birth.ts'
import { addOccasion, DAY, makePeople, makePerson, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { claimAt, create, createOneClaimed, delivered, eventOf, eventsOf, successorOf } from './steps.ts'

export function describeCreating(it: StoreIt): void {
  describe('creating people', () => {
    it.transport('keeps a person as given, with a pending event at its instant', async (store) => {
      const person = makePerson({ email: 'ada@example.com', timezone: 'Asia/Jakarta', targetAt: T0 })
      const planned = { ...person.events[0]!, offsetSeconds: 25_200 }
      await create(store, { ...person, events: [planned] })
      expect(await store.findUser(person.user.id)).toEqual(person.user)
      expect(await eventOf(store, planned.id)).toMatchObject({
        ...planned,
        userId: person.user.id,
        eventType: 'BIRTHDAY',
        status: 'PENDING',
        wakeAt: T0,
        version: 1,
        retryCount: 0,
        claimedBy: null,
        claimedAt: null,
        executedAt: null,
        statusCode: null,
        failureCode: null,
        lastError: null,
        deliveryPayload: null,
      })
      expect((await store.findEvent(planned.id))?.attempts).toEqual([])
    })

    it.transport('keeps names of every script letter for letter', async (store) => {
      const names = ['O\'Brien "Bob" \\', '李小龍', 'Zoë👩‍👩‍👧‍👦', 'يوسف', '%_;--', 'e\u0301']
      const people = names.map((firstName) => makePerson({ firstName, lastName: firstName }))
      await create(store, ...people)
      for (const { user } of people) expect(await store.findUser(user.id)).toEqual(user)
    })

    it('keeps a person without an occasion, a last name and a date of birth, or its year', async (store) => {
      for (const dateOfBirth of [null, '--02-29' as DateOfBirth]) {
        const user = { ...makePerson().user, lastName: null, dateOfBirth }
        await create(store, { user, occasions: [], events: [] })
        expect(await store.readPerson(user.id)).toEqual({ user, plans: [] })
      }
    })

    it('creates the same people once, however often it is asked', async (store) => {
      const people = makePeople(3)
      await create(store, ...people)
      expect(await store.createUsers(people)).toEqual({ kind: 'created', created: 0 })
      expect((await store.listUsers({ limit: 10, cursor: null })).items).toHaveLength(3)
      expect((await store.listEvents({ limit: 10, cursor: null })).items).toHaveLength(3)
    })

    it('changes nothing of a person who has moved on since they were created', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      const successor = successorOf(claim)
      await store.settle([delivered(claim, { successor })])
      const renamed = { ...person.user, firstName: 'Augusta', version: 2 }
      expect(await store.updateUser({ user: renamed, reschedules: null })).toBe('updated')
      expect(await store.createUsers([person])).toEqual({ kind: 'created', created: 0 })
      expect(await store.findUser(person.user.id)).toEqual(renamed)
      const events = await eventsOf(store, person.user.id)
      expect(events.map(({ id, status }) => [id, status])).toEqual([
        [claim.id, 'COMPLETED'],
        [successor.id, 'PENDING'],
      ])
      expect(await claimAt(store, T0 + DAY)).toEqual([])
    })

    it('brings nothing back that a person has lost since they were created', async (store) => {
      const person = addOccasion(makePerson(), { type: 'WORK_ANNIVERSARY', date: '2015-09-01' }, T0 + DAY)
      await create(store, person)
      const [birthday, anniversary] = person.occasions
      await store.removeOccasion(anniversary!.id, T0)
      const occasion = { ...birthday!, pausedAt: T0, version: 2 }
      const open = { kind: 'reschedule' as const, eventId: person.events[0]!.id, version: 1, to: null }
      expect(await store.saveOccasion({ occasion, task: null, userVersion: 1, open, at: T0 })).toBe('saved')
      const before = await store.readPerson(person.user.id)
      expect(await store.createUsers([person])).toEqual({ kind: 'created', created: 0 })
      expect(await store.readPerson(person.user.id)).toEqual(before)
      expect(await eventsOf(store, person.user.id)).toEqual([])
    })

    it('creates the people of a batch who are new', async (store) => {
      const [known, unknown] = makePeople(2)
      await create(store, known!)
      expect(await store.createUsers([known!, unknown!])).toEqual({ kind: 'created', created: 1 })
      expect(await eventsOf(store, unknown!.user.id)).toHaveLength(1)
      expect(await eventsOf(store, known!.user.id)).toHaveLength(1)
    })

    it.transport('creates a thousand people in one go', async (store) => {
      const people = makePeople(1_000, (index) => ({ targetAt: T0 + index }))
      await create(store, ...people)
      expect(await claimAt(store, T0 + DAY)).toHaveLength(1_000)
    })

    it('plans each of two occasions of one person', async (store) => {
      const person = addOccasion(
        makePerson(),
        { type: 'WORK_ANNIVERSARY', date: '2015-09-01', template: 'Well done, {{ firstName }}' },
        T0 + 90 * DAY,
      )
      await create(store, person)
      const read = await store.readPerson(person.user.id)
      expect(read?.user).toEqual(person.user)
      const plans = [...read!.plans].sort((a, b) => a.open!.targetAt - b.open!.targetAt)
      expect(plans.map(({ occasion }) => occasion)).toEqual(person.occasions)
      expect(plans.map(({ open }) => open)).toEqual(
        person.events.map(({ occasionId: _, ...event }) => ({ ...event, status: 'PENDING', version: 1 })),
      )
      expect(plans.map(({ lastSettled }) => lastSettled)).toEqual([null, null])
    })

    it.transport('writes nothing for `ifTaken: reject` when one external id exists', async (store) => {
      await create(store, makePerson({ externalId: 'hr-1' }))
      const [taken, free] = [makePerson({ externalId: 'hr-1' }), makePerson({ externalId: 'hr-2' })]
      const reject = { ifTaken: 'reject' as const }
      expect(await store.createUsers([taken, free], reject)).toEqual({ kind: 'taken' })
      expect(await store.findUser(free.user.id)).toBeNull()
      expect(await store.createUsers([free], reject)).toEqual({ kind: 'created', created: 1 })
      expect(await eventsOf(store, free.user.id)).toHaveLength(1)
    })

    it('gives an external id to one of twenty writers with `ifTaken: reject`', async (store, { another }) => {
      const other = await another()
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : other).createUsers([makePerson({ externalId: 'hr-1' })], {
            ifTaken: 'reject',
          }),
        ),
      )
      expect(results.filter(({ kind }) => kind === 'created')).toHaveLength(1)
      expect(results.filter(({ kind }) => kind === 'taken')).toHaveLength(19)
      expect((await store.listUsers({ limit: 100, cursor: null })).items).toHaveLength(1)
    })

    it.transport(
      'is seen by another connection as soon as it is acknowledged',
      async (store, { another }) => {
        const person = makePerson()
        const other = await another()
        await create(store, person)
        expect(await other.findUser(person.user.id)).toEqual(person.user)
        await other.check()
      },
    )
  })
}
