// Puts people into a SQLite file whose messages fell due a minute ago.
import { createPeople, preparePerson } from '../../../src/app/users/create.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { clockAt } from '../../support/fixtures.ts'

export type Due = { userId: string; eventId: string }

/** They were born on this day in 1988. */
export async function seedDuePeople(
  file: string,
  people: readonly { firstName: string; lastName: string; email?: string }[],
): Promise<Due[]> {
  const dueAt = Math.floor(Date.now() / 1000 - 60) * 1000
  const iso = new Date(dueAt).toISOString()
  const store = openSqliteStore(file)
  const clock = clockAt(dueAt - 1000)
  const planner = { ids: createIds(Math.random), table: tzdb }
  const deps = { store, planner, clock, telemetry() {}, deliverAt: iso.slice(11, 19), onPlanned() {} }
  const prepared = people.map((person) => {
    const dateOfBirth = `1988-${iso.slice(5, 10)}`
    const made = preparePerson(deps, { ...person, dateOfBirth, timezone: 'UTC' })
    if (!made.ok) throw new Error(JSON.stringify(made.problems))
    return made.value
  })
  await createPeople(deps, prepared)
  await store.close()
  return prepared.map(({ user, events }) => ({ userId: user.id, eventId: events[0]!.id }))
}
