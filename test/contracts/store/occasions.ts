// Occasions come, change, pause and go: all of it or nothing, and what is in flight runs as it is.
import { describe, expect, it } from 'vitest'
import type { Occasion } from '../../../src/domain/occasion.ts'
import type { NewPerson, OccasionSave, OpenChange, Store } from '../../../src/ports/store.ts'
import {
  DAY,
  HOUR,
  makeOccasion,
  makePerson,
  makePlanned,
  makeTask,
  newId,
  T0,
  YEAR,
} from '../../fixtures.ts'
import type { Current } from '../store.contract.ts'
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
  retry,
  successorOf,
} from './steps.ts'

const NOTHING: OpenChange = { kind: 'plant', event: null }

function saveOf(occasion: Occasion, over: Partial<OccasionSave> = {}): OccasionSave {
  return { occasion, task: null, userVersion: 1, open: NOTHING, at: T0, ...over }
}

/** The one that a person was made with, a version on. */
function changed({ occasions }: NewPerson, over: Partial<Occasion> = {}): Occasion {
  return { ...occasions[0]!, localTime: '10:00', version: 2, ...over }
}

/** Its event, seen pending as it was planted, an hour later. */
function moveOf({ events }: NewPerson, over = {}): OpenChange & { kind: 'move' } {
  const [event] = events
  const to = { ...event!, targetAt: event!.targetAt + HOUR, ...over }
  return { kind: 'move', eventId: event!.id, version: 1, to }
}

/** Everything that the port shows of a person. */
async function all(store: Store, { user }: NewPerson) {
  return {
    person: await store.readPerson(user.id),
    events: await eventsOf(store, user.id),
    tasks: await store.listTasks({ limit: 10, cursor: null, userId: user.id }),
  }
}

