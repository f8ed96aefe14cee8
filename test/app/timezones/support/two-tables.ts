// Two timezone tables, people planned by the older one, and their instants by each table.

import type { AppDeps } from '../../../../src/app/app-deps.ts'
import { createPeople, preparePerson } from '../../../../src/app/users/create.ts'
import { nextYearly } from '../../../../src/domain/occasions/next-occurrence.ts'
import { ruleOf } from '../../../../src/domain/occasions/schedule.ts'
import { loadTimezoneTable, type TimezoneTable } from '../../../../src/domain/time/tzdb.ts'
import type { NewPerson } from '../../../../src/ports/store.ts'
import earlier from '../../../data/tz-2025c.json' with { type: 'json' }
import later from '../../../data/tz-2026f.json' with { type: 'json' }

export const OLD = loadTimezoneTable(earlier)
export const NEW = loadTimezoneTable(later)

export const NOW = Date.parse('2026-11-15T12:00:00Z')

/** The same people, planned by that table. */
export const planningBy = (app: AppDeps, table: TimezoneTable): AppDeps => ({
  ...app,
  planner: { ids: app.planner.ids, table },
})

/** One person in each timezone for each birthday. */
export async function populate(
  app: AppDeps,
  where: { zones: readonly string[]; birthdays: readonly string[] },
): Promise<NewPerson[]> {
  const people = where.zones.flatMap((timezone) =>
    where.birthdays.map((birthday) => {
      const input = { firstName: 'Ada', lastName: timezone, dateOfBirth: `1992-${birthday}`, timezone }
      const person = preparePerson(app, input)
      if (!person.ok) throw new Error(JSON.stringify(person.problems))
      return person.value
    }),
  )
  await createPeople(app, people)
  return people
}

/** When a person's event is due by a table. */
export function dueBy(table: TimezoneTable, { user, occasions }: NewPerson, now = NOW): number {
  return nextYearly(ruleOf(occasions[0]!, user)!, { notBefore: now }, table).instant
}
