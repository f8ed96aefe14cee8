// The calls on events: parsed input to JSON, for HTTP and the library. Rejects with a Problem.
import type { z } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { channelIdsOf } from '../../app/dashboard/failures.ts'
import { readChannelNames } from '../../app/events/channel-names.ts'
import { explainEvent } from '../../app/events/explain-event.ts'
import { findByKey } from '../../app/events/find-by-key.ts'
import { replayEvent } from '../../app/events/replay.ts'
import { readStory } from '../../app/events/story.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { EventQuery, Page } from '../../ports/query.ts'
import type { KernelStore, NamedEvent } from '../../ports/store.ts'
import { Problem } from '../problem.ts'
import { pageJson } from '../query.ts'
import type { AsSent } from '../shape.ts'
import { userNotFound } from '../users/json.ts'
import { eventJson, eventNotFound, listedEventJson, storyJson } from './json.ts'
import type { eventsQuery } from './query.ts'

async function list({ store }: AppDeps, query: EventsQuery) {
  return pageJson(await listPage(store, query), listedEventJson)
}

async function ofUser({ store }: AppDeps, userId: string, query: EventsQuery) {
  if ((await store.findUser(userId)) === null) throw userNotFound({ id: userId })
  return pageJson(await listPage(store, query, { userId }), listedEventJson)
}

async function read({ store }: AppDeps, id: string) {
  const [story, nameOf] = await Promise.all([readStory(store, id), readChannelNames(store)])
  if (story === null) throw eventNotFound({ id })
  return storyJson(story, nameOf)
}

async function explain({ store, clock, planner, hasHandlers }: AppDeps, id: string) {
  const explanation = await explainEvent({ store, clock, table: planner.table, hasHandlers }, id)
  if (explanation === null) throw eventNotFound({ id })
  const history = explanation.history.map(({ at, text }) => ({ at: formatInstant(at), text }))
  return { ...explanation, history }
}

async function replay(app: AppDeps, id: string, how = { newKey: false }) {
  const result = await replayEvent(app, id, how)
  switch (result.kind) {
    case 'replayed':
      return eventJson(result.event)
    case 'missing':
      throw eventNotFound({ id })
    case 'not-failed':
      throw new Problem(
        'NOT_FAILED',
        `The event is ${result.event.status}. Only a FAILED event can be replayed.`,
      )
    case 'in-progress':
      throw new Problem(
        'REPLAY_IN_FLIGHT',
        `Event ${result.by.id} is the replay in progress. Wait for its result.`,
      )
    case 'delivered':
      throw new Problem('ALREADY_DELIVERED', `Event ${result.by.id} delivered the message. Nothing to do.`)
  }
}

export const events = { list, ofUser, read, explain, replay }

export type EventsQuery = AsSent<z.output<typeof eventsQuery>>

async function listPage(
  store: KernelStore,
  { idempotencyKey, ...query }: EventsQuery,
  of: { userId?: string } = {},
): Promise<Page<NamedEvent>> {
  const filter = { ...(await filterOf(store, query)), ...of }
  return idempotencyKey === undefined ? store.listEvents(filter) : findByKey(store, idempotencyKey, filter)
}

async function filterOf(store: KernelStore, query: Omit<EventsQuery, 'idempotencyKey'>): Promise<EventQuery> {
  const { channel, exactReason: briefReason, id, order, ...filter } = query
  return {
    ...filter,
    ...(id && { ids: [id] }),
    ...(order === 'newest' && { order }),
    ...(channel && { channelIds: await channelIdsOf(store, channel) }),
    ...(briefReason && { briefReason }),
  }
}
