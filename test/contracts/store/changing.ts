// A user changes and their events with them: all of it or nothing, and never what is in flight.
import { describe, expect } from 'vitest'
import type { Timezone } from '../../../src/domain/time/timezone.ts'
import type { NewPerson, Reschedule, Store } from '../../../src/ports/store.ts'
import {
  addOccasion,
  DAY,
  HOUR,
  makeOccasion,
  makePerson,
  makePlanned,
  newId,
  T0,
  YEAR,
} from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import {
  attemptsOf,
  claimAt,
  create,
  createOneClaimed,
  delivered,
  eventOf,
  eventsOf,
  failed,
  idsOf,
  refOf,
  release,
  retry,
  successorOf,
} from './steps.ts'

const TOKYO = 'Asia/Tokyo' as Timezone

const movedUser = ({ user }: NewPerson, over = {}) => ({
  ...user,
  timezone: TOKYO,
  updatedAt: T0 + 7,
  version: user.version + 1,
  ...over,
})

const movedEvent = ({ events }: NewPerson, index = 0) => ({
  ...events[index]!,
  targetAt: events[index]!.targetAt - 9 * HOUR,
  offsetSeconds: 32_400,
  timezone: TOKYO,
  tzVersion: '2026g',
})

const twoOccasions = () =>
  addOccasion(makePerson(), { type: 'WORK_ANNIVERSARY', date: '2015-09-01' }, T0 + 90 * DAY)

/** Everything that the port shows of a person. */
async function all(store: Store, { user }: NewPerson) {
  return {
    user: await store.findUser(user.id),
    person: await store.readPerson(user.id),
    events: await eventsOf(store, user.id),
  }
}

/** Each change of the person conflicts, and writes nothing. */
async function expectConflict(store: Store, person: NewPerson, ...changes: (Reschedule[] | null)[]) {
  const before = await all(store, person)
  for (const reschedules of changes)
    expect(await store.updateUser({ user: movedUser(person), reschedules })).toBe('conflict')
  expect(await all(store, person)).toEqual(before)
}

