// Calendar feeds: made and deleted with a key, read by whoever has the URL.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import { createFeed, type FeedsDeps, openFeed } from '../../app/access/feeds.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import type { Feed } from '../../domain/settings/feed.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { takeTurn } from '../server/auth.ts'
import { readOptionalJson } from '../server/body.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { checkShape } from '../server/shape.ts'
import { streamText } from '../server/stream-text.ts'
import {
  CREATE_FEED,
  DELETE_FEED,
  type FeedJson,
  LIST_FEEDS,
  NewFeedJson,
  READ_CALENDAR,
} from './feed-operations.ts'

export function mountFeeds(
  app: OpenAPIHono,
  { store, clock, planner }: AppDeps,
  newToken: () => string,
): void {
  const deps: FeedsDeps = { store, clock, ...planner, newToken }

  mount(app, LIST_FEEDS, async (c) => c.json({ items: (await store.listFeeds()).map(feedJson) }))

  mount(app, CREATE_FEED, async (c) => {
    const body = await readOptionalJson(c.req.raw)
    if (body instanceof Problem) return body
    const read = checkShape(NewFeedJson, body.json)
    if (!read.ok) return invalidInput(read.problems)
    const given = read.value.userId ?? null
    const userId = given === null ? null : parseUuid(given)
    const made = given !== null && userId === null ? null : await createFeed(deps, userId)
    if (made === null) {
      const detail = `No user has the id "${given?.slice(0, 60)}". GET /user lists those there are.`
      return new Problem('USER_NOT_FOUND', detail)
    }
    const url = `${new URL(c.req.url).origin}/calendar/${made.token}.ics`
    return c.json({ ...feedJson(made.feed), url }, 201)
  })

  mount(app, DELETE_FEED, async (c) => {
    const id = parseUuid(c.req.param('id') ?? '')
    const removed = id !== null && (await store.removeFeed(id))
    return removed ? c.body(null, 204) : new Problem('FEED_NOT_FOUND', 'GET /feed lists those there are.')
  })

  mount(app, READ_CALENDAR, async (c) => {
    const busy = takeTurn(c, null)
    if (busy !== null) return busy
    // The name of a parameter goes on to the next slash, and what it stands for, too.
    const file = c.req.param('token.ics') ?? ''
    const pieces = file.endsWith('.ics') ? await openFeed(deps, file.slice(0, -'.ics'.length)) : null
    if (pieces === null) return new Problem('FEED_NOT_FOUND', 'The URL is wrong, or the feed was deleted.')
    return streamText(pieces, { 'Content-Type': 'text/calendar; charset=utf-8' })
  })
}

function feedJson({ id, userId, createdAt }: Feed): z.infer<typeof FeedJson> {
  return { id, userId, createdAt: formatInstant(createdAt) }
}
