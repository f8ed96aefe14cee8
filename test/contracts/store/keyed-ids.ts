// Keyed ids: one record for each, however many requests name it, and none after a deletion.
import { describe, expect } from 'vitest'
import { keyedId } from '../../../src/domain/events/uuid.ts'
import type { Store } from '../../../src/ports/store.ts'
import { DAY, makeOccasion, makePerson, makePlanned, makeTask, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { saveOf } from './occasion-fixtures.ts'
import { create, eventsOf } from './steps.ts'

const ID = keyedId('signup-1', 'k1')
const REJECT = { ifTaken: 'reject' } as const

/** A person whose id and birthday are named by the key. */
function keyedPerson(id = ID) {
  const { user } = makePerson()
  const keyed = { ...user, id }
  const birthday = makeOccasion(keyed, { id })
  return { user: keyed, occasions: [birthday], events: [makePlanned(birthday, keyed, T0)] }
}

type Person = ReturnType<typeof makePerson>

const keyedOccasion = ({ user }: Person, id = ID) => {
  const occasion = makeOccasion(user, { id, type: 'PAYDAY' })
  return saveOf(occasion, { open: { kind: 'insert', event: makePlanned(occasion, user, T0 + DAY) } })
}

const keyedTask = ({ user }: Person, id = ID) => {
  const { occasion, task } = makeTask(user, {})
  return saveOf({ ...occasion, id }, { task: { ...task, id } })
}

/** Each way to create a record with the id, and whether one of the requests did. */
const KINDS = {
  person: async (store: Store) => (await store.createUsers([keyedPerson()], REJECT)).kind === 'created',
  occasion: async (store: Store, owner: Person) =>
    (await store.saveOccasion(keyedOccasion(owner))) === 'saved',
  task: async (store: Store, owner: Person) => (await store.saveOccasion(keyedTask(owner))) === 'saved',
}

export function describeKeyedIds(it: StoreIt): void {
  describe('a keyed id', () => {
    it.transport('is given to one of twenty requests of all kinds at once', async (store, { another }) => {
      const other = await another()
      const owner = makePerson()
      await create(store, owner)
      const kinds = Object.values(KINDS)
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, index) => kinds[index % 3]!(index % 2 === 0 ? store : other, owner)),
      )
      expect(made.filter(Boolean)).toHaveLength(1)
      const occasion = await store.findOccasion(ID)
      const [user, task] = [await store.findUser(ID), await store.findTask(ID)]
      expect([user !== null, task !== null]).toEqual([
        occasion!.userId === ID,
        occasion!.type === 'TASK_REMINDER',
      ])
      // A person comes whole, and a request that lost has left nothing.
      expect((await store.listUsers({ limit: 10, cursor: null })).items).toHaveLength(user === null ? 1 : 2)
      if (user !== null) expect(await eventsOf(store, ID)).toHaveLength(1)
    })

    it.transport('of a person is taken for an occasion and a task, and the reverse', async (store) => {
      const owner = makePerson()
      await create(store, owner)
      expect(await KINDS.person(store)).toBe(true)
      expect([await KINDS.occasion(store, owner), await KINDS.task(store, owner)]).toEqual([false, false])
      expect(await KINDS.person(store)).toBe(false)
      const id = keyedId('signup-2', 'k1')
      expect(await store.saveOccasion(keyedTask(owner, id))).toBe('saved')
      expect(await store.createUsers([keyedPerson(id)], REJECT)).toEqual({ kind: 'taken' })
      expect(await store.findUser(id)).toBeNull()
      expect(await store.findTask(id)).not.toBeNull()
    })

    for (const [name, make] of Object.entries(KINDS))
      it.transport(`of a deleted ${name} creates nothing again`, async (store) => {
        const owner = makePerson()
        await create(store, owner)
        expect(await store.isDeletedKey(ID)).toBe(false)
        expect(await make(store, owner)).toBe(true)
        expect(await store.isDeletedKey(ID)).toBe(false)
        if (name === 'person') await store.deleteUser(ID, T0)
        else await store.removeOccasion(ID, T0)
        expect(await store.isDeletedKey(ID)).toBe(true)
        for (const again of Object.values(KINDS)) expect(await again(store, owner)).toBe(false)
        expect([await store.findUser(ID), await store.findOccasion(ID)]).toEqual([null, null])
        const object = {
          action: 'record.deleted',
          objectKind: name === 'person' ? 'user' : name,
          objectId: ID,
        }
        const entries = await store.listAuditEntries({ limit: 10, before: null })
        expect(entries).toMatchObject([{ ...object, at: T0, actor: null, count: 1 }])
      })

    it('of what a deleted person had creates nothing for another person', async (store) => {
      const [gone, other] = [makePerson(), makePerson()]
      await create(store, gone, other)
      expect(await store.saveOccasion(keyedOccasion(gone))).toBe('saved')
      await store.deleteUsers([gone.user.id], T0)
      expect(await store.saveOccasion(keyedOccasion(other))).toBe('conflict')
      expect(await store.findOccasion(ID)).toBeNull()
    })

    it('creates nothing after a deletion that runs at the same time', async (store, { another }) => {
      const other = await another()
      const owner = makePerson()
      await create(store, owner)
      for (let round = 0; round < 10; round++) {
        const id = keyedId(`round-${round}`, null)
        const make = [
          async () => (await store.createUsers([keyedPerson(id)], REJECT)).kind === 'created',
          async () => (await store.saveOccasion(keyedOccasion(owner, id))) === 'saved',
        ][round % 2]!
        expect(await make()).toBe(true)
        const remove = () => (round % 2 === 0 ? other.deleteUser(id, T0) : other.removeOccasion(id, T0))
        const [, ...made] = await Promise.all([remove(), make(), make(), make()])
        expect(made).toEqual([false, false, false])
        expect([await store.findUser(id), await store.findOccasion(id)]).toEqual([null, null])
      }
    })

    it('leaves the ids of all other records out of the audit log', async (store) => {
      const person = makePerson()
      await create(store, person)
      await store.deleteUser(person.user.id, T0)
      expect(await store.listAuditEntries({ limit: 10, before: null })).toEqual([])
      await create(store, person)
    })
  })
}