export function describeChanging(it: StoreIt): void {
  describe('changing a user', () => {
    it('moves a pending event: the same event, one version on, due at its new instant', async (store) => {
      const person = makePerson({ targetAt: T0 })
      await create(store, person)
      const to = movedEvent(person)
      const user = movedUser(person, { firstName: 'Augusta', email: 'ada@example.com' })
      const reschedules = [{ eventId: to.id, version: 1, to }]
      expect(await store.updateUser({ user, reschedules })).toBe('updated')
      expect(await store.findUser(user.id)).toEqual(user)
      const event = await eventOf(store, to.id)
      expect(event).toMatchObject({ ...to, status: 'PENDING', version: 2, wakeAt: T0 - 9 * HOUR })
      expect(await eventsOf(store, user.id)).toHaveLength(1)
      expect(await claimAt(store, T0 - 9 * HOUR - 1)).toEqual([])
      expect(await claimAt(store, T0 - 9 * HOUR)).toMatchObject([
        { ...to, version: 3, user: { timezone: TOKYO } },
      ])
    })

    it('moves a pending event to another occurrence', async (store) => {
      const person = makePerson({ targetAt: T0 + YEAR })
      await create(store, person)
      const to = { ...person.events[0]!, occurrence: '2020', targetAt: T0 }
      await store.updateUser({ user: movedUser(person), reschedules: [{ eventId: to.id, version: 1, to }] })
      const [claim] = await claimAt(store, T0)
      expect(claim).toMatchObject({ id: to.id, occurrence: '2020' })
      await store.settle([delivered(claim!)])
      const read = await store.readPerson(person.user.id)
      expect(read?.plans[0]).toMatchObject({
        lastSettled: { occurrence: '2020', targetAt: T0 },
        open: { occurrence: '2021' },
      })
    })

    it('moves the events of two occasions together', async (store) => {
      const person = twoOccasions()
      await create(store, person)
      const reschedules = person.events.map((event, index) => {
        return { eventId: event.id, version: 1, to: movedEvent(person, index) }
      })
      expect(await store.updateUser({ user: movedUser(person), reschedules })).toBe('updated')
      const events = await eventsOf(store, person.user.id)
      expect(events.map(({ wakeAt, version }) => [wakeAt, version])).toEqual([
        [T0 - 9 * HOUR, 2],
        [T0 + 90 * DAY - 9 * HOUR, 2],
      ])
    })

    it.transport(
      'deletes a pending event that has no occurrence left, and moves the others',
      async (store) => {
        const person = twoOccasions()
        await create(store, person)
        const [ended, other] = person.events.map((event) => ({ eventId: event.id, version: 1 }))
        const removed = { ...ended!, to: null, removed: true }
        const reschedules = [removed, { ...other!, to: movedEvent(person, 1) }]
        const stale = [{ ...removed, version: 2 }, reschedules[1]!]
        const before = await all(store, person)
        expect(await store.updateUser({ user: movedUser(person), reschedules: stale })).toBe('conflict')
        expect(await all(store, person)).toEqual(before)
        expect(await store.updateUser({ user: movedUser(person), reschedules })).toBe('updated')
        const events = await eventsOf(store, person.user.id)
        expect(events.map(({ id, version }) => [id, version])).toEqual([[other!.eventId, 2]])
      },
    )

    it('inserts the event of an occasion that has none, and records it, with the moves of the others', async (store) => {
      const person = makePerson()
      const occasion = makeOccasion(person.user, { repeats: 'ONCE', date: '2020-06-01' })
      await create(store, { ...person, occasions: [...person.occasions, occasion] })
      const event = { ...makePlanned(occasion, { timezone: TOKYO }, T0 + HOUR), occurrence: 'once' }
      const user = movedUser(person)
      const reschedules = [{ eventId: person.events[0]!.id, version: 1, to: movedEvent(person) }]
      const insert = { event, lane: 7, occasionVersion: 1 }
      const before = await all(store, person)
      const other = makePerson()
      await create(store, other)
      const foreign = { ...event, id: newId(T0), occasionId: other.occasions[0]!.id, occurrence: '1999' }
      for (const [why, update] of Object.entries({
        'the occasion was changed': { reschedules, inserts: [{ ...insert, occasionVersion: 2 }] },
        'another occasion was changed': {
          reschedules,
          inserts: [insert, { ...insert, event: foreign }],
        },
        'an event was changed': { reschedules: [{ ...reschedules[0]!, version: 2 }], inserts: [insert] },
        'an event is missing': { reschedules: [], inserts: [insert] },
        'an event was to be removed': {
          reschedules: [{ ...reschedules[0]!, to: null, removed: true }],
          inserts: [{ ...insert, occasionVersion: 2 }],
        },
      })) {
        expect(await store.updateUser({ user, ...update }), why).toBe('conflict')
        expect(await all(store, person), why).toEqual(before)
      }
      expect(await store.updateUser({ user: { ...user, version: 3 }, reschedules, inserts: [insert] })).toBe(
        'conflict',
      )
      expect(await store.updateUser({ user, reschedules, inserts: [insert] })).toBe('updated')
      const stored = await eventOf(store, event.id)
      expect(stored).toMatchObject({ ...event, status: 'PENDING', version: 1, wakeAt: T0 + HOUR })
      const cause = 'TIMEZONE_CHANGED'
      expect(await store.listMoves(stored)).toMatchObject([{ version: 1, cause, at: T0 + 7, from: null }])
      const claims = await claimAt(store, T0 + HOUR)
      const [moved, claim] = [person.events[0]!.id, event.id].map((id) => claims.find((one) => one.id === id))
      await store.settle([delivered(moved!), delivered(claim!, { successor: null })])
      const again = { ...user, timezone: 'Europe/Rome' as Timezone, version: 3 }
      const twice = { ...insert, event: { ...event, id: newId(T0) } }
      const open = (await store.readPerson(user.id))!.plans.flatMap((plan) => plan.open ?? [])
      const kept = open.map(({ id, version, ...slot }) => ({
        eventId: id,
        version,
        to: { ...movedEvent(person), ...slot, id },
      }))
      await expect(store.updateUser({ user: again, reschedules: kept, inserts: [twice] })).rejects.toThrow()
      expect(await store.findUser(user.id)).toEqual(user)
    })

    it('removes one event and inserts another in one change', async (store) => {
      const person = makePerson()
      const occasion = makeOccasion(person.user, { repeats: 'ONCE', date: '2020-06-01' })
      await create(store, { ...person, occasions: [...person.occasions, occasion] })
      const event = makePlanned(occasion, person.user, T0 + HOUR)
      const user = movedUser(person, { timezone: person.user.timezone, dateOfBirth: '1990-06-02' })
      const reschedules = [{ eventId: person.events[0]!.id, version: 1, to: null, removed: true }]
      const inserts = [{ event, lane: 7, occasionVersion: 1 }]
      expect(await store.updateUser({ user, reschedules, inserts })).toBe('updated')
      expect(idsOf(await eventsOf(store, user.id))).toEqual([event.id])
      const moves = await store.listMoves(await eventOf(store, event.id))
      expect(moves).toMatchObject([{ cause: 'BIRTH_DATE_CHANGED', from: null }])
    })

    it('writes nothing when an event to delete was claimed meanwhile', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await expectConflict(store, person, [{ ...refOf(claim), to: null, removed: true }])
    })

    it('touches no event when only the name changes', async (store) => {
      const person = makePerson()
      await create(store, person)
      const before = await eventsOf(store, person.user.id)
      const user = { ...person.user, firstName: 'Augusta', email: null, updatedAt: T0, version: 2 }
      expect(await store.updateUser({ user, reschedules: null })).toBe('updated')
      expect(await store.findUser(user.id)).toEqual(user)
      expect(await eventsOf(store, user.id)).toEqual(before)
    })

    it('can change the timezone of a user without open events', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([delivered(claim, { successor: null })])
      expect(await store.updateUser({ user: movedUser(person), reschedules: [] })).toBe('updated')
      expect((await store.findUser(person.user.id))?.timezone).toBe(TOKYO)
    })

    it('leaves other people alone', async (store) => {
      const [person, other] = [makePerson(), makePerson()]
      await create(store, person, other)
      const before = await all(store, other)
      const to = movedEvent(person)
      await store.updateUser({ user: movedUser(person), reschedules: [{ eventId: to.id, version: 1, to }] })
      expect(await all(store, other)).toEqual(before)
    })
  })

  describe('changing a user who was changed meanwhile', () => {
    it('writes nothing when another caller changed the user first', async (store) => {
      const person = makePerson()
      await create(store, person)
      const renamed = { ...person.user, firstName: 'Augusta', version: 2 }
      await store.updateUser({ user: renamed, reschedules: null })
      const before = await all(store, person)
      const to = movedEvent(person)
      const reschedules = [{ eventId: to.id, version: 1, to }]
      expect(await store.updateUser({ user: movedUser(person), reschedules })).toBe('conflict')
      expect(await store.updateUser({ user: { ...renamed, lastName: 'King' }, reschedules: null })).toBe(
        'conflict',
      )
      expect(await all(store, person)).toEqual(before)
    })

    it('writes nothing when one of the events was claimed meanwhile', async (store) => {
      const person = twoOccasions()
      await create(store, person)
      await claimAt(store, T0)
      const reschedules = person.events.map((event, index) => {
        return { eventId: event.id, version: 1, to: movedEvent(person, index) }
      })
      await expectConflict(store, person, reschedules, reschedules.toReversed())
    })

    it('writes nothing when an event in flight was settled meanwhile', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([delivered(claim)])
      await expectConflict(store, person, [{ ...refOf(claim), to: null }])
    })

    it('writes nothing when an event in flight was postponed meanwhile', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([retry(claim, T0 + HOUR)])
      await expectConflict(store, person, [{ ...refOf(claim), to: null }])
    })

    it('writes nothing when an open event is missing from the list', async (store) => {
      const person = twoOccasions()
      await create(store, person)
      const to = movedEvent(person)
      await expectConflict(store, person, [{ eventId: to.id, version: 1, to }], [])
    })

    it('writes nothing when an event in flight is missing from the list', async (store) => {
      const { person } = await createOneClaimed(store)
      await expectConflict(store, person, [])
    })

    it('writes nothing when the user is gone', async (store) => {
      const person = makePerson()
      await expectConflict(store, person, null, [])
      expect(await store.findUser(person.user.id)).toBeNull()
    })

    it.transport('accepts one of ten concurrent changes', async (store, { another }) => {
      const other = await another()
      const person = makePerson()
      await create(store, person)
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => {
          const user = movedUser(person, { firstName: `Ada ${index}` })
          const to = { ...movedEvent(person), targetAt: T0 + index * HOUR }
          const change = { user, reschedules: [{ eventId: to.id, version: 1, to }] }
          return (index % 2 === 0 ? store : other).updateUser(change)
        }),
      )
      expect(results.filter((result) => result === 'updated')).toHaveLength(1)
      const winner = results.indexOf('updated')
      expect((await store.findUser(person.user.id))?.firstName).toBe(`Ada ${winner}`)
      expect((await eventOf(store, person.events[0]!.id)).wakeAt).toBe(T0 + winner * HOUR)
    })
  })

  describe('changing a user whose event is in flight', () => {
    async function moveInFlight(store: Store) {
      const { person, claim } = await createOneClaimed(store)
      const before = await store.findEvent(claim.id)
      const user = movedUser(person)
      expect(await store.updateUser({ user, reschedules: [{ ...refOf(claim), to: null }] })).toBe('updated')
      return { person, claim, before, user }
    }

    it('leaves the event as it is', async (store) => {
      const { claim, before, user } = await moveInFlight(store)
      const after = await store.findEvent(claim.id)
      expect({ ...after?.event, updatedAt: null }).toEqual({ ...before?.event, updatedAt: null })
      expect(after?.attempts).toEqual([])
      expect(await store.findUser(user.id)).toEqual(user)
    })

    it('asks for a new plan when it is settled with the old one, and writes nothing till then', async (store) => {
      const { claim, person } = await moveInFlight(store)
      const before = await store.findEvent(claim.id)
      const asked = { settled: [], stale: [], replan: [claim.id] }
      expect(await store.settle([delivered(claim)])).toEqual(asked)
      expect(await store.settle([failed(claim, 'HTTP 410')])).toEqual(asked)
      expect(await store.findEvent(claim.id)).toEqual(before)
      expect(await eventsOf(store, person.user.id)).toHaveLength(1)
    })

    it.transport('settles with the new plan', async (store) => {
      const { claim, person } = await moveInFlight(store)
      const [fresh] = await store.readClaims([refOf(claim)])
      expect(fresh).toMatchObject({
        id: claim.id,
        version: claim.version,
        user: { timezone: TOKYO },
        body: claim.body,
      })
      expect(fresh!.planRevision).toBeGreaterThan(claim.planRevision)
      const successor = { ...successorOf(fresh!), targetAt: T0 + YEAR - 9 * HOUR }
      const result = await store.settle([delivered(fresh!, { successor })])
      expect(result).toEqual({ settled: [claim.id], stale: [], replan: [] })
      expect(await eventOf(store, claim.id)).toMatchObject({ status: 'COMPLETED', timezone: 'Etc/UTC' })
      expect(await eventOf(store, successor.id)).toMatchObject({
        timezone: TOKYO,
        wakeAt: T0 + YEAR - 9 * HOUR,
        status: 'PENDING',
      })
      expect(await attemptsOf(store, claim.id)).toHaveLength(1)
      expect(await eventsOf(store, person.user.id)).toHaveLength(2)
    })

    it('asks again when the user changes a second time', async (store) => {
      const { claim, user } = await moveInFlight(store)
      const [fresh] = await store.readClaims([refOf(claim)])
      const again = { ...user, timezone: 'Europe/Rome' as Timezone, version: 3 }
      await store.updateUser({ user: again, reschedules: [{ ...refOf(claim), to: null }] })
      expect((await store.settle([delivered(fresh!)])).replan).toEqual([claim.id])
      const [newest] = await store.readClaims([refOf(claim)])
      expect(newest!.user.timezone).toBe('Europe/Rome')
      expect((await store.settle([delivered(newest!)])).settled).toEqual([claim.id])
    })

    it('accepts a retry and a release, which plan nothing', async (store) => {
      const { claim } = await moveInFlight(store)
      expect((await store.settle([retry(claim, T0 + HOUR)])).settled).toEqual([claim.id])
      const [again] = await claimAt(store, T0 + HOUR)
      expect(again!.user.timezone).toBe(TOKYO)
      expect((await store.settle([release(again!)])).settled).toEqual([claim.id])
      const [third] = await claimAt(store, T0 + 2 * HOUR)
      expect((await store.settle([delivered(third!)])).settled).toEqual([claim.id])
    })

    it('asks for no new plan when only the name changed', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      const user = { ...person.user, firstName: 'Augusta', version: 2 }
      expect(await store.updateUser({ user, reschedules: null })).toBe('updated')
      expect((await store.settle([delivered(claim)])).settled).toEqual([claim.id])
    })

    it('moves the pending event of another occasion in the same change', async (store) => {
      const person = twoOccasions()
      await create(store, person)
      const [claim] = await claimAt(store, T0)
      const to = movedEvent(person, 1)
      const reschedules = [
        { ...refOf(claim!), to: null },
        { eventId: to.id, version: 1, to },
      ]
      expect(await store.updateUser({ user: movedUser(person), reschedules })).toBe('updated')
      expect(await eventOf(store, claim!.id)).toMatchObject({
        status: 'PROCESSING',
        version: 2,
        timezone: 'Etc/UTC',
      })
      expect(await eventOf(store, to.id)).toMatchObject({ status: 'PENDING', version: 2, timezone: TOKYO })
      expect((await store.settle([delivered(claim!)])).replan).toEqual([claim!.id])
    })
  })
}
