// The operations on events, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { EventWithAttemptsJson, ListedEventJson, ofEvent } from '../../api/events/json.ts'
import { eventsQuery } from '../../api/events/query.ts'
import { pageSchema } from '../../api/query.ts'
import { ofUser } from '../../api/users/json.ts'
import type { Operation } from '../server/operation.ts'

const tag = 'Events'
const order = 'in order of their first due time, replays by the time of the replay'

const SHORT_PAGES =
  'A filter is tried on up to 10,000 events for each request, so a page may have fewer events than `limit`, or none, and still a `nextCursor`: continue until it is null.'

export const LIST_EVENTS = {
  operationId: 'listEvents',
  route: 'GET /event',
  scope: 'read',
  tag,
  summary: 'List events',
  description: `Lists events page by page, ${order}; with \`order=newest\`, the latest first. ${SHORT_PAGES}`,
  query: eventsQuery,
  responses: { 200: { description: 'One page.', schema: pageSchema(ListedEventJson) } },
} satisfies Operation

export const LIST_EVENTS_OF_USER = {
  operationId: 'listEventsOfUser',
  route: 'GET /user/{id}/event',
  scope: 'read',
  tag,
  summary: 'List the events of a person',
  description: `Lists the events of one person page by page, ${order}; with \`order=newest\`, the latest first. ${SHORT_PAGES}`,
  ...ofUser,
  query: eventsQuery,
  responses: { 200: { description: 'One page.', schema: pageSchema(ListedEventJson) } },
} satisfies Operation

export const READ_EVENT = {
  operationId: 'readEvent',
  route: 'GET /event/{id}',
  scope: 'read',
  tag,
  summary: 'Read an event',
  description:
    'Returns one event with all delivery attempts, its moves, the event it replays, its replays, and its successor.',
  ...ofEvent,
  responses: { 200: { description: 'The event.', schema: EventWithAttemptsJson } },
} satisfies Operation

const TextJson = z.string().openapi({ description: 'Plain text.' })

const ExplanationJson = z
  .object({
    summary: TextJson.openapi({
      example:
        'This BIRTHDAY message was due on 2026-12-15 at 09:00 in America/Vancouver, which is 16:00 UTC. It was delivered by attempt 1, less than a second after it was due.',
    }),
    instant: z.object({
      utc: z.string().openapi({ format: 'date-time', example: '2026-12-15T16:00:00.000Z' }),
      local: z.string().openapi({ format: 'date-time', example: '2026-12-15T09:00:00-07:00' }),
      timezone: z.string().openapi({ example: 'America/Vancouver' }),
      offset: z.string().openapi({ description: 'The UTC offset at that instant.', example: '-07:00' }),
      tzVersion: z
        .string()
        .openapi({ description: 'The IANA release it was computed with.', example: '2026f' }),
      rule: TextJson.openapi({ description: 'The current rule.' }),
      why: TextJson,
    }),
    notes: z
      .array(z.object({ code: z.string().openapi({ example: 'LEAP_DAY_MOVED' }), text: TextJson }))
      .openapi({
        description:
          'What is unusual about the due time: LEAP_DAY_MOVED, CLOCK_GAP, CLOCK_OVERLAP, DATE_SKIPPED, CALENDAR_MOVED, OFFSET_CHANGED, SENT_AT_ONCE or CHANGED_SINCE. Where the person or the occasion of today contradicts the event: TIMEZONE_DIFFERS or PAUSED.',
      }),
    history: z
      .array(z.object({ at: z.string().openapi({ format: 'date-time' }), text: TextJson }))
      .openapi({ description: 'The history, oldest first.' }),
  })
  .openapi('Explanation')

export const EXPLAIN_EVENT = {
  operationId: 'explainEvent',
  route: 'GET /event/{id}/explain',
  scope: 'read',
  tag,
  summary: 'Explain an event',
  description:
    'Explains in words why the event is due at its instant and what happened to it. Contains no name and no message text.',
  ...ofEvent,
  responses: { 200: { description: 'The explanation.', schema: ExplanationJson } },
} satisfies Operation
