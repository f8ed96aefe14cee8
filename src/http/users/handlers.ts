// The people: create, list, read, change, delete.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { deleteUser } from '../../app/users/bulk.ts'
import { type ChangeResult, changeUser } from '../../app/users/change.ts'
import { type CreateOutcome, createUsers } from '../../app/users/create.ts'
import { draftProblems } from '../../app/users/draft.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { moveJson } from '../occasions/json.ts'
import { entityTag, isKnown } from '../server/entity-tag.ts'
import { mountCreate } from '../server/idempotency.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { pageJson } from '../server/query.ts'
import { queryFilter } from './filter.ts'
import { asWritten, type UserJsonDraft } from './input.ts'
import { createdJson, userJson, userNotFound } from './json.ts'
import { CHANGE_USER, CREATE_USER, CREATE_USERS, DELETE_USER, LIST_USERS, READ_USER } from './operations.ts'
import { readPeoplePage } from './people-page.ts'

export function mountUsers(api: OpenAPIHono, app: AppDeps): void {
  mountCreate(api, CREATE_USER, app, {
    create: async ({ body }, respond) => {
      const responseOf = ([outcome]: readonly CreateOutcome[]) =>
        outcome?.kind === 'created' ? respond(createdJson(outcome.person)) : undefined
      const result = await createUsers(app, [body], responseOf)
      if (result.kind === 'response-exists') return result
      const outcome = result.outcomes[0]!
      if (outcome.kind === 'invalid') throw invalidInput(asWritten(body, outcome.problems))
      if (outcome.kind === 'taken') throw externalIdTaken()
      return { kind: 'created', json: createdJson(outcome.person) }
    },
    headers: ({ user }) => ({ Location: `/user/${user.id}`, ETag: entityTag(user) }),
  })

  mountCreate(api, CREATE_USERS, app, {
    create: async ({ body }, respond) => {
      const jsonOf = (outcomes: readonly CreateOutcome[]) => bulkJson(body.users, outcomes)
      const result = await createUsers(app, body.users, (outcomes) => respond(jsonOf(outcomes)))
      return result.kind === 'done' ? { kind: 'created', json: jsonOf(result.outcomes) } : result
    },
  })

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
    const problems = outcome.kind === 'taken' ? TAKEN : asWritten(drafts[index]!, outcome.problems)
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
