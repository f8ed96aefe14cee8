// The events, for reading only: when each is due, why then, and what became of it.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { channelIdsOf } from '../../app/dashboard/failures.ts'
import { explainEvent } from '../../app/events/explain-event.ts'
import { readStory } from '../../app/events/story.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { Planner } from '../../engine/plan.ts'
import type { Store } from '../../ports/store.ts'
import { mount } from '../server/operation.ts'
import { Problem } from '../server/problem.ts'
import { pageJson, readPage, readQuery } from '../server/query.ts'
import { userNotFound } from '../users/handlers.ts'
import { eventJson, storyJson } from '../users/json.ts'
import { EXPLAIN_EVENT, eventsQuery, LIST_EVENTS, LIST_EVENTS_OF_USER, READ_EVENT } from './operations.ts'

export function mountEvents(app: OpenAPIHono, { store, planner }: { store: Store; planner: Planner }): void {
  mount(app, LIST_EVENTS, (c) => listEvents(c, store, {}))
  mount(app, LIST_EVENTS_OF_USER, async (c) => {
    const userId = parseUuid(c.req.param('id') ?? '')
    if (userId === null || (await store.findUser(userId)) === null) return userNotFound(c)
    return listEvents(c, store, { userId })
  })
  mount(app, READ_EVENT, async (c) => {
    const id = parseUuid(c.req.param('id') ?? '')
    const story = id && (await readStory(store, id))
    return story ? c.json(storyJson(story)) : eventNotFound(c)
  })
  mount(app, EXPLAIN_EVENT, async (c) => {
    const id = parseUuid(c.req.param('id') ?? '')
    const explanation = id && (await explainEvent({ store, table: planner.table }, id))
    if (!explanation) return eventNotFound(c)
    const history = explanation.history.map(({ at, text }) => ({ at: formatInstant(at), text }))
    return c.json({ ...explanation, history })
  })
}

export function eventNotFound(c: Context): Problem {
  const given = c.req.param('id')?.slice(0, 60)
  return new Problem('EVENT_NOT_FOUND', `No event has the id "${given}". GET /event lists those there are.`)
}

async function listEvents(c: Context, store: Store, of: { userId?: string }): Promise<Response | Problem> {
  const query = readQuery(c.req.url, eventsQuery)
  if (query instanceof Problem) return query
  const page = readPage(query)
  if (page instanceof Problem) return page
  const { status, type, channel, reason, exactReason, dueFrom, dueBefore, settledFrom, settledBefore } = query
  const found = await store.listEvents({
    ...page,
    ...of,
    ...(status && { status }),
    ...(type && { type }),
    ...(channel && { channelIds: await channelIdsOf(store, channel) }),
    ...(reason && { reason }),
    ...(exactReason && { briefReason: exactReason }),
    ...(dueFrom && { dueFrom: Date.parse(dueFrom) }),
    ...(dueBefore && { dueBefore: Date.parse(dueBefore) }),
    ...(settledFrom && { settledFrom: Date.parse(settledFrom) }),
    ...(settledBefore && { settledBefore: Date.parse(settledBefore) }),
  })
  return c.json(pageJson(found, eventJson))
}
