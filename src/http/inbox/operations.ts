// The operations on the development inbox, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { pageCursor, pageLimit, pageSchema, parseNumber } from '../../api/query.ts'
import { ACCESS_PROBLEMS, type Operation } from '../server/operation.ts'
import { INBOX_MODES } from './inbox.ts'

const tag = 'Inbox (development)'
const mode = z.enum(INBOX_MODES, `Must be one of ${INBOX_MODES.join(', ')}.`).openapi({
  description:
    '`accept` accepts every delivery, `reject` responds 503, `hang` does not respond until the mode changes.',
  example: 'reject',
})

const ItemJson = z
  .object({
    idempotencyKey: z.string().nullable().openapi({ example: 'event-4f1c0f2b8f9f4b0f9a7de1a2b3c4d5e6' }),
    message: z.string().nullable().openapi({
      description: 'The `message` field of a JSON body; null if there is none.',
      example: "Hey, Ada Lovelace it's your birthday",
    }),
    body: z.string().openapi({ description: 'The body of the first delivery.' }),
    headers: z.record(z.string(), z.string()).openapi({ description: 'Selected headers of the delivery.' }),
    verified: z.boolean().nullable().openapi({
      description: 'Whether the signature is valid and recent; null without a signature.',
    }),
    receivedAt: z.string().openapi({ description: 'When it was first received.', format: 'date-time' }),
    timesReceived: z
      .int()
      .openapi({ description: 'How often it was received with this idempotency key.', example: 1 }),
    timesRejected: z
      .int()
      .openapi({ description: 'How often it was rejected with this idempotency key.', example: 0 }),
  })
  .openapi('InboxItem')

export const RECEIVE = {
  operationId: 'deliverIntoInbox',
  route: 'POST /inbox',
  scope: 'open',
  audit: null,
  unlimited: true,
  tag,
  summary: 'Deliver to the inbox',
  description:
    'A webhook receiver for development. Accepts any body of up to 64 KiB. Deliveries with the same X-Idempotency-Key are one message. It keeps the latest 1,000 messages, at most 4 MB of JSON in all, until a restart.',
  headers: z.object({
    'X-Idempotency-Key': z.string().optional().openapi({ description: 'Identifies the message.' }),
  }),
  body: {
    optional: true,
    documentedAs: z.unknown().openapi({ example: { message: "Hey, Ada Lovelace it's your birthday" } }),
  },
  responses: { 204: { description: 'Accepted.' } },
  problems: [...ACCESS_PROBLEMS, 'INCOMPLETE_BODY', 'BODY_TOO_LARGE', 'INBOX_REJECTS'],
} satisfies Operation

export const READ_INBOX = {
  operationId: 'readInbox',
  route: 'GET /inbox',
  scope: 'read',
  tag,
  summary: 'Read the inbox',
  description: 'Returns the received messages, newest first, and the mode of the inbox.',
  query: z.strictObject({
    limit: pageLimit(50),
    cursor: pageCursor(parseNumber),
  }),
  responses: {
    200: {
      description: 'The inbox.',
      schema: pageSchema(ItemJson).extend({
        mode,
        rejected: z.int().openapi({ description: 'How many deliveries were rejected.', example: 0 }),
        total: z.int().openapi({ description: 'How many messages the inbox has.', example: 1 }),
      }),
    },
  },
} satisfies Operation

const InboxModeJson = z.strictObject({ mode }).openapi('InboxMode', { example: { mode: 'reject' } })

export const SET_INBOX_MODE = {
  operationId: 'setInboxMode',
  route: 'PUT /inbox/mode',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Set the inbox mode',
  description:
    'Makes the inbox reject deliveries or hang, to test retries. Also applies to deliveries that hang now.',
  body: { schema: InboxModeJson },
  responses: { 200: { description: 'Set.', schema: InboxModeJson } },
} satisfies Operation

export const MAKE_INBOX_DEFAULT = {
  operationId: 'makeInboxDefault',
  route: 'POST /inbox/default',
  scope: 'admin',
  audit: { action: 'channel.changed' },
  tag,
  summary: 'Make the inbox the default channel',
  description:
    'Messages whose occasion names no channel go to the inbox: no other channel is the default any more. Workers follow within seconds.',
  responses: { 204: { description: 'It is the default.' } },
} satisfies Operation

export const EMPTY_INBOX = {
  operationId: 'emptyInbox',
  route: 'DELETE /inbox',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Clear the inbox',
  description: 'Deletes all messages and counts. The mode does not change.',
  responses: { 204: { description: 'Empty.' } },
} satisfies Operation
