// The operations behind the dashboard, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { EventJson } from '../events/json.ts'
import { reasonFilters } from '../events/operations.ts'
import { instant } from '../server/fields.ts'
import type { Operation } from '../server/operation.ts'
import { pageSchema } from '../server/query.ts'
import { UserJson } from '../users/json.ts'
import { usersQuery } from '../users/operations.ts'

const tag = 'Dashboard'
const count = (description: string) => z.int().openapi({ description, example: 0 })

const countedAt = instant(
  'When it was counted. What takes long to count is counted seldom: a second ago at the most where there are few, and a minute where there are millions.',
)

const BriefJson = EventJson.pick({
  id: true,
  userId: true,
  eventType: true,
  occurrence: true,
  status: true,
  targetTimestampUTC: true,
  targetTimestampLocal: true,
  targetTimezone: true,
  executedAt: true,
  failureReason: true,
  failureCode: true,
  retryCount: true,
}).extend({
  firstName: UserJson.shape.firstName,
  lastName: UserJson.shape.lastName,
})

export const TodayJson = z
  .object({
    now: instant('By the clock of the server.'),
    countedAt,
    tzVersion: z.string().openapi({ example: '2026f' }),
    counts: z.object({
      people: count('All items.'),
      inFlight: count('Being delivered.'),
      waiting: count('Tried in vain, and to be tried again.'),
      sent24h: count('Delivered within the last 24 hours.'),
      failed24h: count('Given up within the last 24 hours.'),
      ambiguous24h: count('Attempts without a known end: those may have been posted twice, under one key.'),
    }),
    lateness: z
      .object({ p50Ms: z.number(), p95Ms: z.number() })
      .nullable()
      .openapi({ description: 'Of the latest deliveries; null if there was none.' }),
    instances: z.array(z.object({ id: z.string(), seenAt: instant('When it last settled something.') })),
    wave: z.array(
      z.object({
        dueAt: instant('The minute they are due.'),
        offsetMinutes: z.number().openapi({ description: 'East of UTC.' }),
        sent: count('Delivered.'),
        inFlight: count('Under way.'),
        failed: count('Given up.'),
        toCome: count('Still to come.'),
      }),
    ),
    zones: z.array(z.object({ timezone: z.string(), offsetMinutes: z.number(), people: z.int() })),
    recent: z
      .array(BriefJson)
      .openapi({ description: 'The latest that were begun, newest first, and whose they are.' }),
  })
  .openapi('Today')

export const READ_TODAY = {
  operationId: 'readToday',
  method: 'get',
  path: '/today',
  scope: 'read',
  tag,
  summary: 'Read the overview of today',
  description:
    'The wave of nine o’clocks from 12 hours ago to 36 hours ahead, what is under way, who lives where, and the latest deliveries. An event that was moved to another day long after it was planned may be missing from the wave.',
  responses: { 200: { description: 'The day.', schema: TodayJson } },
  problems: [],
} satisfies Operation

const PersonRowJson = z.object({
  user: UserJson,
  localTime: instant('What the clock shows there now.'),
  next: z
    .object({ eventId: z.string(), type: z.string(), utc: instant('When.'), local: instant('When, there.') })
    .nullable(),
  last: z
    .object({
      eventId: z.string(),
      type: z.string(),
      status: EventJson.shape.status,
      at: instant('When it was settled.'),
    })
    .nullable(),
  demo: z.boolean().openapi({ description: 'One of the people to look around with.' }),
})

export const LIST_PEOPLE = {
  operationId: 'listPeople',
  method: 'get',
  path: '/people',
  scope: 'read',
  tag,
  summary: 'List people with what comes next',
  description: 'As GET /user, each with their clock, their next message and the last one.',
  query: usersQuery,
  responses: { 200: { description: 'One page.', schema: pageSchema(PersonRowJson) } },
  problems: ['INVALID_QUERY'],
} satisfies Operation

export const failuresQuery = z.strictObject({
  channel: reasonFilters.channel,
  exactReason: reasonFilters.exactReason,
})

export const READ_FAILURES = {
  operationId: 'readFailures',
  method: 'get',
  path: '/failures',
  scope: 'read',
  tag,
  summary: 'Read what failed, in groups',
  description: 'The failures of the last 30 days by channel and reason.',
  query: failuresQuery,
  responses: {
    200: {
      description: 'The groups, largest first.',
      schema: z.object({
        countedAt,
        groups: z.array(
          z.object({
            channelId: z.string().nullable(),
            channel: z.string().openapi({ description: 'The name of the channel.' }),
            reason: z.string().openapi({
              description: 'The code, and the last thing the far side said.',
              example: 'RETRIES_EXHAUSTED: HTTP 503',
            }),
            count: z.int(),
            oldestAt: instant('The first of them.'),
            newestAt: instant('The last of them.'),
            byHour: z.array(z.int()).openapi({ description: 'The last 24 hours, oldest first.' }),
          }),
        ),
        channels: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            status: z.string(),
            statusReason: z.string().nullable(),
          }),
        ),
      }),
    },
  },
  problems: ['INVALID_QUERY'],
} satisfies Operation

export const upcomingQuery = z.strictObject({
  days: z
    .string()
    .regex(/^(?:[1-9]\d{0,2})$/, 'Give a number of days from 1 to 999.')
    .default('366')
    .transform(Number)
    .openapi({ type: 'integer', description: 'How many days from now on.', example: 366 }),
})

export const READ_UPCOMING = {
  operationId: 'readUpcoming',
  method: 'get',
  path: '/upcoming',
  scope: 'read',
  tag,
  summary: 'Count upcoming messages',
  description:
    'How many messages fall on each local date, as far as they are planned: one for each occasion. And the instant that most of them share.',
  query: upcomingQuery,
  responses: {
    200: {
      description: 'By date.',
      schema: z.object({
        countedAt,
        days: z.array(z.object({ date: z.string(), count: z.int() })),
        busiest: z.object({ utc: instant('When.'), count: z.int() }).nullable(),
      }),
    },
  },
  problems: ['INVALID_QUERY'],
} satisfies Operation

export const LOAD_DEMO = {
  operationId: 'loadDemo',
  method: 'post',
  path: '/demo',
  scope: 'admin',
  tag,
  summary: 'Load demo data',
  description:
    'Two dozen people over the clocks of the world, one of them due within the next minute. Safe to repeat.',
  responses: { 200: { description: 'How many are new.', schema: z.object({ loaded: z.int() }) } },
  problems: [],
} satisfies Operation

export const WIPE_DEMO = {
  operationId: 'wipeDemo',
  method: 'delete',
  path: '/demo',
  scope: 'admin',
  tag,
  summary: 'Remove demo data',
  description: 'Deletes the demo people and their history.',
  responses: { 200: { description: 'How many went.', schema: z.object({ wiped: z.int() }) } },
  problems: [],
} satisfies Operation

export const LIVE = {
  operationId: 'live',
  method: 'get',
  path: '/live',
  scope: 'read',
  tag,
  summary: 'Stream changes',
  description:
    'Server-sent events: a `change` with a JSON object whenever something happens in this process, several at once as one. It tells what kind of thing changed, and of whom nothing: read it again.',
  responses: {
    200: { description: 'A stream that does not end.', mediaType: 'text/event-stream', schema: z.string() },
  },
  problems: [],
} satisfies Operation
