// The people: create, list, read, change, delete. Parses, calls the flow, writes the answer.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AppDeps } from '../../app/app-deps.ts'
import { changeUser, createPeople, takenExternalIds } from '../../app/users/users.ts'
import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { parseTimezone } from '../../domain/time/timezone.ts'
import type { UserQuery } from '../../ports/query.ts'
import type { CreateResult, NewPerson } from '../../ports/store.ts'
import { moveJson } from '../occasions/json.ts'
import { dryRunQuery } from '../occasions/operations.ts'
import { BODY_LIMIT, BULK_BODY_LIMIT, readJson } from '../server/body.ts'
import { entityTag, isKnown, readIfMatch } from '../server/entity-tag.ts'
import { type Creation, createOnce } from '../server/idempotency.ts'
import { mount } from '../server/operation.ts'
import { externalIdTaken, invalidInput, Problem } from '../server/problem.ts'
import { badQuery, pageJson, readPage, readQuery } from '../server/query.ts'
import { checkShape } from '../server/shape.ts'
import { readChange, readPerson } from './input.ts'
import { createdJson, userJson } from './json.ts'
import {
  BulkJson,
  CHANGE_USER,
  CREATE_USER,
  CREATE_USERS,
  DELETE_USER,
  LIST_USERS,
  READ_USER,
  usersQuery,
} from './operations.ts'

export function mountUsers(app: OpenAPIHono, users: AppDeps): void {
  mount(app, CREATE_USER, (c) => createUser(c, users))
  mount(app, CREATE_USERS, (c) => createUsers(c, users))
  mount(app, LIST_USERS, (c) => listUsers(c, users))
  mount(app, READ_USER, (c) => readUser(c, users))
  mount(app, CHANGE_USER, (c) => putUser(c, users))
  mount(app, DELETE_USER, (c) => deleteUser(c, users))
}

async function createUser(c: Context, users: AppDeps): Promise<Response | Problem> {
  const created = await createOnce(users, c.req.raw, {
    status: 201,
    bodyLimit: BODY_LIMIT,
    create: async (json, keep) => {
      const person = readPerson(users, json)
      if (!person.ok) return invalidInput(person.problems)
      if ((await takenExternalIds(users, [person.value])).size > 0) return externalIdTaken()
      const told = createdJson(person.value)
      return creationOf(told, [person.value], await createPeople(users, [person.value], keep(told)))
    },
  })
  if (created instanceof Problem) return created
  // Read from the body: a kept answer is all there is of the user as they were then.
  const { user } = JSON.parse(created.body) as ReturnType<typeof createdJson>
  const headers = { ...created.headers, Location: `/user/${user.id}`, ETag: entityTag(user) }
  return new Response(created.body, { status: created.status, headers })
}

async function createUsers(c: Context, users: AppDeps): Promise<Response | Problem> {
  const created = await createOnce(users, c.req.raw, {
    status: 200,
    bodyLimit: BULK_BODY_LIMIT,
    create: async (json, keep) => {
      const bulk = checkShape(BulkJson, json)
      if (!bulk.ok) return invalidInput(bulk.problems)
      const read = await refuseTaken(
        users,
        bulk.value.users.map((entry) => readPerson(users, entry)),
      )
      const people = read.flatMap((person) => (person.ok ? [person.value] : []))
      const results = read.map((person, index) =>
        person.ok
          ? { index, status: 'created', ...createdJson(person.value) }
          : { index, status: 'refused', problems: person.problems },
      )
      const told = { created: people.length, refused: read.length - people.length, results }
      return creationOf(told, people, await createPeople(users, people, keep(told)))
    },
  })
  if (created instanceof Problem) return created
  const { status, body, headers } = created
  return new Response(body, { status, headers })
}

function creationOf(json: object, people: readonly NewPerson[], result: CreateResult): Creation | Problem {
  if (result.kind === 'response-exists') return result
  // Somebody else took the external id between the look and the writing.
  return result.created === 0 && people.length > 0 ? externalIdTaken() : { kind: 'created', json }
}

