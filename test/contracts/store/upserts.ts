// A person who is created or changed by external id from many processes at once: one person, whose last change stands.
import { describe, expect } from 'vitest'
import type { AppDeps } from '../../../src/app/app-deps.ts'
import { type UpsertResult, upsertUser, upsertUsers } from '../../../src/app/users/upsert.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { Store } from '../../../src/ports/store.ts'
import { clockAt, seededDice, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import { eventsOf } from './steps.ts'

const NAMES = Array.from({ length: 4 }, (_, index) => `hr-${index}`)
const CALLS = 4

const depsOn = (store: Store, seed: number): AppDeps => ({
  store,
  planner: { ids: createIds(seededDice(seed)), table: tzdb },
  clock: clockAt(T0),
  telemetry: () => {},
  deliverAt: '09:00',
  onPlanned: () => {},
})

/** Every process sends each person, with a last name of its own, at once. */
async function upsertAtOnce(stores: readonly Store[]): Promise<UpsertResult[]> {
  const processes = Array.from({ length: CALLS }, (_, index) =>
    depsOn(stores[index % stores.length]!, index + 1),
  )
  const calls = processes.flatMap((deps, index) =>
    NAMES.map((externalId) => {
      const person = { firstName: 'Ada', dateOfBirth: '1990-12-15', timezone: 'Etc/UTC' }
      return upsertUser(deps, externalId, { input: { ...person, lastName: `of process ${index}` } })
    }),
  )
  return Promise.all(calls)
}

/** What is wrong, in words; empty if each external id has one person with one event. */
async function findDuplicates(store: Store, results: readonly UpsertResult[]): Promise<string[]> {
  const found: string[] = []
  const { items } = await store.listUsers({ limit: 1_000, cursor: null })
  if (items.length !== NAMES.length) found.push(`${items.length} people for ${NAMES.length} external ids`)
  const created = results.filter(({ kind }) => kind === 'created').length
  if (created !== NAMES.length) found.push(`${created} calls report a new person`)
  for (const { id } of items)
    if ((await eventsOf(store, id)).length !== 1) found.push('a person without exactly one event')
  return found
}

export function describeUpserts(it: StoreIt): void {
  describe('creating or changing by external id', () => {
    it('creates one person when many first calls come at once, and the others change them', async (store, {
      another,
    }) => {
      const results = await upsertAtOnce([store, await another()])
      expect(results.map(({ kind }) => kind).sort()).toEqual([
        ...NAMES.flatMap(() => Array.from({ length: CALLS - 1 }, () => 'changed')),
        ...NAMES.map(() => 'created'),
      ])
      expect(await findDuplicates(store, results)).toEqual([])
    })

    it.transport(
      'upserts many people as it does one after the other: new, changed, unchanged, repeated and invalid ones',
      async (store) => {
        const deps = depsOn(store, 1)
        const upsert = (externalId: string, fields: object = {}) => {
          const person = { firstName: 'Ada', lastName: 'L', dateOfBirth: '1990-12-15', timezone: 'Etc/UTC' }
          return { externalId, draft: { input: { ...person, ...fields } } }
        }
        await upsertUsers(deps, [upsert('hr-1'), upsert('hr-2'), upsert('hr-3')])
        const results = await upsertUsers(deps, [
          upsert('hr-1'),
          upsert('hr-2', { lastName: 'King' }),
          upsert('hr-4'),
          upsert('hr-5', { timezone: 'Nowhere' }),
          upsert('hr-3', { lastName: 'King' }),
          upsert('hr-3'),
          upsert('hr-6'),
          upsert(' hr-6 ', { lastName: 'King' }),
        ])
        expect(results.map(({ kind }) => kind)).toEqual([
          ...['changed', 'changed', 'created', 'invalid', 'changed', 'changed', 'created', 'changed'],
        ])
        const { items } = await store.listUsers({ limit: 99, cursor: null })
        const found = items.map(({ externalId, lastName, version }) => `${externalId} ${lastName} ${version}`)
        expect(found.sort()).toEqual(['hr-1 L 1', 'hr-2 King 2', 'hr-3 L 3', 'hr-4 L 1', 'hr-6 King 2'])
      },
    )

    it('creates a new person if the one it found is deleted or renamed before the change', async (store) => {
      const person = { firstName: 'Ada', lastName: 'L', dateOfBirth: '1990-12-15', timezone: 'Etc/UTC' }
      const first = await upsertUser(depsOn(store, 1), 'hr-1', { input: person })
      const { user } = (first as UpsertResult & { kind: 'created' }).person
      let calls = 0
      const interrupted = new Proxy(store, {
        get: (inner, operation) =>
          operation === 'findUsersByExternalId'
            ? async (ids: readonly string[]) => {
                const found = await inner.findUsersByExternalId(ids)
                if (calls++ === 0)
                  await inner.updateUser({
                    user: { ...user, externalId: 'hr-2', version: 2 },
                    reschedules: null,
                  })
                return found
              }
            : inner[operation as keyof Store],
      })
      const renamed = await upsertUser(depsOn(interrupted, 2), 'hr-1', {
        input: { ...person, lastName: 'M' },
      })
      expect(renamed.kind).toBe('created')
      expect(await store.findUser(user.id)).toMatchObject({ externalId: 'hr-2', lastName: 'L' })
    })
  })
}
