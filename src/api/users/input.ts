// Reads the JSON of a person. A draft keeps the fields that can be read beside the problems of the others, so that the
// app can report all problems at once.
import { z } from '@hono/zod-openapi'
import type { UserDraft } from '../../app/users/draft.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { checkShape } from '../shape.ts'
import { ALIASES, aliasInputs, fieldInputs } from './fields.ts'

const sendTodayNow = z.boolean().optional().openapi({
  description:
    'If today is the birthday and the delivery time has passed: send the message now instead of next year.',
  example: false,
})

const UserFields = z.strictObject(fieldInputs)
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
  .strictObject({ ...fieldInputs, ...aliasInputs, sendTodayNow })
  .openapi('NewUser', { example })
export const UserChangeJson = z
  .strictObject({ ...UserChange.shape, ...aliasInputs })
  .openapi('UserChange', { example: { timezone: 'Europe/London' } })

/** A draft, with the field names that the caller used. */
export type UserJsonDraft = UserDraft & {
  /** Field names as the caller wrote them, where these differ: `timezone` → `location`. */
  written: Record<string, string>
}

export const userDraft = z.unknown().transform((json) => readDraft(NewUser, json))
export const changeDraft = z.unknown().transform((json) => readDraft(UserChange, json))

export const usersBody = z
  .strictObject({
    users: z
      .array(userDraft)
      .min(1, 'Must have at least one person.')
      .max(1000, 'Must have at most 1000 people. Send the rest in another request.')
      .openapi({
        type: 'array',
        items: { $ref: '#/components/schemas/NewUser' },
        minItems: 1,
        maxItems: 1000,
        description: '1 to 1000 people.',
      }),
  })
  .openapi('NewUsers', {
    example: {
      users: [
        { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'America/Vancouver' },
        { firstName: 'Raden', lastName: 'Kartini', dateOfBirth: '1979-04-21', timezone: 'Asia/Jakarta' },
      ],
    },
  })

function readDraft(schema: z.ZodType, json: unknown): UserJsonDraft {
  const { value, conflicts, written } = resolveAliases(json)
  const shape = checkShape(schema, value)
  const problems = [...conflicts, ...(shape.ok ? [] : shape.problems)]
  const bad = new Set(problems.map(({ field }) => field))
  const given = bad.has('') ? {} : (value as Record<string, unknown>)
  const input = Object.entries(given).filter(([key]) => Object.hasOwn(fieldInputs, key) && !bad.has(key))
  return {
    input: Object.fromEntries(input),
    sendTodayNow: given.sendTodayNow === true,
    problems,
    written,
  }
}

type Named = { value: unknown; conflicts: FieldProblem[]; written: Record<string, string> }

function resolveAliases(json: unknown): Named {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { value: json, conflicts: [], written: {} }
  }
  const value: Record<string, unknown> = { ...json }
  const conflicts: FieldProblem[] = []
  const written: Record<string, string> = {}
  for (const { alias, name } of ALIASES) {
    if (!Object.hasOwn(value, alias)) continue
    const given = value[alias]
    delete value[alias]
    if (!Object.hasOwn(value, name)) {
      value[name] = given
      written[name] = alias
    } else if (value[name] !== given) {
      const message = `"${name}" and "${alias}" are names of the same field but differ. Send one of them.`
      conflicts.push({ field: alias, code: 'CONFLICTING_FIELDS', message })
    }
  }
  return { value, conflicts, written }
}

/** Puts the caller's own field names into problems. */
export function asWritten({ written }: UserJsonDraft, problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.map((problem) => {
    const { field } = problem
    return { ...problem, field: Object.hasOwn(written, field) ? written[field]! : field }
  })
}