/** Nobody is created under an external id that another has, or that two of them share. */
async function refuseTaken(users: AppDeps, read: Parsed<NewPerson>[]): Promise<Parsed<NewPerson>[]> {
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

async function listUsers(c: Context, users: AppDeps): Promise<Response | Problem> {
  const query = readQuery(c.req.url, usersQuery)
  if (query instanceof Problem) return query
  const asked = readUsersQuery(users, query)
  if (asked instanceof Problem) return asked
  return c.json(pageJson(await users.store.listUsers(asked), userJson))
}

export function readUsersQuery({ planner }: AppDeps, query: z.infer<typeof usersQuery>): UserQuery | Problem {
  const page = readPage(query)
  if (page instanceof Problem) return page
  const { search, timezone: wanted, externalId } = query
  const timezone = wanted === undefined ? undefined : parseTimezone(wanted, planner.table)
  if (timezone === null) return badQuery([unknownTimezone('timezone', wanted!)])
  return {
    ...page,
    ...(search && { search }),
    ...(timezone && { timezone }),
    ...(externalId !== undefined && { externalId }),
  }
}

export function unknownTimezone(field: string, text: string): FieldProblem {
  const message = `Unknown timezone "${text.slice(0, 60)}". Use an IANA name such as Asia/Jakarta.`
  return { field, code: 'UNKNOWN_TIMEZONE', message }
}

async function readUser(c: Context, users: AppDeps): Promise<Response | Problem> {
  const id = parseUuid(c.req.param('id') ?? '')
  const user = id && (await users.store.findUser(id))
  if (!user) return userNotFound(c)
  const headers = { ETag: entityTag(user) }
  if (isKnown(c.req.header('If-None-Match'), headers.ETag)) return c.body(null, 304, headers)
  return c.json(userJson(user), 200, headers)
}

async function putUser(c: Context, users: AppDeps): Promise<Response | Problem> {
  const id = parseUuid(c.req.param('id') ?? '')
  if (id === null) return userNotFound(c)
  const query = readQuery(c.req.url, dryRunQuery)
  if (query instanceof Problem) return query
  const ifVersion = readIfMatch(c.req.header('If-Match'))
  if (ifVersion instanceof Problem) return ifVersion
  const body = await readJson(c.req.raw)
  if (body instanceof Problem) return body
  const change = readChange(users, body.json)
  if (!change.ok) return invalidInput(change.problems)
  const { input, asWritten } = change.value
  if (Object.keys(input).length === 0) {
    return new Problem('NOTHING_TO_CHANGE', 'Give at least one field that a person has.')
  }
  const result = await changeUser(users, id, { input, ifVersion, dryRun: query.dryRun === 'true' })
  switch (result.kind) {
    case 'changed': {
      const { user, rescheduled, skipped } = result
      const json = { user: userJson(user), rescheduled, skipped, moves: result.moves.map(moveJson) }
      return c.json(json, 200, { ETag: entityTag(user) })
    }
    case 'invalid':
      return invalidInput(asWritten(result.problems))
    case 'missing':
      return userNotFound(c)
    case 'taken':
      return externalIdTaken()
    case 'outdated':
      return new Problem('OUTDATED', 'Read the user again, and repeat your change if it still makes sense.')
  }
}

async function deleteUser(c: Context, users: AppDeps): Promise<Response | Problem> {
  const id = parseUuid(c.req.param('id') ?? '')
  const deleted = id !== null && (await users.store.deleteUser(id))
  return deleted ? c.body(null, 204) : userNotFound(c)
}

export function userNotFound(c: Context): Problem {
  const id = c.req.param('id')?.slice(0, 60)
  return new Problem('USER_NOT_FOUND', `No user has the id "${id}". GET /user lists those there are.`)
}
