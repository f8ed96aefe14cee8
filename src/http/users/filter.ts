// Filters of people: by query for lists, by body for bulk operations.
import type { AppDeps } from '../../app/app-deps.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import type { Timezone } from '../../domain/time/timezone.ts'
import { unknownTimezone } from '../../domain/time/zone-suggestions.ts'
import { invalidInput, invalidQuery, type Problem } from '../server/problem.ts'

type Filter = { search?: string; timezone?: string }
type Parsed<F> = Omit<F, 'timezone'> & { timezone?: Timezone }

export function queryFilter<F extends Filter>(users: AppDeps, filter: F): Parsed<F> {
  return parseFilter(users, filter, 'timezone', invalidQuery)
}

export function bodyFilter<F extends Filter>(users: AppDeps, filter: F): Parsed<F> {
  return parseFilter(users, filter, 'filter.timezone', invalidInput)
}

function parseFilter<F extends Filter>(
  { planner: { table }, clock }: AppDeps,
  { timezone: name, ...filter }: F,
  field: string,
  reject: (problems: FieldProblem[]) => Problem,
): Parsed<F> {
  if (name === undefined) return filter
  // Any name of the table: people who were stored with an abbreviation can still be found.
  const timezone = table.canonicalName(name) as Timezone | null
  if (timezone === null) throw reject([unknownTimezone(field, name, { now: clock.now(), table })])
  return { ...filter, timezone }
}
