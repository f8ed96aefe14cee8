// A new occasion or task comes in once, under the response that was promised for it.
import { describe, expect } from 'vitest'
import {
  DAY,
  makeOccasion,
  makePeople,
  makePerson,
  makePlanned,
  makeTask,
  T0,
} from '../../support/fixtures.ts'
import type { Current, StoreIt } from '../store.contract.ts'
import { allOf, changed, moveOf, saveOf } from './occasion-fixtures.ts'
import { create, storedAt } from './steps.ts'

type Person = ReturnType<typeof makePerson>

const responseOf = (body: string, key = 'sha256:request-1') => ({ key, fingerprint: 'f1', status: 201, body })

/** A new occasion with its event, and the response that names it. */
function payday({ user }: Person, key?: string) {
  const occasion = makeOccasion(user, { type: 'PAYDAY' })
  const event = makePlanned(occasion, user, T0 + DAY)
  const response = responseOf(`{"id":"${occasion.id}"}`, key)
  return { occasion, response, save: saveOf(occasion, { open: { kind: 'insert', event } }) }
}

export function describeOccasionResponses(it: StoreIt, current: Current): void {
  describe('the response to a request for an occasion', () => {
    async function begin() {
      const { store } = current()
      const person = makePerson()
      await create(store, person)
      return { store, person }
    }

    it('is kept with the occasion, or the task, that it was given for', async () => {
      const { store, person } = await begin()
      const { occasion, save, response } = payday(person)
      expect(await store.saveOccasion(save, storedAt(response, T0))).toBe('saved')
      expect(await store.findOccasion(occasion.id)).toEqual(occasion)
      expect(await store.findResponse('sha256:request-1', 0)).toEqual(response)
      const { occasion: reminder, task } = makeTask(person.user)
      const told = responseOf('Renew the passport', 'sha256:request-2')
      expect(await store.saveOccasion(saveOf(reminder, { task }), storedAt(told, T0))).toBe('saved')
      expect(await store.findTask(task.id)).toEqual({ ...task, externalId: null })
      expect(await store.findResponse('sha256:request-2', 0)).toEqual(told)
    })

    it('is returned to a second request with its key, which writes nothing', async () => {
      const { store, person } = await begin()
      const first = payday(person)
      await store.saveOccasion(first.save, storedAt(first.response, T0))
      const before = await allOf(store, person)
      const { occasion, task } = makeTask(person.user)
      const event = makePlanned(occasion, person.user, T0)
      const second = saveOf(occasion, { task, open: { kind: 'insert', event } })
      const other = { ...responseOf('other'), fingerprint: 'f2' }
      const result = await store.saveOccasion(second, storedAt(other, T0 + 1))
      expect(result).toEqual({ kind: 'response-exists', response: first.response })
      expect(await allOf(store, person)).toEqual(before)
      expect(await store.findResponse('sha256:request-1', 0)).toEqual(first.response)
    })

    it('shares its key with the responses to requests that create people', async () => {
      const { store, person } = await begin()
      const { save, response, occasion } = payday(person)
      await store.saveOccasion(save, storedAt(response, T0))
      const unknownUser = makePerson()
      const result = await store.createUsers([unknownUser], storedAt(responseOf('people'), T0))
      expect(result).toEqual({ kind: 'response-exists', response })
      expect(await store.findUser(unknownUser.user.id)).toBeNull()
      await store.createUsers([unknownUser], storedAt(responseOf('people', 'sha256:request-2'), T0))
      const again = payday(person, 'sha256:request-2')
      expect(await store.saveOccasion(again.save, storedAt(again.response, T0))).toMatchObject({
        kind: 'response-exists',
        response: { body: 'people' },
      })
      expect(await store.findOccasion(again.occasion.id)).toBeNull()
      expect(await store.findOccasion(occasion.id)).toEqual(occasion)
    })

    it('is not stored if nothing was written: its key stays free', async () => {
      const { store, person } = await begin()
      const { save, response } = payday(person)
      const kept = storedAt(response, T0)
      const { occasion: unknownOccasion } = payday(makePerson())
      expect(await store.saveOccasion({ ...save, userVersion: 2 }, kept)).toBe('conflict')
      expect(await store.saveOccasion(saveOf(unknownOccasion), kept)).toBe('conflict')
      expect(await store.saveOccasion(saveOf(person.occasions[0]!), kept)).toBe('conflict')
      const again = saveOf(makeOccasion(person.user, { id: person.occasions[0]!.id }), {
        open: moveOf(person),
      })
      expect(await store.saveOccasion(again, kept)).toBe('conflict')
      const outdated = saveOf(changed(person, { version: 3 }), { open: moveOf(person) })
      expect(await store.saveOccasion(outdated, kept)).toBe('conflict')
      expect(await store.findResponse('sha256:request-1', 0)).toBeNull()
      expect(await store.saveOccasion(save, kept)).toBe('saved')
      expect(await store.findResponse('sha256:request-1', 0)).toEqual(response)
    })

    it('is not stored if the write failed', async () => {
      const { store, person } = await begin()
      const { save, response, occasion } = payday(person)
      const taken = { ...makePlanned(occasion, person.user, T0), id: person.events[0]!.id }
      const impossible = { ...save, open: { kind: 'insert' as const, event: taken } }
      await expect(store.saveOccasion(impossible, storedAt(response, T0))).rejects.toThrow()
      expect(await store.findResponse('sha256:request-1', 0)).toBeNull()
      expect(await store.findOccasion(occasion.id)).toBeNull()
    })

    it('that has expired is replaced by the next one under its key in one call', async () => {
      const { store, person } = await begin()
      const [first, second] = [payday(person), payday(person)]
      await store.saveOccasion(first.save, storedAt(first.response, T0))
      expect(await store.saveOccasion(second.save, storedAt(second.response, T0 + DAY + 1))).toBe('saved')
      expect(await store.findResponse('sha256:request-1', 0)).toEqual(second.response)
    })

    it('is erased with the user; those of others stay', async () => {
      const { store, person } = await begin()
      const other = makePerson()
      await create(store, other)
      const [ours, theirs] = [payday(person), payday(other, 'sha256:request-2')]
      await store.saveOccasion(ours.save, storedAt(ours.response, T0))
      await store.saveOccasion(theirs.save, storedAt(theirs.response, T0))
      // A request that was rejected because of another response's key does not link that response to this user.
      const late = payday(person, 'sha256:request-2')
      await store.saveOccasion(late.save, storedAt(late.response, T0))
      await store.saveOccasion({ ...late.save, userVersion: 2 }, storedAt(late.response, T0))
      await store.deleteUser(person.user.id, T0)
      expect(await store.findResponse('sha256:request-1', 0)).toEqual({ ...ours.response, body: null })
      expect(await store.findResponse('sha256:request-2', 0)).toEqual(theirs.response)
    })

    it('is erased with the occasion; that of another occasion stays', async () => {
      const { store, person } = await begin()
      const [one, two] = [payday(person, 'one'), payday(person, 'two')]
      await store.saveOccasion(one.save, storedAt(one.response, T0))
      await store.saveOccasion(two.save, storedAt(two.response, T0))
      await store.removeOccasion(one.occasion.id, T0)
      expect(await store.findResponse('one', 0)).toEqual({ ...one.response, body: null })
      expect(await store.findResponse('two', 0)).toEqual(two.response)
      const again = payday(person, 'one')
      expect(await store.saveOccasion(again.save, storedAt(again.response, T0))).toEqual({
        kind: 'response-exists',
        response: { ...one.response, body: null },
      })
    })

    it('is one for twenty requests with one key at the same time, of one user or of many', async (store, {
      another,
    }) => {
      const other = await another()
      const people = makePeople(20)
      await create(store, ...people)
      for (const [key, whose] of [
        ['of one', () => people[0]!],
        ['of many', (index: number) => people[index]!],
      ] as const) {
        const requests = people.map((_, index) => payday(whose(index), key))
        const results = await Promise.all(
          requests.map(({ save, response }, index) =>
            (index % 2 === 0 ? store : other).saveOccasion(save, storedAt(response, T0)),
          ),
        )
        expect(results.filter((result) => result === 'saved')).toHaveLength(1)
        const winner = requests[results.indexOf('saved')]!
        const told = results.filter((result) => result !== 'saved')
        expect(told).toEqual(Array(19).fill({ kind: 'response-exists', response: winner.response }))
        for (const { occasion } of requests) {
          const found = await store.findOccasion(occasion.id)
          expect(found).toEqual(occasion.id === winner.occasion.id ? occasion : null)
        }
      }
    })
  })
}
