// Occasions come, change, pause and resume with their events, and what is in flight runs as it is.

import { describe, expect } from 'vitest'
import { DAY, HOUR, makeOccasion, makePerson, makePlanned, newId, T0, YEAR } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { allOf, changed, moveOf, saveOf } from './occasion-fixtures.ts'
import {
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

export function describeOccasions(it: StoreIt): void {
  describe('saving an occasion', () => {
    it.transport('adds one with its event, every field as given', async (store) => {
      const person = makePerson({ targetAt: T0 + DAY })
      await create(store, person)
      const occasion = makeOccasion(person.user, {
        type: 'PAYDAY',
        date: '2020-01-31',
        localTime: '07:30:15',
        leapDay: 'FEBRUARY_28',
        repeats: 'FREQ=MONTHLY;BYMONTHDAY=-1',
        calendar: 'hebrew',
        ruleRevision: 3,
        until: '2030-12-31',
        pausedAt: T0 - 5,
        bulkPausedAt: T0 - 4,
        template: 'Rich again, {{ firstName }}',
        channelId: newId(T0),
        notAfter: '18:00',
        data: '{"child":"Ada \\u0000"}',
      })
      const event = { ...makePlanned(occasion, person.user, T0), occurrence: '3:2020-06-01' }
      expect(await store.saveOccasion(saveOf(occasion, { open: { kind: 'insert', event } }))).toBe('saved')
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

    it('adds an occasion without a future occurrence', async (store) => {
      const person = makePerson({ targetAt: T0 + DAY })
      await create(store, person)
      const occasion = makeOccasion(person.user, { type: 'PAYDAY', repeats: 'ONCE', date: '2019-01-01' })
      expect(await store.findOccasion(occasion.id)).toBeNull()
      expect(await store.saveOccasion(saveOf(occasion))).toBe('saved')
      expect(await store.findOccasion(occasion.id)).toEqual(occasion)
      expect(idsOf(await eventsOf(store, person.user.id))).toEqual([person.events[0]!.id])
    })

    it('replaces the version before it and moves its pending event, and no other event', async (store) => {
      const [person, other] = [makePerson(), makePerson({ targetAt: T0 + DAY })]
      await create(store, person, other)
      const before = await allOf(store, other)
      const occasion = changed(person, { date: '1999-07-01', pausedAt: null, ruleRevision: 2 })
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
      expect(await allOf(store, other)).toEqual(before)
    })

    it('deletes the pending event, and can insert its occurrence again', async (store) => {
      const person = makePerson()
      await create(store, person)
      const paused = changed(person, { pausedAt: T0 - DAY, bulkPausedAt: T0 - DAY })
      const open = { ...moveOf(person), to: null }
      expect(await store.saveOccasion(saveOf(paused, { open }))).toBe('saved')
      expect(await store.findOccasion(paused.id)).toEqual(paused)
      expect(await store.findEvent(open.eventId)).toBeNull()
      expect(await store.nextWakeAt()).toBeNull()
      expect(await claimAt(store, T0)).toEqual([])

      const event = { ...person.events[0]!, id: newId(T0) }
      const resumed = { ...paused, pausedAt: null, bulkPausedAt: null, version: 3 }
      expect(await store.saveOccasion(saveOf(resumed, { open: { kind: 'insert', event } }))).toBe('saved')
      expect(await claimAt(store, T0)).toMatchObject([{ id: event.id, version: 2, occasion: resumed }])
    })

    it('leaves an event in flight as it is, and has its successor planned again', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      const before = await store.findEvent(claim.id)
      const occasion = changed(person)
      const open = { kind: 'keepInFlight' as const, ...refOf(claim) }
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

    it('leaves an event that waits for its next try', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([retry(claim, T0 + DAY)])
      const open = { kind: 'keepInFlight' as const, eventId: claim.id, version: claim.version + 1 }
      expect(await store.saveOccasion(saveOf(changed(person), { open }))).toBe('saved')
      const [again] = await claimAt(store, T0 + DAY)
      expect(again).toMatchObject({ id: claim.id, occasion: { localTime: '10:00', version: 2 } })
      expect((await store.settle([delivered(again!)])).settled).toEqual([claim.id])
    })

    it('ignores a replay in flight', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([failed(claim, 'HTTP 410', { successor: null })])
      const replay = { of: claim.id, id: newId(T0), ownKey: false, at: T0 + DAY }
      await store.replay([replay])
      const event = makePlanned(person.occasions[0]!, person.user, T0 + YEAR)
      const save = saveOf(changed(person), { open: { kind: 'insert', event } })
      expect(await store.saveOccasion(save)).toBe('saved')
      expect(idsOf(await claimAt(store, T0 + DAY))).toEqual([replay.id])
      expect(await store.readPerson(person.user.id)).toMatchObject({ plans: [{ open: { id: event.id } }] })
    })

    it.transport('rejects an occurrence that was settled before, and writes nothing', async (store) => {
      const { person, claim } = await createOneClaimed(store)
      await store.settle([delivered(claim, { successor: null })])
      const event = { ...person.events[0]!, id: newId(T0) }
      const again = saveOf(changed(person), { open: { kind: 'insert', event } })
      let before = await allOf(store, person)
      await expect(store.saveOccasion(again)).rejects.toThrow()
      expect(await allOf(store, person)).toEqual(before)

      const next = { ...event, occurrence: '2021', targetAt: T0 + YEAR }
      await store.saveOccasion({ ...again, open: { kind: 'insert', event: next } })
      before = await allOf(store, person)
      const open = { kind: 'reschedule' as const, eventId: next.id, version: 1, to: event }
      await expect(store.saveOccasion(saveOf(changed(person, { version: 3 }), { open }))).rejects.toThrow()
      expect(await allOf(store, person)).toEqual(before)
    })
  })
}
