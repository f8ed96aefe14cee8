// The events, for reading only: when each is due, why then, and its attempts.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { channelIdsOf } from '../../app/dashboard/failures.ts'
import { readChannelNames } from '../../app/events/channel-names.ts'
import { explainEvent } from '../../app/events/explain-event.ts'
import { findByKey } from '../../app/events/find-by-key.ts'
import { readStory } from '../../app/events/story.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { EventQuery, Page } from '../../ports/query.ts'
import type { KernelStore, NamedEvent } from '../../ports/store.ts'
import type { Input } from '../server/input.ts'
import { mount } from '../server/operation.ts'
import { pageJson } from '../server/query.ts'
import { userNotFound } from '../users/json.ts'
import { eventNotFound, listedEventJson, storyJson } from './json.ts'
import { EXPLAIN_EVENT, LIST_EVENTS, LIST_EVENTS_OF_USER, READ_EVENT } from './operations.ts'

export function mountEvents(api: OpenAPIHono, { store, planner, clock, hasHandlers }: AppDeps): void {
  mount(api, LIST_EVENTS, async ({ c, query }) =>
    c.json(pageJson(await listPage(store, query), listedEventJson)),
  )

  mount(api, LIST_EVENTS_OF_USER, async ({ c, params, query }) => {
    if ((await store.findUser(params.id)) === null) throw userNotFound(params)
    return c.json(pageJson(await listPage(store, query, { userId: params.id }), listedEventJson))
  })

  mount(api, READ_EVENT, async ({ c, params }) => {
    const [story, nameOf] = await Promise.all([readStory(store, params.id), readChannelNames(store)])
    if (story === null) throw eventNotFound(params)
    return c.json(storyJson(story, nameOf))
  })

  mount(api, EXPLAIN_EVENT, async ({ c, params }) => {
    const explanation = await explainEvent({ store, clock, table: planner.table, hasHandlers }, params.id)
    if (explanation === null) throw eventNotFound(params)
    const history = explanation.history.map(({ at, text }) => ({ at: formatInstant(at), text }))
    return c.json({ ...explanation, history })
  })
}

type Query = Input<typeof LIST_EVENTS>['query']

async function listPage(
  store: KernelStore,
  { idempotencyKey, ...query }: Query,
  of: { userId?: string } = {},
): Promise<Page<NamedEvent>> {
  const filter = { ...(await filterOf(store, query)), ...of }
  return idempotencyKey === undefined ? store.listEvents(filter) : findByKey(store, idempotencyKey, filter)
}

async function filterOf(store: KernelStore, query: Omit<Query, 'idempotencyKey'>): Promise<EventQuery> {
  const { channel, exactReason: briefReason, id, order, ...filter } = query
  return {
    ...filter,
    ...(id && { ids: [id] }),
    ...(order === 'newest' && { order }),
    ...(channel && { channelIds: await channelIdsOf(store, channel) }),
    ...(briefReason && { briefReason }),
  }
}
