// Users as JSON, and the path that names one.
import { z } from '@hono/zod-openapi'
import { newEvent } from '../../domain/events/event.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { User } from '../../domain/users/user.ts'
import type { NewPerson } from '../../ports/store.ts'
import { EventJson, eventJson } from '../events/json.ts'
import { id, idInput, instant, version } from '../server/fields.ts'
import { Problem } from '../server/problem.ts'

export const USER_ID = '019a84f1-8c00-7000-8000-2f6b1c9d3e4a'

/** For operations on `/user/{id}`. */
export const ofUser = {
  params: z.object({ id: idInput('The id of the user.', USER_ID) }),
  notFound: userNotFound,
}

export function userNotFound({ id = '' }: { id?: string }): Problem {
  return new Problem(
    'USER_NOT_FOUND',
    `No user has the id "${id.slice(0, 60)}". GET /user lists those there are.`,
  )
}

/** The id of a user in a body: a text that is no id is the id of no user. */
export function userIdIn(text: string): string {
  const id = parseUuid(text)
  if (id === null) throw userNotFound({ id: text })
  return id
}

export const UserJson = z
  .object({
    id: id('Made by the service; never changes.', USER_ID),
    firstName: z.string().openapi({ example: 'Ada' }),
    lastName: z.string().openapi({ example: 'Lovelace' }),
    dateOfBirth: z.string().openapi({ format: 'date', example: '1990-12-15' }),
    timezone: z.string().openapi({ description: 'In IANA spelling.', example: 'America/Vancouver' }),
    email: z.string().nullable().openapi({ example: 'ada@example.com' }),
    language: z
      .string()
      .nullable()
      .openapi({ description: 'The language they are written to in.', example: 'en' }),
    externalId: z.string().nullable().openapi({
      description: 'What they are called in the system they come from.',
      example: 'crm-4711',
    }),
    createdAt: instant('When the user was created.', '2026-11-15T04:00:00.000Z'),
    updatedAt: instant('When the user last changed.', '2026-11-15T04:00:00.000Z'),
    version,
  })
  .openapi('User')

export function userJson(user: User): z.infer<typeof UserJson> {
  const { id, firstName, lastName, dateOfBirth, timezone, email, language, externalId, version } = user
  const [createdAt, updatedAt] = [formatInstant(user.createdAt), formatInstant(user.updatedAt)]
  const fields = { firstName, lastName, dateOfBirth, timezone, email, language, externalId }
  return { id, ...fields, createdAt, updatedAt, version }
}

export const CreatedJson = z.object({ user: UserJson, nextBirthdayEvent: EventJson })

/** A new user and their birthday as the store will have them: the answer is written before they are read back. */
export function createdJson({ user, occasions, events }: NewPerson): z.infer<typeof CreatedJson> {
  const birthday = occasions.find(({ type }) => type === 'BIRTHDAY')!
  const planned = events.find(({ occasionId }) => occasionId === birthday.id)!
  const event = newEvent(planned, { userId: user.id, eventType: birthday.type, now: user.createdAt })
  return { user: userJson(user), nextBirthdayEvent: eventJson(event) }
}
