// Calendar feeds: created and deleted with an API key, read by anyone who has the URL.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import { userIdIn, userNotFound } from '../../api/users/json.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { createFeed, deleteFeed, type FeedsDeps, openFeed } from '../../app/feeds.ts'
import type { Feed } from '../../domain/feeds/feed.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { ownUrl } from '../server/caller/base-path.ts'
import { mount } from '../server/operation.ts'
import { streamText } from '../server/stream-text.ts'
import {
  CREATE_FEED,
  DELETE_FEED,
  type FeedJson,
  feedNotFound,
  LIST_FEEDS,
  noSuchCalendar,
  READ_CALENDAR,
} from './operations.ts'

export function mountFeeds(
  api: OpenAPIHono,
  { store, clock, planner }: AppDeps<FeedsDeps['store']>,
  newToken: () => string,
): void {
  const deps: FeedsDeps = { store, clock, ...planner, newToken }

  mount(api, LIST_FEEDS, async ({ c }) => c.json({ items: (await store.listFeeds()).map(feedJson) }))

  mount(api, CREATE_FEED, async ({ c, body }) => {
    const userId = body.userId == null ? null : userIdIn(body.userId)
    const made = await createFeed(deps, userId)
    if (made === null) throw userNotFound({ id: body.userId! })
    const url = `${ownUrl(c)}/calendar/${made.token}.ics`
    return c.json({ ...feedJson(made.feed), url }, 201)
  })

  mount(api, DELETE_FEED, async ({ c, params }) => {
    if (!(await deleteFeed(deps, params.id))) throw feedNotFound()
    return c.body(null, 204)
  })

  mount(api, READ_CALENDAR, async ({ params }) => {
    const pieces = await openFeed(deps, params.token)
    if (pieces === null) throw noSuchCalendar()
    return streamText(pieces, { 'Content-Type': 'text/calendar; charset=utf-8' })
  })
}

function feedJson({ id, userId, createdAt }: Feed): z.infer<typeof FeedJson> {
  return { id, userId, createdAt: formatInstant(createdAt) }
}
