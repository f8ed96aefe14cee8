// What the operations on events promise, for the OpenAPI document and the reference page.
import { z } from '@hono/zod-openapi'
import { EVENT_STATUSES } from '../../domain/event-status.ts'
import type { Operation } from '../operation.ts'
import { pageQuery, pageSchema } from '../query.ts'
import { EventJson, EventWithAttemptsJson, eventIdParam, userIdParam } from '../schemas.ts'

const tag = 'Events'
const order = 'in the order they were first due'

const due = (description: string) =>
  z.iso
    .datetime({
      offset: true,
      error: 'Give an instant such as 2026-12-15T16:00:00Z, with Z or an offset; in a URL write + as %2B.',
    })
    .optional()
    .openapi({ description, format: 'date-time', example: '2026-12-15T00:00:00Z' })

export const eventsQuery = z.strictObject({
  ...pageQuery,
  status: z
    .enum(EVENT_STATUSES, `Give one of ${EVENT_STATUSES.join(', ')}.`)
    .optional()
    .openapi({ description: 'Only events in this state.', example: 'PENDING' }),
  type: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'Give a type in capitals, such as BIRTHDAY.')
    .optional()
    .openapi({ description: 'Only events of this type.', example: 'BIRTHDAY' }),
  dueFrom: due('Only events due at this instant or later.'),
  dueBefore: due('Only events due before this instant.'),
})

export const LIST_EVENTS = {
  operationId: 'listEvents',
  method: 'get',
  path: '/event',
  tag,
  summary: 'List events',
  description: `All events, or those that match, a page at a time, ${order}.`,
  request: { query: eventsQuery },
  answers: { 200: { description: 'One page.', schema: pageSchema(EventJson) } },
  refusals: ['INVALID_QUERY'],
} satisfies Operation

export const LIST_EVENTS_OF_USER = {
  operationId: 'listEventsOfUser',
  method: 'get',
  path: '/user/{id}/event',
  tag,
  summary: 'List the events of a person',
  description: `The events of one person, or those that match, a page at a time, ${order}.`,
  request: { params: userIdParam, query: eventsQuery },
  answers: { 200: { description: 'One page.', schema: pageSchema(EventJson) } },
  refusals: ['INVALID_QUERY', 'USER_NOT_FOUND'],
} satisfies Operation

export const READ_EVENT = {
  operationId: 'readEvent',
  method: 'get',
  path: '/event/{id}',
  tag,
  summary: 'Read an event',
  description:
    'One event with every attempt at delivering it: what was tried, when, by whom, and how it ended.',
  request: { params: eventIdParam },
  answers: { 200: { description: 'The event.', schema: EventWithAttemptsJson } },
  refusals: ['EVENT_NOT_FOUND'],
} satisfies Operation
