// Previews a template: checks it as if it were to be stored, renders it for a person, and stores nothing.

import { invalidInput } from '../../api/problem.ts'
import { asWritten, type UserJsonDraft } from '../../api/users/input.ts'
import { userIdIn, userNotFound } from '../../api/users/json.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { previewText } from '../../app/templates/preview.ts'
import { planDraft } from '../../app/users/create.ts'
import { type FieldProblem, type Parsed, TemplateError } from '../../domain/errors.ts'
import type { RenderedMail } from '../../domain/messages/message.ts'
import { parseTemplateText } from '../../domain/messages/template.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { User } from '../../domain/users/user.ts'
import type { Input } from '../server/input.ts'
import type { PREVIEW_TEMPLATE } from './operations.ts'

const EXAMPLE: UserJsonDraft = {
  input: { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'UTC' },
  written: {},
}

export async function previewTemplate(
  app: AppDeps,
  body: Input<typeof PREVIEW_TEMPLATE>['body'],
): Promise<RenderedMail> {
  const { type, userId, person, lateBySeconds } = body
  const text = parseTemplateText(body, app.clock)
  const problems: FieldProblem[] = text.ok ? [] : [...text.problems]
  if (userId !== undefined && person !== undefined) {
    const message = 'Send "userId" or "person", not both.'
    problems.push({ field: 'person', code: 'CONFLICTING_FIELDS', message })
  }
  const described = describePerson(app, person ?? EXAMPLE)
  if (!described.ok) problems.push(...described.problems)
  if (!text.ok || !described.ok || problems.length > 0) throw invalidInput(problems)
  const whom = userId === undefined ? described.value : await findPerson(app, userId, type)
  const occasion = { ...whom.occasion, type }
  try {
    const { clock, planner } = app
    const of = { user: whom.user, occasion, lateBySeconds, now: clock.now(), clock }
    return previewText(planner, text.value, of)
  } catch (error) {
    // A text that renders for the examples may still fail for this person.
    if (!(error instanceof TemplateError)) throw error
    throw invalidInput([{ field: 'body', code: error.code, message: error.message }])
  }
}

type Whom = { user: User; occasion: Occasion }

function describePerson(app: AppDeps, draft: UserJsonDraft): Parsed<Whom> {
  const person = planDraft(app, draft)
  if (person.ok) return { ok: true, value: { user: person.value.user, occasion: person.value.occasions[0]! } }
  const named = (field: string) => (field === '' ? 'person' : `person.${field}`)
  return {
    ok: false,
    problems: asWritten(draft, person.problems).map((one) => ({ ...one, field: named(one.field) })),
  }
}

/** The user with their occasion of that type, or with another of theirs if there is none. */
async function findPerson(app: AppDeps, userId: string, type: string): Promise<Whom> {
  const person = await app.store.readPerson(userIdIn(userId))
  const occasions = person?.plans.map(({ occasion }) => occasion) ?? []
  const occasion = occasions.find((one) => one.type === type) ?? occasions[0]
  if (person === null || occasion === undefined) throw userNotFound({ id: userId })
  return { user: person.user, occasion }
}