export function describeOccasions(current: Current): void {
  describe('saving an occasion', () => {
    it('adds one with its event, every field as given', async () => {
      const { store } = current()
      const person = makePerson({ targetAt: T0 + DAY })
      await create(store, person)
      const occasion = makeOccasion(person.user, {
        type: 'PAYDAY',
        date: '2020-01-31',
        localTime: '07:30:15',
        leapDay: 'FEBRUARY_28',
        repeats: 'FREQ=MONTHLY;BYMONTHDAY=-1',
        calendar: 'hebrew',
        series: 3,
        until: '2030-12-31',
        pausedAt: T0 - 5,
        template: 'Rich again, {{ firstName }}',
        channelId: newId(T0),
        notAfter: '18:00',
      })
      const event = { ...makePlanned(occasion, person.user, T0), occurrence: '3:2020-06-01' }
      expect(await store.saveOccasion(saveOf(occasion, { open: { kind: 'plant', event } }))).toBe('saved')
      expect(await store.findOccasion(occasion.id)).toEqual(occasion)
      expect(await eventOf(store, event.id)).toMatchObject({
        ...event,
        userId: person.user.id,
        eventType: 'PAYDAY',
        status: 'PENDING',
        wakeAt: T0,
        version: 1,
        createdAt: T0,
      })
      const { occasionId: _, ...seen } = event
      const { plans } = (await store.readPerson(person.user.id))!
      expect(plans.find((plan) => plan.occasion.id === occasion.id)).toEqual({
        occasion,
        task: null,
        open: { ...seen, status: 'PENDING', version: 1 },
        lastSettled: null,
      })
      expect(plans).toHaveLength(2)
      const [claim] = await claimAt(store, T0)
      expect(claim).toMatchObject({ id: event.id, occurrence: '3:2020-06-01', planRevision: 0, task: null })
      expect(claim!.occasion).toEqual(occasion)
    })

    it('adds one that has nothing to come', async () => {
      const { store } = current()
      const person = makePerson({ targetAt: T0 + DAY })
      await create(store, person)
      const occasion = makeOccasion(person.user, { type: 'PAYDAY', repeats: 'ONCE', date: '2019-01-01' })
      expect(await store.findOccasion(occasion.id)).toBeNull()
      expect(await store.saveOccasion(saveOf(occasion))).toBe('saved')
      expect(await store.findOccasion(occasion.id)).toEqual(occasion)
      expect(idsOf(await eventsOf(store, person.user.id))).toEqual([person.events[0]!.id])
    })

    it('replaces the version before it and moves its pending event, and nobody else', async () => {
      const { store } = current()
      const [person, other] = [makePerson(), makePerson({ targetAt: T0 + DAY })]
      await create(store, person, other)
      const before = await all(store, other)
      const occasion = changed(person, { date: '1999-07-01', pausedAt: null, series: 2 })
      const over = { occurrence: '2:2020', timezone: 'Asia/Tokyo', offsetSeconds: 32_400, tzVersion: '2026g' }
      const open = moveOf(person, over)
      expect(await store.saveOccasion(saveOf(occasion, { open, at: T0 - 9 }))).toBe('saved')
      expect(await store.findOccasion(occasion.id)).toEqual(occasion)
      expect(await eventOf(store, open.eventId)).toMatchObject({
        ...open.to,
        status: 'PENDING',
        version: 2,
        wakeAt: T0 + HOUR,
        updatedAt: T0 - 9,
      })
      expect(await claimAt(store, T0 + HOUR - 1)).toEqual([])
      expect(await claimAt(store, T0 + HOUR)).toMatchObject([{ id: open.eventId, version: 3, occasion }])
      expect(await all(store, other)).toEqual(before)
    })

    it('takes a pending event away, and can plant the same occurrence again', async () => {
      const { store } = current()
      const person = makePerson()
      await create(store, person)
      const paused = changed(person, { pausedAt: T0 - DAY })
      const open = { ...moveOf(person), to: null }
      expect(await store.saveOccasion(saveOf(paused, { open }))).toBe('saved')
      expect(await store.findOccasion(paused.id)).toEqual(paused)
      expect(await store.findEvent(open.eventId)).toBeNull()
      expect(await store.nextWakeAt()).toBeNull()
      expect(await claimAt(store, T0)).toEqual([])

      const event = { ...person.events[0]!, id: newId(T0) }
      const resumed = { ...paused, pausedAt: null, version: 3 }
      expect(await store.saveOccasion(saveOf(resumed, { open: { kind: 'plant', event } }))).toBe('saved')
      expect(await claimAt(store, T0)).toMatchObject([{ id: event.id, version: 2, occasion: resumed }])
    })

    it('leaves an event in flight as it is, and has its successor planned anew', async () => {
      const { store } = current()
      const { person, claim } = await createOneClaimed(store)
      const before = await store.findEvent(claim.id)
      const occasion = changed(person)
      const open = { kind: 'leave' as const, ...refOf(claim) }
      expect(await store.saveOccasion(saveOf(occasion, { open }))).toBe('saved')
      expect(await store.findEvent(claim.id)).toEqual(before)
      const replan = { settled: [], stale: [], replan: [claim.id] }
      expect(await store.settle([delivered(claim)])).toEqual(replan)
      const [fresh] = await store.readClaims([refOf(claim)])
      expect(fresh).toMatchObject({ version: claim.version, body: claim.body, occasion })
      const successor = { ...successorOf(fresh!), targetAt: T0 + YEAR + HOUR }
      expect((await store.settle([delivered(fresh!, { successor })])).settled).toEqual([claim.id])
      expect(await eventOf(store, successor.id)).toMatchObject({
        status: 'PENDING',
        wakeAt: T0 + YEAR + HOUR,
      })
    })

    it('leaves an event that waits for its next try', async () => {
      const { store } = current()
      const { person, claim } = await createOneClaimed(store)
      await store.settle([retry(claim, T0 + DAY)])
      const open = { kind: 'leave' as const, eventId: claim.id, version: claim.version + 1 }
      expect(await store.saveOccasion(saveOf(changed(person), { open }))).toBe('saved')
      const [again] = await claimAt(store, T0 + DAY)
      expect(again).toMatchObject({ id: claim.id, occasion: { localTime: '10:00', version: 2 } })
      expect((await store.settle([delivered(again!)])).settled).toEqual([claim.id])
    })

    it('pays no heed to a replay under way', async () => {
      const { store } = current()
      const { person, claim } = await createOneClaimed(store)
      await store.settle([failed(claim, 'HTTP 410', { successor: null })])
      const replay = { of: claim.id, id: newId(T0), ownKey: false, at: T0 + DAY }
      await store.replay([replay])
      const event = makePlanned(person.occasions[0]!, person.user, T0 + YEAR)
      const save = saveOf(changed(person), { open: { kind: 'plant', event } })
      expect(await store.saveOccasion(save)).toBe('saved')
      expect(idsOf(await claimAt(store, T0 + DAY))).toEqual([replay.id])
      expect(await store.readPerson(person.user.id)).toMatchObject({ plans: [{ open: { id: event.id } }] })
    })

    it('refuses an occurrence that was settled before: it writes nothing', async () => {
      const { store } = current()
      const { person, claim } = await createOneClaimed(store)
      await store.settle([delivered(claim, { successor: null })])
      const event = { ...person.events[0]!, id: newId(T0) }
      const again = saveOf(changed(person), { open: { kind: 'plant', event } })
      let before = await all(store, person)
      await expect(store.saveOccasion(again)).rejects.toThrow()
      expect(await all(store, person)).toEqual(before)

      const next = { ...event, occurrence: '2021', targetAt: T0 + YEAR }
      await store.saveOccasion({ ...again, open: { kind: 'plant', event: next } })
      before = await all(store, person)
      const open = { kind: 'move' as const, eventId: next.id, version: 1, to: event }
      await expect(store.saveOccasion(saveOf(changed(person, { version: 3 }), { open }))).rejects.toThrow()
      expect(await all(store, person)).toEqual(before)
    })
  })

  describe('saving an occasion writes nothing', () => {
    async function expectConflict(store: Store, person: NewPerson, why: string, save: OccasionSave) {
      const before = await all(store, person)
      // What a task would leave behind is seen even if the occasion is an ordinary one.
      const { task } = makeTask(person.user, { id: save.occasion.id })
      expect(await store.saveOccasion({ ...save, task }), why).toBe('conflict')
      expect(await all(store, person), why).toEqual(before)
    }

    it('when the user is gone or has changed', async () => {
      const { store } = current()
      const person = makePerson()
      const stranger = makeOccasion(makePerson().user)
      await create(store, person)
      const open: OpenChange = { kind: 'plant', event: makePlanned(stranger, person.user, T0) }
      await expectConflict(store, person, 'gone', saveOf(stranger, { open }))
      expect(await store.findOccasion(stranger.id)).toBeNull()
      expect(await store.findEvent(open.event!.id)).toBeNull()
      for (const userVersion of [0, 2]) {
        const save = saveOf(changed(person), { open: moveOf(person), userVersion })
        await expectConflict(store, person, `at version ${userVersion}`, save)
      }
      await store.updateUser({ user: { ...person.user, version: 2 }, reschedules: null })
      await expectConflict(store, person, 'changed', saveOf(changed(person), { open: moveOf(person) }))
    })

    it('when the occasion is there already, has changed, is gone, or is somebody else’s', async () => {
      const { store } = current()
      const [person, other] = [makePerson(), makePerson()]
      await create(store, person, other)
      const [occasion] = person.occasions
      const event = { ...person.events[0]!, id: newId(T0), occurrence: '2019' }
      const open: OpenChange = { kind: 'plant', event }
      await expectConflict(store, person, 'there already', saveOf(occasion!, { open }))
      await expectConflict(
        store,
        person,
        'there, with its event',
        saveOf(occasion!, { open: moveOf(person) }),
      )
      for (const version of [3, 9]) {
        const save = saveOf(changed(person, { version }), { open: moveOf(person) })
        await expectConflict(store, person, `version ${version}`, save)
      }
      const gone = makeOccasion(person.user, { version: 2 })
      await expectConflict(store, person, 'gone', saveOf(gone, { open: { kind: 'plant', event: null } }))
      const theirs = { ...changed(other), userId: person.user.id }
      await expectConflict(store, other, 'of another', saveOf(theirs, { open: moveOf(other) }))
      const stolen = saveOf(changed(person), { open: moveOf(other) })
      await expectConflict(store, other, 'the event of another', stolen)
      expect(await store.findOccasion(occasion!.id)).toEqual(occasion)
    })

    it('when its event is not as it was seen', async () => {
      const { store } = current()
      const save = (person: NewPerson, open: OpenChange) => saveOf(changed(person), { open })
      const pending = makePerson({ targetAt: T0 + DAY })
      await create(store, pending)
      const { id: eventId } = pending.events[0]!
      const planted = { ...pending.events[0]!, id: newId(T0), occurrence: '2021' }
      for (const [why, open] of [
        ['one is pending', NOTHING],
        ['one is pending, another planted', { kind: 'plant', event: planted }],
        ['pending at another version', { ...moveOf(pending), version: 2 }],
        ['another event', { ...moveOf(pending), eventId: newId(T0) }],
        ['pending, not in flight', { kind: 'leave', eventId, version: 1 }],
        ['pending, to be taken away at another version', { ...moveOf(pending), version: 2, to: null }],
      ] satisfies [string, OpenChange][]) {
        await expectConflict(store, pending, why, save(pending, open))
      }

      const { person: flying, claim } = await createOneClaimed(store)
      const leave: OpenChange = { kind: 'leave', ...refOf(claim) }
      for (const [why, open] of [
        ['one is in flight', NOTHING],
        ['claimed since', moveOf(flying)],
        ['claimed since, at its new version', { ...moveOf(flying), version: claim.version }],
        ['claimed since, to be taken away', { ...moveOf(flying), version: claim.version, to: null }],
        ['in flight at another version', { ...leave, version: claim.version - 1 }],
      ] satisfies [string, OpenChange][]) {
        await expectConflict(store, flying, why, save(flying, open))
      }
      await store.settle([retry(claim, T0 + HOUR)])
      await expectConflict(store, flying, 'put off since', save(flying, leave))
      const [again] = await claimAt(store, T0 + HOUR)
      await store.settle([delivered(again!)])
      const late: OpenChange = { kind: 'leave', ...refOf(again!) }
      await expectConflict(store, flying, 'settled since', save(flying, late))
      const settled: OpenChange = { kind: 'leave', eventId: again!.id, version: again!.version + 1 }
      await expectConflict(store, flying, 'settled', save(flying, settled))
    })

    it('for all but one of ten at the same time', async () => {
      const { store, another } = current()
      const other = await another()
      const person = makePerson()
      await create(store, person)
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) => {
          const open = moveOf(person, { targetAt: T0 + index * HOUR })
          const { occasion, task } = makeTask(person.user, {
            ...person.occasions[0],
            title: `${index}`,
            version: 2,
          })
          const save = saveOf({ ...occasion, template: `${index}`, version: 2 }, { open, task })
          return (index % 2 === 0 ? store : other).saveOccasion(save)
        }),
      )
      expect(results.filter((result) => result === 'saved')).toHaveLength(1)
      const winner = results.indexOf('saved')
      const { plans } = (await store.readPerson(person.user.id))!
      expect(plans).toMatchObject([
        {
          occasion: { template: `${winner}`, version: 2 },
          task: { title: `${winner}` },
          open: { targetAt: T0 + winner * HOUR, version: 2 },
        },
      ])
    })
  })

  describe('removing an occasion', () => {
    it('leaves nothing of it, and all of the others', async () => {
      const { store } = current()
      const { person, claim } = await createOneClaimed(store)
      await store.settle([retry(claim, T0 + DAY)])
      const before = await all(store, person)
      const occasion = makeOccasion(person.user, { type: 'PAYDAY' })
      const event = makePlanned(occasion, person.user, T0)
      await store.saveOccasion(saveOf(occasion, { open: { kind: 'plant', event } }))

      const [first] = await claimAt(store, T0)
      await store.settle([retry(first!, T0 + HOUR)])
      const [second] = await claimAt(store, T0 + HOUR)
      const last = failed(second!, 'HTTP 410')
      await store.settle([last])
      const replay = { of: event.id, id: newId(T0), ownKey: false, at: T0 + 2 * HOUR }
      await store.replay([replay])

      expect(await store.removeOccasion(newId(T0))).toBe(false)
      expect(await store.removeOccasion(occasion.id)).toBe(true)
      expect(await store.removeOccasion(occasion.id)).toBe(false)
      expect(await store.findOccasion(occasion.id)).toBeNull()
      for (const id of [event.id, last.successor!.id, replay.id]) {
        expect(await store.findEvent(id)).toBeNull()
        expect(await attemptsOf(store, id)).toEqual([])
      }
      const { items } = await store.listEvents({ limit: 10, cursor: null, occasionId: occasion.id })
      expect(items).toEqual([])
      expect(await all(store, person)).toEqual(before)

      // A body or an attempt left behind would come back with the id.
      await store.saveOccasion(saveOf(occasion, { open: { kind: 'plant', event } }))
      expect(await claimAt(store, T0, { says: () => 'new' })).toMatchObject([{ id: event.id, body: 'new' }])
      expect(await attemptsOf(store, event.id)).toEqual([])
    })

    it('while its event is in flight makes its settlement stale', async () => {
      const { store } = current()
      const { person, claim } = await createOneClaimed(store)
      expect(await store.removeOccasion(claim.occasionId)).toBe(true)
      const settlement = delivered(claim)
      expect(await store.settle([settlement])).toEqual({ settled: [], stale: [claim.id], replan: [] })
      expect(await store.findEvent(settlement.successor!.id)).toBeNull()
      expect(await store.readPerson(person.user.id)).toEqual({ user: person.user, plans: [] })
    })

    it('while its event is being rendered leaves nothing behind either', async () => {
      const { store, another } = current()
      const person = makePerson()
      await create(store, person)
      const [occasion] = person.occasions
      const other = await another()
      let removed: Promise<boolean> | null = null
      const claims = await claimAt(store, T0, {
        says: () => {
          removed = other.removeOccasion(occasion!.id)
          return 'old'
        },
      })
      expect(await removed).toBe(true)
      expect((await store.settle(claims.map((claim) => delivered(claim)))).settled).toEqual([])
      const open: OpenChange = { kind: 'plant', event: person.events[0]! }
      expect(await store.saveOccasion(saveOf(occasion!, { open }))).toBe('saved')
      expect(await claimAt(store, T0, { says: () => 'new' })).toMatchObject([{ body: 'new' }])
    })

    it('lets the user change without it', async () => {
      const { store } = current()
      const person = makePerson()
      await create(store, person)
      const user = { ...person.user, version: 2 }
      const reschedules = [{ eventId: person.events[0]!.id, version: 1, to: person.events[0]! }]
      await store.removeOccasion(person.occasions[0]!.id)
      expect(await store.updateUser({ user, reschedules })).toBe('conflict')
      expect(await store.updateUser({ user, reschedules: [] })).toBe('updated')
    })
  })
}
