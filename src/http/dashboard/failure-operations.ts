// The operations on groups of failures, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { reasonFilters, reasonText } from '../../api/events/query.ts'
import { instant, instantInput } from '../../api/fields.ts'
import type { Operation } from '../server/operation.ts'
import { count, countedAt } from './json.ts'

const tag = 'Dashboard'

const failuresQuery = z.strictObject({
  channel: reasonFilters.channel,
  exactReason: reasonFilters.exactReason,
})

export const READ_FAILURES = {
  operationId: 'readFailures',
  route: 'GET /failures',
  scope: 'read',
  tag,
  summary: 'List failures by reason',
  description:
    'Groups the failures of the last 30 days by channel and reason. Of an event that failed again when it was replayed, only the latest failure counts as unresolved. Dismissed failures are left out.',
  query: failuresQuery,
  responses: {
    200: {
      description: 'The groups, most unresolved failures first.',
      schema: z.object({
        countedAt,
        groups: z.array(
          z.object({
            channelId: z.string().nullable().openapi({
              description: 'The channel they were sent to, or would have been; null if it was not recorded.',
            }),
            channel: z.string().openapi({ description: 'Its name; `unknown` if it was not recorded.' }),
            reason: z.string().openapi({
              description: 'The failure code and the last error.',
              example: 'RETRIES_EXHAUSTED: HTTP 500',
            }),
            count: count('How many are unresolved: neither delivered since nor being replayed.'),
            replaying: count('How many have a replay in progress.'),
            deliveredSince: count('How many were delivered by a replay.'),
            oldestAt: instant('When the first one failed.'),
            newestAt: instant('When the last one failed.'),
            byHour: z
              .array(z.int())
              .openapi({ description: 'All failures in each of the last 24 hours, oldest first.' }),
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
} satisfies Operation

export const DISMISS_FAILURES = {
  operationId: 'dismissFailures',
  route: 'POST /failures/dismiss',
  scope: 'write',
  audit: { action: 'failures.dismissed' },
  tag,
  summary: 'Dismiss failures',
  description:
    'Dismisses the failures of one group of GET /failures that ended before an instant: they are not counted and not listed as unresolved any more. A failure that ends later shows again. The events stay FAILED. POST /event/replay leaves them out unless it names them by `ids`.',
  body: {
    schema: z
      .strictObject({
        channel: z
          .union([z.literal('unknown'), z.guid()], 'Must be the id of a channel, or "unknown".')
          .openapi({ type: 'string', description: 'The `channelId` of the group; `unknown` if it is null.' }),
        exactReason: reasonText.openapi({
          description: 'The `reason` of the group.',
          example: 'RETRIES_EXHAUSTED: HTTP 500',
        }),
        failedBefore: instantInput(
          'The end of the dismissed failures, not included. Null: all of the group are shown again.',
        )
          .unwrap()
          .nullable(),
      })
      .openapi('FailureDismissal'),
  },
  responses: {
    200: {
      description: 'Dismissed.',
      schema: z.object({
        previous: instant('The end of the dismissal before this one; null without one.').nullable(),
      }),
    },
  },
} satisfies Operation
