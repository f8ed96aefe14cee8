// The operations behind the dashboard, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { instant } from '../../api/fields.ts'
import { counts } from '../server/audit.ts'
import type { Operation } from '../server/operation.ts'
import { countedAt, TodayJson } from './json.ts'

const tag = 'Dashboard'
export const READ_TODAY = {
  operationId: 'readToday',
  route: 'GET /today',
  scope: 'read',
  tag,
  summary: 'Get the overview',
  description:
    'Returns the messages due from 12 hours ago to 36 hours ahead, counts, people by UTC offset, and the latest events.',
  responses: { 200: { description: 'The overview.', schema: TodayJson } },
} satisfies Operation

const upcomingQuery = z.strictObject({
  days: z
    .string()
    .regex(/^(?:[1-9]\d{0,2})$/, 'Must be a number of days from 1 to 999.')
    .default('366')
    .transform(Number)
    .openapi({ type: 'integer', description: 'How many days to count, from now.', example: 366 }),
})

export const READ_UPCOMING = {
  operationId: 'readUpcoming',
  route: 'GET /upcoming',
  scope: 'read',
  tag,
  summary: 'Count upcoming messages',
  description:
    'Counts the planned messages by local date, one per occasion, and returns the instant with the most messages.',
  query: upcomingQuery,
  responses: {
    200: {
      description: 'The counts by date.',
      schema: z.object({
        countedAt,
        days: z.array(z.object({ date: z.string(), count: z.int() })),
        busiest: z.object({ utc: instant('When.'), count: z.int() }).nullable(),
      }),
    },
  },
} satisfies Operation

export const LOAD_DEMO = {
  operationId: 'loadDemo',
  route: 'POST /demo',
  scope: 'admin',
  audit: { action: 'people.imported', read: counts('loaded') },
  tag,
  summary: 'Load demo data',
  description:
    'Creates two dozen people in different timezones, one of them due within a minute. Safe to repeat.',
  responses: { 200: { description: 'How many were created.', schema: z.object({ loaded: z.int() }) } },
} satisfies Operation

export const WIPE_DEMO = {
  operationId: 'wipeDemo',
  route: 'DELETE /demo',
  scope: 'admin',
  audit: { action: 'people.erased', read: counts('wiped') },
  tag,
  summary: 'Remove demo data',
  description: 'Deletes the demo people and their history.',
  responses: { 200: { description: 'How many were deleted.', schema: z.object({ wiped: z.int() }) } },
} satisfies Operation
