// The operations on events, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { EVENT_STATUSES, type EventStatus } from '../../domain/events/event-status.ts'
import { idFilter, instantInput } from '../server/fields.ts'
import type { Operation } from '../server/operation.ts'
import { pageQuery, pageSchema } from '../server/query.ts'
import { ofUser } from '../users/json.ts'
import { EventWithAttemptsJson, ListedEventJson, ofEvent } from './json.ts'

const tag = 'Events'
const order = 'in order of their first due time, replays by the time of the replay'

const SHORT_PAGES =
  'A filter is tried on up to 10,000 events for each request, so a page may have fewer events than `limit`, or none, and still a `nextCursor`: continue until it is null.'

export const typeFilter = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'Must be a type in capitals, such as BIRTHDAY.')
  .optional()
  .openapi({ description: 'Only events of this type.', example: 'BIRTHDAY' })

export const reasonText = z
  .string()
  .min(1, 'Must not be empty.')
  .max(200, 'Must be at most 200 characters.')
  .refine((text) => !/\p{Cc}/u.test(text), 'Must not contain control characters.')

export const reasonFilters = {
  channel: z
    .union(
      [z.literal('default'), z.literal('unknown'), z.guid()],
      'Must be the id of a channel, "default" or "unknown".',
    )
    .optional()
    .openapi({
      type: 'string',
      description:
        'Only events of this channel: its id, `default` (with events that name no channel), or `unknown` (no channel is recorded).',
      example: 'default',
    }),
  reason: reasonText.optional().openapi({
    description:
      'Only events whose failure reason starts with this text: the code, or the code and the error.',
    example: 'RETRIES_EXHAUSTED',
  }),
  exactReason: reasonText.optional().openapi({
    description:
      'Only events with exactly this reason, as in GET /failures: the code and the last error, regardless of the number of attempts.',
    example: 'RETRIES_EXHAUSTED: HTTP 500',
  }),
}

const isStatus = (text: string): text is EventStatus => EVENT_STATUSES.some((status) => status === text)

const eventsQuery = z.strictObject({
  ...pageQuery,
  order: z
    .enum(['oldest', 'newest'], 'Must be oldest or newest.')
    .optional()
    .openapi({ description: 'Which events come first; by default the oldest.', example: 'newest' }),
  status: z
    .string()
    .transform((text, context): EventStatus[] => {
      const statuses = text.split(',')
      if (statuses.every(isStatus)) return statuses
      const message = `Must be one of ${EVENT_STATUSES.join(', ')}, or several with commas between them.`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .optional()
    .openapi({
      type: 'string',
      description: `Only events in this state: ${EVENT_STATUSES.join(', ')}, or several with commas between them.`,
      example: 'PENDING',
    }),
  id: idFilter('Only the event with this id.', 'Must be the id of an event.'),
  idempotencyKey: z
    .string()
    .regex(/^event-[0-9a-f]{32}$/, 'Must be "event-" and 32 hexadecimal digits.')
    .optional()
    .openapi({
      description:
        'Only events with this idempotency key: an event and its replays. The key is not stored: a page compares 5,000 events and may be empty; continue with its `nextCursor`, or narrow the search with `dueFrom` and `dueBefore`.',
      example: 'event-4f1c0f2b8f9f4b0f9a7de1a2b3c4d5e6',
    }),
  type: typeFilter,
  ...reasonFilters,
  dueFrom: instantInput('Only events due at this instant or later.'),
  dueBefore: instantInput('Only events due before this instant.'),
  unresolved: z
    .literal('true', 'Must be true.')
    .transform(() => true as const)
    .optional()
    .openapi({
      type: 'string',
      description:
        'Only failures that are neither delivered since nor being replayed nor dismissed; of an event that failed more than once, the latest.',
      example: 'true',
    }),
  settledFrom: instantInput('Only events settled at this instant or later.'),
  settledBefore: instantInput('Only events settled before this instant.'),
  unknownFrom: instantInput(
    'Only events with an attempt that ended UNKNOWN at this instant or later: their message may have arrived twice.',
  ),
})

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
