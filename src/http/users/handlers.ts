// The people: create, list, read, change, delete.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { entityTag, isKnown } from '../../api/entity-tag.ts'
import { users } from '../../api/users/calls.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { idOfKey } from '../server/idempotency.ts'
import { mount } from '../server/operation.ts'
import { CHANGE_USER, CREATE_USER, CREATE_USERS, DELETE_USER, LIST_USERS, READ_USER } from './operations.ts'

export function mountUsers(api: OpenAPIHono, app: AppDeps): void {
  mount(api, CREATE_USER, async ({ c, headers, body }) => {
    const { json, isNew } = await users.create(app, body, idOfKey(c, headers))
    const { user } = json
    return c.json(json, isNew ? 201 : 200, { Location: `/user/${user.id}`, ETag: entityTag(user) })
  })

  mount(api, CREATE_USERS, async ({ c, body }) => c.json(await users.createMany(app, body.users)))

  mount(api, LIST_USERS, async ({ c, query }) => c.json(await users.list(app, query)))

  mount(api, READ_USER, async ({ c, params, headers }) => {
    const json = await users.read(app, params.id)
    const ETag = entityTag(json)
    return isKnown(headers['If-None-Match'], ETag) ? c.body(null, 304, { ETag }) : c.json(json, 200, { ETag })
  })

  mount(api, CHANGE_USER, async ({ c, params, query, headers, body }) => {
    const how = { ifVersion: headers['If-Match'], dryRun: query.dryRun }
    const json = await users.change(app, params.id, body, how)
    return c.json(json, 200, { ETag: entityTag(json.user) })
  })

  mount(api, DELETE_USER, async ({ c, params }) => {
    await users.remove(app, params.id)
    return c.body(null, 204)
  })
}
