// An occasion that is not as it was seen is not written, nor its task, nor its event.

import { describe, expect } from 'vitest'
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
} from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { allOf, changed, moveOf, NOTHING, saveOf } from './occasion-fixtures.ts'
import { claimAt, create, createOneClaimed, delivered, refOf, retry } from './steps.ts'

export function describeOccasionConflicts(it: StoreIt): void {
  describe('saving an occasion writes nothing', () => {
    async function expectConflict(store: Store, person: NewPerson, why: string, save: OccasionSave) {
      const before = await allOf(store, person)
      // What a task would leave behind is seen even if the occasion is an ordinary one.
      const { task } = makeTask(person.user, { id: save.occasion.id })
      expect(await store.saveOccasion({ ...save, task }), why).toBe('conflict')
      expect(await allOf(store, person), why).toEqual(before)
    }

    it('when the user is gone or has changed', async (store) => {
      const person = makePerson()
      const unsaved = makeOccasion(makePerson().user)
      await create(store, person)
      const open: OpenChange = { kind: 'insert', event: makePlanned(unsaved, person.user, T0) }
      await expectConflict(store, person, 'gone', saveOf(unsaved, { open }))
      expect(await store.findOccasion(unsaved.id)).toBeNull()
      expect(await store.findEvent(open.event!.id)).toBeNull()
      for (const userVersion of [0, 2]) {
        const save = saveOf(changed(person), { open: moveOf(person), userVersion })
        await expectConflict(store, person, `at version ${userVersion}`, save)
      }
      await store.updateUser({ user: { ...person.user, version: 2 }, reschedules: null })
      await expectConflict(store, person, 'changed', saveOf(changed(person), { open: moveOf(person) }))
    })

    it('when the occasion exists already, has changed, was deleted, or belongs to another user', async (store) => {
      const [person, other] = [makePerson(), makePerson()]
      await create(store, person, other)
      const [occasion] = person.occasions
      const event = { ...person.events[0]!, id: newId(T0), occurrence: '2019' }
      const open: OpenChange = { kind: 'insert', event }
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
      await expectConflict(store, person, 'gone', saveOf(gone, { open: { kind: 'insert', event: null } }))
      const theirs = { ...changed(other), userId: person.user.id }
      await expectConflict(store, other, 'of another', saveOf(theirs, { open: moveOf(other) }))
      const stolen = saveOf(changed(person), { open: moveOf(other) })
      await expectConflict(store, other, 'the event of another', stolen)
      expect(await store.findOccasion(occasion!.id)).toEqual(occasion)
    })

    it('when its event is not as it was seen', async (store) => {
      const save = (person: NewPerson, open: OpenChange) => saveOf(changed(person), { open })
      const pending = makePerson({ targetAt: T0 + DAY })
      await create(store, pending)
      const { id: eventId } = pending.events[0]!
      const planted = { ...pending.events[0]!, id: newId(T0), occurrence: '2021' }
      for (const [why, open] of [
        ['one is pending', NOTHING],
        ['one is pending, another planted', { kind: 'insert', event: planted }],
        ['pending at another version', { ...moveOf(pending), version: 2 }],
        ['another event', { ...moveOf(pending), eventId: newId(T0) }],
        ['pending, not in flight', { kind: 'keepInFlight', eventId, version: 1 }],
        ['pending, to be deleted at another version', { ...moveOf(pending), version: 2, to: null }],
      ] satisfies [string, OpenChange][]) {
        await expectConflict(store, pending, why, save(pending, open))
      }

      const { person: flying, claim } = await createOneClaimed(store)
      const leave: OpenChange = { kind: 'keepInFlight', ...refOf(claim) }
      for (const [why, open] of [
        ['one is in flight', NOTHING],
        ['claimed since', moveOf(flying)],
        ['claimed since, at its new version', { ...moveOf(flying), version: claim.version }],
        ['claimed since, to be deleted', { ...moveOf(flying), version: claim.version, to: null }],
        ['in flight at another version', { ...leave, version: claim.version - 1 }],
      ] satisfies [string, OpenChange][]) {
        await expectConflict(store, flying, why, save(flying, open))
      }
      await store.settle([retry(claim, T0 + HOUR)])
      await expectConflict(store, flying, 'put off since', save(flying, leave))
      const [again] = await claimAt(store, T0 + HOUR)
      await store.settle([delivered(again!)])
      const late: OpenChange = { kind: 'keepInFlight', ...refOf(again!) }
      await expectConflict(store, flying, 'settled since', save(flying, late))
      const settled: OpenChange = { kind: 'keepInFlight', eventId: again!.id, version: again!.version + 1 }
      await expectConflict(store, flying, 'settled', save(flying, settled))
    })

    it('for all but one of ten at the same time', async (store, { another }) => {
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
}
