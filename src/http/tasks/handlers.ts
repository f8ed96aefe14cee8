// The tasks: create, list, read, change, complete, delete.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { entityTag } from '../../api/entity-tag.ts'
import { tasks } from '../../api/tasks/calls.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { idOfKey } from '../server/idempotency.ts'
import { mount } from '../server/operation.ts'
import { CHANGE_TASK, COMPLETE_TASK, CREATE_TASK, DELETE_TASK, LIST_TASKS, READ_TASK } from './operations.ts'

export function mountTasks(api: OpenAPIHono, app: AppDeps): void {
  mount(api, CREATE_TASK, async ({ c, headers, body }) => {
    const { json, isNew } = await tasks.create(app, body, idOfKey(c, headers))
    return c.json(json, isNew ? 201 : 200, { Location: `/task/${json.id}`, ETag: entityTag(json) })
  })

  mount(api, LIST_TASKS, async ({ c, query }) => c.json(await tasks.list(app, query)))

  mount(api, READ_TASK, async ({ c, params }) => {
    const json = await tasks.read(app, params.id)
    return c.json(json, 200, { ETag: entityTag(json) })
  })

  mount(api, CHANGE_TASK, async ({ c, params, headers, body }) => {
    const json = await tasks.change(app, params.id, body, headers['If-Match'])
    return c.json(json, 200, { ETag: entityTag(json) })
  })

  mount(api, COMPLETE_TASK, async ({ c, params }) => {
    const json = await tasks.complete(app, params.id)
    return c.json(json, 200, { ETag: entityTag(json) })
  })

  mount(api, DELETE_TASK, async ({ c, params }) => {
    await tasks.remove(app, params.id)
    return c.body(null, 204)
  })
}
