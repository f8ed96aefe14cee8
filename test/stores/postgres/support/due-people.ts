// People whose greeting has fallen due, planned by the product's own planner, so that their successors are, too.

import type { AppDeps } from '../../../../src/app/app-deps.ts'
import { createPeople, preparePerson } from '../../../../src/app/users/create.ts'
import { createIds } from '../../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'
import type { NewPerson, Store } from '../../../../src/ports/store.ts'
import { clockAt } from '../../../support/fixtures.ts'

export const planner = { ids: createIds(Math.random), table: tzdb }

/** What the users side needs, at an instant that stands still. */
export function usersAt(store: Store, now: number, deliverAt: string): AppDeps {
  const clock = clockAt(() => now)
  return { store, planner, clock, telemetry() {}, deliverAt, onPlanned() {} }
}

export type DuePeople = { people: NewPerson[]; dueAt: number }

/** Puts so many people into the store; their messages fell due a minute ago. */
export async function createDuePeople(store: Store, count: number): Promise<DuePeople> {
  const dueAt = Math.floor(Date.now() / 1000 - 60) * 1000
  const iso = new Date(dueAt).toISOString()
  const deps = usersAt(store, dueAt - 1_000, iso.slice(11, 19))
  const people: NewPerson[] = []
  for (let i = 0; i < count; i++) {
    const input = { firstName: 'Ada', lastName: `Lovelace ${i}`, timezone: 'UTC' }
    const person = preparePerson(deps, { ...input, dateOfBirth: `1992-${iso.slice(5, 10)}` })
    if (!person.ok) throw new Error('A person to be seeded is not valid.')
    people.push(person.value)
  }
  for (let i = 0; i < count; i += 2_000) await createPeople(deps, people.slice(i, i + 2_000))
  return { people, dueAt }
}
