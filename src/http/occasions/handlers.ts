// The occasions: add, list, read, explain, change, pause, resume, delete, preview.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { explainOccasion } from '../../app/occasions/explain-occasion.ts'
import {
  changeOccasion,
  createOccasion,
  listOccasions,
  type OccasionResult,
  type OccasionSaved,
  pauseOccasion,
  readPlan,
  removeOccasion,
  resumeOccasion,
} from '../../app/occasions/occasions.ts'
import { previewOccasion } from '../../app/occasions/preview-occasion.ts'
import { BUILT_IN_TEXTS, MOST_OCCASIONS, occasionType } from '../../domain/occasions/occasion-types.ts'
import { entityTag } from '../server/entity-tag.ts'
import { createOnce } from '../server/idempotency.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { inTurn } from '../server/turns.ts'
import { userNotFound } from '../users/json.ts'
import {
  moveJson,
  nextAfter,
  type OccasionJson,
  occasionJson,
  occasionNotFound,
  occurrenceJson,
  planJson,
} from './json.ts'
import {
  CHANGE_OCCASION,
  CREATE_OCCASION,
  DELETE_OCCASION,
  EXPLAIN_OCCASION,
  LIST_OCCASIONS,
  LIST_TYPES,
  PAUSE_OCCASION,
  PREVIEW_OCCASION,
  READ_OCCASION,
  RESUME_OCCASION,
} from './operations.ts'

export function mountOccasions(api: OpenAPIHono, app: AppDeps): void {
  mount(api, PREVIEW_OCCASION, async ({ c, body }) => {
    const result = await inTurn(c, () => previewOccasion(app, body))
    if (result.kind === 'invalid') throw invalidInput(result.problems)
    if (result.kind === 'missing') throw userNotFound({ id: body.userId! })
    const { rule, nextReason, occurrences } = result
    return c.json({ rule, occurrences: occurrences.map(occurrenceJson), nextReason })
  })

  mount(api, LIST_TYPES, async ({ c }) => {
    const types = new Set([...Object.keys(BUILT_IN_TEXTS), ...(await app.store.listOccasionTypes())])
    return c.json({
      items: [...types].sort().map((type) => ({ type, builtInText: occasionType(type).text })),
    })
  })

  mountCreation(api, app)

  mount(api, LIST_OCCASIONS, async ({ c, params }) => {
    const person = await listOccasions(app, params.id)
    if (person === null) throw userNotFound(params)
    return c.json({ items: person.plans.map((plan) => planJson(app, plan, person.user)) })
  })

  mount(api, READ_OCCASION, async ({ c, params }) => {
    const found = await readPlan(app, params.id)
    if (found === null) throw occasionNotFound(params)
    return c.json(planJson(app, found.plan, found.person.user), 200, {
      ETag: entityTag(found.plan.occasion),
    })
  })

  mount(api, CHANGE_OCCASION, async ({ c, params, query, headers, body }) => {
    if (Object.keys(body).length === 0) {
      throw new Problem('NOTHING_TO_CHANGE', 'Send at least one field of an occasion.')
    }
    const how = { dryRun: query.dryRun, ifVersion: headers['If-Match'] }
    const change = () => changeOccasion(app, params.id, body, how)
    const result = await (body.template ? inTurn(c, change) : change())
    if (result.kind !== 'saved') throw problemOf(result, params)
    const skipped = result.open.kind === 'keepInFlight' ? 1 : 0
    const json = {
      occasion: savedJson(result),
      moves: result.moves.map(moveJson),
      skipped,
      dryRun: query.dryRun,
    }
    return c.json(json, 200, { ETag: entityTag(result.occasion) })
  })

  mount(api, DELETE_OCCASION, async ({ c, params }) => {
    const result = await removeOccasion(app, params.id)
    if (result === 'missing') throw occasionNotFound(params)
    if (result !== 'removed') throw problemOf(result, params)
    return c.body(null, 204)
  })

  mountExplain(api, app)

  for (const [operation, apply] of [
    [PAUSE_OCCASION, pauseOccasion],
    [RESUME_OCCASION, resumeOccasion],
  ] as const) {
    mount(api, operation, async ({ c, params }) => {
      const result = await apply(app, params.id)
      if (result.kind !== 'saved') throw problemOf(result, params)
      return c.json(savedJson(result), 200, { ETag: entityTag(result.occasion) })
    })
  }
}

function mountCreation(api: OpenAPIHono, app: AppDeps): void {
  mount(api, CREATE_OCCASION, async ({ c, params, query: { dryRun }, headers, body }) => {
    const { sendTodayNow = false, ...input } = body
    const respond = (json: z.infer<typeof OccasionJson>, status: 200 | 201) =>
      c.json({ ...json, dryRun }, status, { Location: `/occasion/${json.id}`, ETag: entityTag(json) })
    return createOnce({ c, headers: dryRun ? {} : headers }, app, 'occasion', {
      userId: params.id,
      async create(id) {
        const create = () => createOccasion(app, params.id, input, { dryRun, sendTodayNow, id })
        const result = await (body.template ? inTurn(c, create) : create())
        if (result.kind === 'keyed') return null
        if (result.kind !== 'saved')
          throw result.kind === 'missing' ? userNotFound(params) : problemOf(result, {})
        return respond(savedJson(result), dryRun ? 200 : 201)
      },
      async show(id) {
        const found = await readPlan(app, id)
        return found && respond(planJson(app, found.plan, found.person.user), 200)
      },
    })
  })
}

function mountExplain(api: OpenAPIHono, app: AppDeps): void {
  mount(api, EXPLAIN_OCCASION, async ({ c, params }) => {
    const explanation = await explainOccasion(app, params.id)
    if (explanation === null) throw occasionNotFound(params)
    const { summary, rule, plan, person } = explanation
    const { timezone } = person.user
    return c.json({ summary, rule, timezone, occasion: planJson(app, plan, person.user) })
  })
}

const savedJson = ({ occasion, user, open, isSettled }: OccasionSaved) =>
  occasionJson(occasion, user, nextAfter(open), { inFlight: open.kind === 'keepInFlight', isSettled })

function problemOf(result: Exclude<OccasionResult, OccasionSaved>, params: { id?: string }): Problem {
  switch (result.kind) {
    case 'invalid':
      return invalidInput(result.problems)
    case 'missing':
      return occasionNotFound(params)
    case 'outdated':
      return new Problem(
        'OUTDATED',
        'Read the occasion again, and repeat your change if it still makes sense.',
      )
    case 'full':
      return new Problem(
        'LIMIT_REACHED',
        `The person has ${MOST_OCCASIONS} occasions, the most there can be. Delete one: DELETE /occasion/:id.`,
      )
    case 'owned':
      return new Problem(
        'OCCASION_OWNED',
        result.by === 'task'
          ? 'It is the reminder of a task. Change or delete the task instead: /task/:id.'
          : 'It belongs to its user. Pause it instead: POST /occasion/:id/pause.',
      )
  }
}
