// The operations on the development inbox, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { ACCESS_PROBLEMS, type Operation } from '../server/operation.ts'
import { BODY_PROBLEMS } from '../server/problem.ts'
import { INBOX_MODES } from './inbox.ts'

const tag = 'Inbox (development)'
const mode = z.enum(INBOX_MODES, `Give one of ${INBOX_MODES.join(', ')}.`).openapi({
  description:
    '`accept` takes every delivery, `refuse` answers 503, `hang` does not answer until this changes.',
  example: 'refuse',
})

const ItemJson = z
  .object({
    idempotencyKey: z.string().nullable().openapi({ example: 'event-4f1c0f2b8f9f4b0f9a7de1a2b3c4d5e6' }),
    message: z.string().nullable().openapi({
      description: 'The `message` of the body, if it is JSON and has one.',
      example: "Hey, Ada Lovelace it's your birthday",
    }),
    body: z.string().openapi({ description: 'As it arrived the first time.' }),
    headers: z.record(z.string(), z.string()).openapi({ description: 'Those that matter to a delivery.' }),
    verified: z.boolean().nullable().openapi({
      description: 'Whether it is signed by this Terce and fresh; null if it has no signature.',
    }),
    receivedAt: z.string().openapi({ description: 'The first time.', format: 'date-time' }),
    timesReceived: z.int().openapi({ description: 'How often it was delivered under its key.', example: 1 }),
    refusals: z.int().openapi({ description: 'How often it was refused under its key.', example: 0 }),
  })
  .openapi('InboxItem')

export const RECEIVE = {
  operationId: 'deliverIntoInbox',
  method: 'post',
  path: '/inbox',
  scope: 'open',
  tag,
  summary: 'Deliver into the inbox',
  description:
    'A target for webhooks while you develop: takes any body of at most 64 KiB. Deliveries with the same X-Idempotency-Key are one message. What it holds is lost at a restart.',
  headers: z.object({
    'X-Idempotency-Key': z.string().optional().openapi({ description: 'Names the message.' }),
  }),
  body: {
    optional: true,
    documentedAs: z.unknown().openapi({ example: { message: "Hey, Ada Lovelace it's your birthday" } }),
  },
  responses: { 204: { description: 'Taken.' } },
  problems: [...ACCESS_PROBLEMS, 'INCOMPLETE_BODY', 'BODY_TOO_LARGE', 'INBOX_REFUSES'],
} satisfies Operation

export const READ_INBOX = {
  operationId: 'readInbox',
  method: 'get',
  path: '/inbox',
  scope: 'read',
  tag,
  summary: 'Read the inbox',
  description: 'The messages that arrived, newest first, and how the inbox behaves.',
  responses: {
    200: {
      description: 'What is in it.',
      schema: z.object({
        behaviour: mode,
        refused: z.int().openapi({ description: 'How many deliveries it refused.', example: 0 }),
        items: z.array(ItemJson),
      }),
    },
  },
  problems: [],
} satisfies Operation

export const BehaviourJson = z
  .strictObject({ mode })
  .openapi('InboxBehaviour', { example: { mode: 'refuse' } })

export const SET_BEHAVIOUR = {
  operationId: 'setInboxBehaviour',
  method: 'put',
  path: '/inbox/behaviour',
  scope: 'write',
  tag,
  summary: 'Set the inbox behaviour',
  description:
    'Makes the inbox refuse or hang, to see deliveries retried. Deliveries that hang get the new behaviour.',
  body: { schema: BehaviourJson },
  responses: { 200: { description: 'Set.', schema: BehaviourJson } },
  problems: ['INVALID_INPUT', ...BODY_PROBLEMS],
} satisfies Operation

export const EMPTY_INBOX = {
  operationId: 'emptyInbox',
  method: 'delete',
  path: '/inbox',
  scope: 'write',
  tag,
  summary: 'Clear the inbox',
  description: 'Deletes all messages and counts. The behaviour does not change.',
  responses: { 204: { description: 'Empty.' } },
  problems: [],
} satisfies Operation
