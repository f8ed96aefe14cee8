// The occasions: add, list, read, explain, change, pause, resume, delete, preview.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { entityTag } from '../../api/entity-tag.ts'
import { occasions } from '../../api/occasions/calls.ts'
import { occasionNotFound, occurrenceJson, planJson } from '../../api/occasions/json.ts'
import { invalidInput } from '../../api/problem.ts'
import { userNotFound } from '../../api/users/json.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { explainOccasion } from '../../app/occasions/explain-occasion.ts'
import { previewOccasion } from '../../app/occasions/preview-occasion.ts'
import { BUILT_IN_TEXTS, occasionType } from '../../domain/occasions/occasion-types.ts'
import { idOfKey } from '../server/idempotency.ts'
import { mount } from '../server/operation.ts'
import { inTurn } from '../server/turns.ts'
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

  mount(api, CREATE_OCCASION, async ({ c, params, query: { dryRun }, headers, body }) => {
    const how = { dryRun, id: dryRun ? undefined : idOfKey(c, headers) }
    const create = () => occasions.create(app, params.id, body, how)
    const { json, isNew } = await (body.template ? inTurn(c, create) : create())
    const made = { Location: `/occasion/${json.id}`, ETag: entityTag(json) }
    return c.json({ ...json, dryRun }, isNew && !dryRun ? 201 : 200, made)
  })

  mount(api, LIST_OCCASIONS, async ({ c, params }) => c.json(await occasions.ofUser(app, params.id)))

  mount(api, READ_OCCASION, async ({ c, params }) => {
    const json = await occasions.read(app, params.id)
    return c.json(json, 200, { ETag: entityTag(json) })
  })

  mount(api, CHANGE_OCCASION, async ({ c, params, query, headers, body }) => {
    const how = { dryRun: query.dryRun, ifVersion: headers['If-Match'] }
    const change = () => occasions.change(app, params.id, body, how)
    const json = await (body.template ? inTurn(c, change) : change())
    return c.json(json, 200, { ETag: entityTag(json.occasion) })
  })

  mount(api, DELETE_OCCASION, async ({ c, params }) => {
    await occasions.remove(app, params.id)
    return c.body(null, 204)
  })

  mount(api, EXPLAIN_OCCASION, async ({ c, params }) => {
    const explanation = await explainOccasion(app, params.id)
    if (explanation === null) throw occasionNotFound(params)
    const { summary, rule, plan, person } = explanation
    const { timezone } = person.user
    return c.json({ summary, rule, timezone, occasion: planJson(app, plan, person.user) })
  })

  for (const [operation, apply] of [
    [PAUSE_OCCASION, occasions.pause],
    [RESUME_OCCASION, occasions.resume],
  ] as const) {
    mount(api, operation, async ({ c, params }) => {
      const json = await apply(app, params.id)
      return c.json(json, 200, { ETag: entityTag(json) })
    })
  }
}
