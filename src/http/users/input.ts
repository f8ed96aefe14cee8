// Turns the JSON of a person into what the flow takes, or into all that is wrong with it: shape and meaning at once.
import { z } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { preparePerson } from '../../app/users/users.ts'
import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import { parseUserFields, type UserInput } from '../../domain/users/user.ts'
import type { NewPerson } from '../../ports/store.ts'
import { checkShape } from '../server/shape.ts'

const name = { description: '1 to 100 characters.', minLength: 1, maxLength: 100 }
const fields = {
  firstName: z.string().openapi({ ...name, example: 'Ada' }),
  lastName: z.string().openapi({ ...name, example: 'Lovelace' }),
  dateOfBirth: z.string().openapi({
    description: 'YYYY-MM-DD, not in the future where the person lives.',
    format: 'date',
    example: '1990-12-15',
  }),
  timezone: z.string().openapi({
    description: 'An IANA timezone name, in any letter case.',
    example: 'America/Vancouver',
  }),
  email: z.string().nullable().optional().openapi({
    description: 'An e-mail address; null for none.',
    example: 'ada@example.com',
  }),
  language: z.string().nullable().optional().openapi({
    description:
      'The language they are written to in, as a tag such as de or pt-BR; null for the default text.',
    example: 'en',
  }),
  externalId: z.string().nullable().optional().openapi({
    description:
      'What the person is called in the system they come from, 1 to 200 characters, unique; null for nothing.',
    example: 'crm-4711',
  }),
}

/** Other names that fields are accepted under. */
const ALIASES = { birthDate: 'dateOfBirth', location: 'timezone' } as const
const aliasFields = {
  birthDate: z.string().optional().openapi({ description: 'Another name of dateOfBirth.', format: 'date' }),
  location: z.string().optional().openapi({ description: 'Another name of timezone.' }),
}

const sendTodayNow = z.boolean().optional().openapi({
  description:
    'If today is the birthday and its time has passed: greet at once, and not only from next year on.',
  example: false,
})

const UserFields = z.strictObject(fields)
const NewUser = UserFields.extend({ sendTodayNow })
const UserChange = UserFields.partial()

const example = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1990-12-15',
  timezone: 'America/Vancouver',
  email: 'ada@example.com',
}
export const NewUserJson = z
  .strictObject({ ...fields, ...aliasFields, sendTodayNow })
  .openapi('NewUser', { example })
export const UserChangeJson = z
  .strictObject({ ...UserChange.shape, ...aliasFields })
  .openapi('UserChange', { example: { timezone: 'Europe/London' } })

export function readPerson(users: AppDeps, json: unknown): Parsed<NewPerson> {
  const read = readFields(users, NewUser, json)
  if (!read.ok) return read
  const { sendTodayNow = false, ...input } = read.value.input
  const person = preparePerson(users, input, { sendTodayNow })
  return person.ok ? person : { ok: false, problems: read.value.asWritten(person.problems) }
}

/** `asWritten` puts the caller's own field names into problems that are found later. */
export function readChange(users: AppDeps, json: unknown): Parsed<Read<Partial<UserInput>>> {
  // The cast: JSON has no undefined, so a field that is absent has no key either.
  return readFields(users, UserChange as unknown as z.ZodType<Partial<UserInput>>, json)
}

type AsWritten = (problems: readonly FieldProblem[]) => FieldProblem[]
type Read<T> = { input: T; asWritten: AsWritten }

function readFields<T>(users: AppDeps, schema: z.ZodType<T>, json: unknown): Parsed<Read<T>> {
  const named = resolveAliases(json)
  const shape = checkShape(schema, named.value)
  if (shape.ok && named.conflicts.length === 0) {
    return { ok: true, value: { input: shape.value, asWritten: named.asWritten } }
  }
  const misshapen = [...named.conflicts, ...(shape.ok ? [] : shape.problems)]
  const problems = [...misshapen, ...meaningProblems(users, named.value, misshapen)]
  return { ok: false, problems: named.asWritten(problems) }
}

type Named = { value: unknown; conflicts: FieldProblem[]; asWritten: AsWritten }

function resolveAliases(json: unknown): Named {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { value: json, conflicts: [], asWritten: (problems) => [...problems] }
  }
  const value: Record<string, unknown> = { ...json }
  const conflicts: FieldProblem[] = []
  const written = new Map<string, string>()
  for (const [alias, name] of Object.entries(ALIASES)) {
    if (!Object.hasOwn(value, alias)) continue
    const given = value[alias]
    delete value[alias]
    if (!Object.hasOwn(value, name)) {
      value[name] = given
      written.set(name, alias)
    } else if (value[name] !== given) {
      const message = `"${name}" and "${alias}" are two names of one field, and differ. Give one of them.`
      conflicts.push({ field: alias, code: 'CONFLICTING_FIELDS', message })
    }
  }
  const asWritten: AsWritten = (problems) =>
    problems.map((problem) => ({ ...problem, field: written.get(problem.field) ?? problem.field }))
  return { value, conflicts, asWritten }
}

/** What the domain says of the fields that have the right shape, when others have not. */
function meaningProblems(users: AppDeps, value: unknown, misshapen: readonly FieldProblem[]): FieldProblem[] {
  if (misshapen.some(({ field }) => field === '')) return []
  const bad = new Set(misshapen.map(({ field }) => field))
  const given = Object.entries(value as UserInput).filter(
    ([key]) => Object.hasOwn(fields, key) && !bad.has(key),
  )
  const blank: UserInput = { firstName: '', lastName: '', dateOfBirth: '', timezone: '' }
  const parsed = parseUserFields(
    { ...blank, ...Object.fromEntries(given) },
    { now: users.clock.now(), table: users.planner.table },
  )
  const names = new Set(given.map(([key]) => key))
  return parsed.ok ? [] : parsed.problems.filter(({ field }) => names.has(field))
}
