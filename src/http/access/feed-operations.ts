// What the operations on calendar feeds promise, for the OpenAPI document and the reference page.
import { z } from '@hono/zod-openapi'
import { DAYS_OF_MANY, EVENTS_OF_MANY, PEOPLE_IN_FULL } from '../../app/access/feeds.ts'
import { id, idInput, instant } from '../server/fields.ts'
import type { Operation } from '../server/operation.ts'
import { BODY_PROBLEMS, Problem } from '../server/problem.ts'

const tag = 'Calendar feeds'
const FEED_ID = '019a84f1-8c00-7000-8000-2f6f1c9d3e4a'
const USER_ID = '019a84f1-8c00-7000-8000-2f6b1c9d3e4a'
const grouped = (count: number) => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')

export const NewFeedJson = z
  .strictObject({
    userId: z
      .string()
      .nullable()
      .optional()
      .openapi({ description: 'Whose calendar; everybody’s if left out.', format: 'uuid', example: USER_ID }),
  })
  .openapi('NewFeed')

export const FeedJson = z
  .object({
    id: id('Made by the service; never changes.', FEED_ID),
    userId: z
      .string()
      .nullable()
      .openapi({ description: 'Null for everybody’s.', format: 'uuid', example: USER_ID }),
    createdAt: instant('When it was made.'),
  })
  .openapi('Feed', { description: 'A calendar feed, without its URL: of that only a hash is kept.' })

export function feedNotFound(): Problem {
  return new Problem('FEED_NOT_FOUND', 'GET /feed lists those there are.')
}

export const LIST_FEEDS = {
  operationId: 'listFeeds',
  method: 'get',
  path: '/feed',
  scope: 'admin',
  tag,
  summary: 'List calendar feeds',
  description: 'Every feed there is. Their URLs were shown when they were made, and are not kept.',
  responses: { 200: { description: 'All of them.', schema: z.object({ items: z.array(FeedJson) }) } },
  problems: [],
} satisfies Operation

export const CREATE_FEED = {
  operationId: 'createFeed',
  method: 'post',
  path: '/feed',
  scope: 'admin',
  tag,
  summary: 'Make a calendar feed',
  description:
    'Makes a secret URL that any calendar program can subscribe to, of one person or of everybody. It is shown in this answer and never again. Whoever has it can read names and dates without a key, until the feed is deleted.',
  body: { schema: NewFeedJson, optional: true },
  responses: {
    201: {
      description: 'Made.',
      schema: FeedJson.extend({
        url: z.string().openapi({ example: 'https://terce.example/calendar/terce_….ics' }),
      }),
    },
  },
  problems: [...BODY_PROBLEMS, 'INVALID_INPUT', 'USER_NOT_FOUND'],
} satisfies Operation

export const DELETE_FEED = {
  operationId: 'deleteFeed',
  method: 'delete',
  path: '/feed/{id}',
  scope: 'admin',
  tag,
  summary: 'Delete a calendar feed',
  description: 'Its URL opens nothing any more.',
  params: z.object({ id: idInput('The id of the feed.', FEED_ID) }),
  notFound: feedNotFound,
  responses: { 204: { description: 'Deleted.' } },
  problems: ['FEED_NOT_FOUND'],
} satisfies Operation

export function noSuchCalendar(): Problem {
  return new Problem('FEED_NOT_FOUND', 'The URL is wrong, or the feed was deleted.')
}

export const READ_CALENDAR = {
  operationId: 'readCalendar',
  method: 'get',
  path: '/calendar/{token}.ics',
  scope: 'open',
  tag,
  summary: 'Read a calendar feed',
  description: `What is planned, as iCalendar (RFC 5545); of what returns every year the next two years. Needs no key: the token is one. The feed of everybody has, with more than ${grouped(PEOPLE_IN_FULL)} people, what is due within ${DAYS_OF_MANY} days, and at most ${grouped(EVENTS_OF_MANY)} events.`,
  rateLimited: true,
  params: z.object({
    token: z
      .string()
      .endsWith('.ics')
      .transform((file) => file.slice(0, -'.ics'.length))
      .openapi({ description: 'The secret in the URL of the feed.', example: 'terce_secret' }),
  }),
  notFound: noSuchCalendar,
  responses: { 200: { description: 'The calendar.', schema: z.string(), mediaType: 'text/calendar' } },
  problems: ['FEED_NOT_FOUND', 'RATE_LIMITED'],
} satisfies Operation
