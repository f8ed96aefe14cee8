// The people: create, list, read, change, delete.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { changeUser, createPeople, takenExternalIds } from '../../app/users/users.ts'
import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import { parseTimezone } from '../../domain/time/timezone.ts'
import type { UserQuery } from '../../ports/query.ts'
import type { CreateResult, NewPerson } from '../../ports/store.ts'
import { moveJson } from '../occasions/json.ts'
import { entityTag, isKnown } from '../server/entity-tag.ts'
import { type Creation, mountCreate } from '../server/idempotency.ts'
import type { Input } from '../server/input.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, invalidQuery, Problem } from '../server/problem.ts'
import { pageJson } from '../server/query.ts'
import { asWritten, readChange, readPerson } from './input.ts'
import { createdJson, userJson, userNotFound } from './json.ts'
import { CHANGE_USER, CREATE_USER, CREATE_USERS, DELETE_USER, LIST_USERS, READ_USER } from './operations.ts'

export function mountUsers(app: OpenAPIHono, users: AppDeps): void {
  mountCreate(app, CREATE_USER, users, {
    create: async ({ body }, respond) => {
      const person = readPerson(users, body)
      if (!person.ok) throw invalidInput(person.problems)
      if ((await takenExternalIds(users, [person.value])).size > 0) throw externalIdTaken()
      const json = createdJson(person.value)
      return creationOf(json, [person.value], await createPeople(users, [person.value], respond(json)))
    },
    headers: ({ user }) => ({ Location: `/user/${user.id}`, ETag: entityTag(user) }),
  })

  mountCreate(app, CREATE_USERS, users, {
    create: async ({ body }, respond) => {
      const read = await rejectTaken(
        users,
        body.users.map((draft) => readPerson(users, draft)),
      )
      const people = read.flatMap((person) => (person.ok ? [person.value] : []))
      const results = read.map((person, index) =>
        person.ok
          ? { index, status: 'created' as const, ...createdJson(person.value) }
          : { index, status: 'refused' as const, problems: person.problems },
      )
      const json = { created: people.length, refused: read.length - people.length, results }
      return creationOf(json, people, await createPeople(users, people, respond(json)))
    },
  })

  mount(app, LIST_USERS, async ({ c, query }) =>
    c.json(pageJson(await users.store.listUsers(readUsersQuery(users, query)), userJson)),
  )

  mount(app, READ_USER, async ({ c, params, headers }) => {
    const user = await users.store.findUser(params.id)
    if (user === null) throw userNotFound(params)
    const ETag = entityTag(user)
    if (isKnown(headers['If-None-Match'], ETag)) return c.body(null, 304, { ETag })
    return c.json(userJson(user), 200, { ETag })
  })

  mount(app, CHANGE_USER, async ({ c, params, query, headers, body }) => {
    const change = readChange(users, body)
    if (!change.ok) throw invalidInput(change.problems)
    const input = change.value
    if (Object.keys(input).length === 0) {
      throw new Problem('NOTHING_TO_CHANGE', 'Give at least one field that a person has.')
    }
    const how = { input, ifVersion: headers['If-Match'], dryRun: query.dryRun }
    const result = await changeUser(users, params.id, how)
    switch (result.kind) {
      case 'changed': {
        const { user, rescheduled, skipped } = result
        const json = { user: userJson(user), rescheduled, skipped, moves: result.moves.map(moveJson) }
        return c.json(json, 200, { ETag: entityTag(user) })
      }
      case 'invalid':
        throw invalidInput(asWritten(body, result.problems))
      case 'missing':
        throw userNotFound(params)
      case 'taken':
        throw externalIdTaken()
      case 'outdated':
        throw new Problem('OUTDATED', 'Read the user again, and repeat your change if it still makes sense.')
    }
  })

  mount(app, DELETE_USER, async ({ c, params }) => {
    if (!(await users.store.deleteUser(params.id))) throw userNotFound(params)
    return c.body(null, 204)
  })
}

function creationOf<J>(json: J, people: readonly NewPerson[], result: CreateResult): Creation<J> {
  if (result.kind === 'response-exists') return result
  // Another request used the external id between the read and the write.
  if (result.created === 0 && people.length > 0) throw externalIdTaken()
  return { kind: 'created', json }
}

function externalIdTaken(): Problem {
  return new Problem(
    'EXTERNAL_ID_TAKEN',
    'Change that person with PUT /user/:id, or use another external id.',
  )
}

/** Nobody is created under an external id that another has, or that two of them share. */
async function rejectTaken(users: AppDeps, read: Parsed<NewPerson>[]): Promise<Parsed<NewPerson>[]> {
  const taken = await takenExternalIds(
    users,
    read.flatMap((person) => (person.ok ? [person.value] : [])),
  )
  const message = 'Another person has this external id. Give each their own.'
  return read.map((person) =>
    person.ok && person.value.user.externalId !== null && taken.has(person.value.user.externalId)
      ? { ok: false, problems: [{ field: 'externalId', code: 'EXTERNAL_ID_TAKEN', message }] }
      : person,
  )
}

export function readUsersQuery({ planner }: AppDeps, query: Input<typeof LIST_USERS>['query']): UserQuery {
  const { timezone: wanted, ...filter } = query
  const timezone = wanted === undefined ? undefined : parseTimezone(wanted, planner.table)
  if (timezone === null) throw invalidQuery([unknownTimezone('timezone', wanted!)])
  return { ...filter, ...(timezone && { timezone }) }
}

export function unknownTimezone(field: string, text: string): FieldProblem {
  const message = `Unknown timezone "${text.slice(0, 60)}". Use an IANA name such as Asia/Jakarta.`
  return { field, code: 'UNKNOWN_TIMEZONE', message }
}
