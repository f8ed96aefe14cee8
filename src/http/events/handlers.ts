// The events, for reading only: when each is due, why then, and its attempts.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { events } from '../../api/events/calls.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { mount } from '../server/operation.ts'
import { EXPLAIN_EVENT, LIST_EVENTS, LIST_EVENTS_OF_USER, READ_EVENT } from './operations.ts'

export function mountEvents(api: OpenAPIHono, app: AppDeps): void {
  mount(api, LIST_EVENTS, async ({ c, query }) => c.json(await events.list(app, query)))

  mount(api, LIST_EVENTS_OF_USER, async ({ c, params, query }) =>
    c.json(await events.ofUser(app, params.id, query)),
  )

  mount(api, READ_EVENT, async ({ c, params }) => c.json(await events.read(app, params.id)))

  mount(api, EXPLAIN_EVENT, async ({ c, params }) => c.json(await events.explain(app, params.id)))
}
