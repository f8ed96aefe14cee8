// The people: create, list, read, change, delete.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { findKeyed } from '../../app/keyed-records.ts'
import { deleteUser } from '../../app/users/bulk.ts'
import { type ChangeResult, changeUser } from '../../app/users/change.ts'
import { type CreateOutcome, createUsers } from '../../app/users/create.ts'
import { draftProblems } from '../../app/users/draft.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import type { User } from '../../domain/users/user.ts'
import { eventJson } from '../events/json.ts'
import { moveJson } from '../occasions/json.ts'
import { entityTag, isKnown } from '../server/entity-tag.ts'
import { createOnce } from '../server/idempotency.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { pageJson } from '../server/query.ts'
import { queryFilter } from './filter.ts'
import { asWritten, type UserJsonDraft } from './input.ts'
import { createdJson, userJson, userNotFound } from './json.ts'
import { CHANGE_USER, CREATE_USER, CREATE_USERS, DELETE_USER, LIST_USERS, READ_USER } from './operations.ts'
import { readPeoplePage } from './people-page.ts'

export function mountUsers(api: OpenAPIHono, app: AppDeps): void {
  mount(api, CREATE_USER, async ({ c, headers, body }) => {
    const headersOf = (user: User) => ({ Location: `/user/${user.id}`, ETag: entityTag(user) })
    return createOnce({ c, headers }, app, 'user', {
      async create(id) {
        const [outcome] = (await createUsers(app, [body], id)) as [CreateOutcome]
        if (outcome.kind === 'invalid') throw invalidInput(asWritten(body, outcome.problems))
        if (outcome.kind === 'taken') {
          if (id !== undefined && (await findKeyed(app, id)) !== null) return null
          throw externalIdTaken()
        }
        return c.json(createdJson(outcome.person), 201, headersOf(outcome.person.user))
      },
      async show(id) {
        const person = await app.store.readPerson(id)
        if (person === null) return null
        const { user, plans } = person
        const open = plans.find(({ occasion }) => occasion.id === id)?.open
        const found = open && (await app.store.findEvent(open.id))
        const nextBirthdayEvent = found ? eventJson({ ...found.event, externalId: user.externalId }) : null
        return c.json({ user: userJson(user), nextBirthdayEvent }, 200, headersOf(user))
      },
    })
  })

  mount(api, CREATE_USERS, async ({ c, body }) =>
    c.json(bulkJson(body.users, await createUsers(app, body.users))),
  )

  mount(api, LIST_USERS, async ({ c, query }) => {
    const page = await readPeoplePage(app, queryFilter(app, query), app.store.listUsers)
    return c.json(pageJson(page, userJson))
  })

  mount(api, READ_USER, async ({ c, params, headers }) => {
    const user = await app.store.findUser(params.id)
    if (user === null) throw userNotFound(params)
    const ETag = entityTag(user)
    if (isKnown(headers['If-None-Match'], ETag)) return c.body(null, 304, { ETag })
    return c.json(userJson(user), 200, { ETag })
  })

  mount(api, CHANGE_USER, async ({ c, params, query, headers, body }) => {
    const { input, problems = [] } = body
    if (problems.length > 0) throw invalidInput(asWritten(body, draftProblems(app, body)))
    if (Object.keys(input).length === 0) {
      throw new Problem('NOTHING_TO_CHANGE', 'Send at least one field of a person.')
    }
    const how = { input, ifVersion: headers['If-Match'], dryRun: query.dryRun }
    const result = await changeUser(app, params.id, how)
    switch (result.kind) {
      case 'changed':
        return c.json({ ...changedJson(result), dryRun: query.dryRun }, 200, { ETag: entityTag(result.user) })
      case 'invalid':
        throw invalidInput(asWritten(body, result.problems))
      case 'missing':
        throw userNotFound(params)
      case 'taken':
        throw externalIdTaken()
      case 'outdated':
        throw outdated()
    }
  })

  mount(api, DELETE_USER, async ({ c, params }) => {
    if (!(await deleteUser(app, params.id))) throw userNotFound(params)
    return c.body(null, 204)
  })
}

export function changedJson({ user, rescheduled, skipped, moves }: ChangeResult & { kind: 'changed' }) {
  return { user: userJson(user), rescheduled, skipped, moves: moves.map(moveJson) }
}

export function outdated(): Problem {
  return new Problem('OUTDATED', 'Read the user again, and repeat your change if it still makes sense.')
}

function bulkJson(drafts: readonly UserJsonDraft[], outcomes: readonly CreateOutcome[]) {
  const results = outcomes.map((outcome, index) => {
    if (outcome.kind === 'created') {
      return { index, status: 'created' as const, ...createdJson(outcome.person) }
    }
    const problems = outcome.kind === 'invalid' ? asWritten(drafts[index]!, outcome.problems) : TAKEN
    return { index, status: 'rejected' as const, problems }
  })
  const created = results.filter(({ status }) => status === 'created').length
  return { created, rejected: results.length - created, results }
}

const TAKEN: FieldProblem[] = [
  {
    field: 'externalId',
    code: 'EXTERNAL_ID_TAKEN',
    message: 'Another person has this external id. External ids must be unique.',
  },
]

function externalIdTaken(): Problem {
  return new Problem(
    'EXTERNAL_ID_TAKEN',
    'Change that person with PUT /user/by-external-id/:externalId, or use another external id.',
  )
}
