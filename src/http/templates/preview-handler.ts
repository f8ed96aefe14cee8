// Tries a text out on somebody: checks it as if it were to be stored, renders it, and keeps nothing.
import type { Context } from 'hono'
import type { AppDeps } from '../../app/app-deps.ts'
import { previewText } from '../../app/templates/preview.ts'
import { type FieldProblem, type Parsed, TemplateError } from '../../domain/errors.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { parseTemplateText } from '../../domain/messages/template.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { User } from '../../domain/users/user.ts'
import { readJson } from '../server/body.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { checkShape } from '../server/shape.ts'
import { readPerson } from '../users/input.ts'
import { Preview } from './json.ts'

const EXAMPLE = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'UTC' }

export async function previewTemplate(c: Context, users: AppDeps): Promise<Response | Problem> {
  const json = await readJson(c.req.raw)
  if (json instanceof Problem) return json
  const shape = checkShape(Preview, json.json)
  if (!shape.ok) return invalidInput(shape.problems)
  const { type, userId, person, lateBySeconds } = shape.value
  const text = parseTemplateText(shape.value)
  const problems: FieldProblem[] = text.ok ? [] : [...text.problems]
  if (userId !== undefined && person !== undefined) {
    const message = 'Give "userId" or "person", not both.'
    problems.push({ field: 'person', code: 'CONFLICTING_FIELDS', message })
  }
  const described = describePerson(users, person ?? EXAMPLE)
  if (!described.ok) problems.push(...described.problems)
  if (!text.ok || !described.ok || problems.length > 0) return invalidInput(problems)
  const whom = userId === undefined ? described.value : await findPerson(users, userId, type)
  if (whom instanceof Problem) return whom
  const occasion = { ...whom.occasion, type }
  try {
    const now = users.clock.now()
    return c.json(previewText(users.planner, text.value, { user: whom.user, occasion, lateBySeconds, now }))
  } catch (error) {
    // What the examples take may yet fail for this person.
    if (!(error instanceof TemplateError)) throw error
    return invalidInput([{ field: 'body', code: error.code, message: error.message }])
  }
}

type Whom = { user: User; occasion: Occasion }

function describePerson(users: AppDeps, json: unknown): Parsed<Whom> {
  const read = readPerson(users, json)
  if (read.ok) return { ok: true, value: { user: read.value.user, occasion: read.value.occasions[0]! } }
  const named = (field: string) => (field === '' ? 'person' : `person.${field}`)
  return { ok: false, problems: read.problems.map((one) => ({ ...one, field: named(one.field) })) }
}

/** With their occasion of that type, or with their birthday for want of one. */
async function findPerson(users: AppDeps, userId: string, type: string): Promise<Whom | Problem> {
  const id = parseUuid(userId)
  const person = id === null ? null : await users.store.readPerson(id)
  const occasions = person?.plans.map(({ occasion }) => occasion) ?? []
  const occasion = occasions.find((one) => one.type === type) ?? occasions[0]
  if (person === null || occasion === undefined) {
    const shown = userId.slice(0, 60)
    return new Problem('USER_NOT_FOUND', `No user has the id "${shown}". GET /user lists those there are.`)
  }
  return { user: person.user, occasion }
}
