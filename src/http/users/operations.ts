// The operations on people, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { dryRun, dryRunQuery, etag, ifMatch, ifNoneMatch } from '../../api/fields.ts'
import { MoveJson } from '../../api/occasions/json.ts'
import { FieldProblemJson } from '../../api/problem.ts'
import { pageSchema } from '../../api/query.ts'
import { changeDraft, NewUserJson, UserChangeJson, userDraft, usersBody } from '../../api/users/input.ts'
import { CreatedJson, ListedUserJson, ofUser, UserJson } from '../../api/users/json.ts'
import { usersQuery } from '../../api/users/query.ts'
import { counts } from '../server/audit.ts'
import { BULK_BODY_LIMIT } from '../server/body.ts'
import { idempotencyHeader, KEY_PROBLEMS } from '../server/idempotency.ts'
import type { Operation } from '../server/operation.ts'

const tag = 'People'
const CREATED_HEADERS = z.object({
  Location: z.string().openapi({ description: 'The path of the user.' }),
  ...etag,
})

export const CREATE_USER = {
  operationId: 'createUser',
  route: 'POST /user',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Create a person',
  description:
    'Creates a user and schedules the next birthday message for DELIVER_AT (09:00 by default) in their timezone, atomically. The body may have at most 64 KiB.',
  headers: idempotencyHeader,
  body: { schema: userDraft, documentedAs: NewUserJson },
  responses: {
    201: { description: 'Created.', schema: CreatedJson, headers: CREATED_HEADERS },
    200: {
      description:
        'An earlier request with this `Idempotency-Key` created the user, who is returned as they are now.',
      schema: CreatedJson,
      headers: CREATED_HEADERS,
    },
  },
  problems: [...KEY_PROBLEMS, 'EXTERNAL_ID_TAKEN'],
} satisfies Operation

const index = z.int().openapi({ description: 'The position in the request, from 0.', example: 0 })

export const CREATE_USERS = {
  operationId: 'createUsers',
  route: 'POST /user/bulk',
  scope: 'write',
  audit: { action: 'people.imported', read: counts('created') },
  tag,
  summary: 'Create many people',
  description:
    'Creates up to 1000 people. Each is accepted or rejected on its own; `results` has one entry for each, in the order given. Give each an `externalId`: a repeated request rejects those who exist. The body may have at most 1 MiB.',
  body: { schema: usersBody, limit: BULK_BODY_LIMIT },
  responses: {
    200: {
      description: 'Done; `results` says who was rejected and why.',
      schema: z.object({
        created: z.int().openapi({ description: 'How many were created.', example: 2 }),
        rejected: z.int().openapi({ description: 'How many were rejected.', example: 0 }),
        results: z.array(
          z.discriminatedUnion('status', [
            CreatedJson.extend({ index, status: z.literal('created') }),
            z.object({ index, status: z.literal('rejected'), problems: z.array(FieldProblemJson) }),
          ]),
        ),
      }),
    },
  },
  problems: ['EXTERNAL_ID_TAKEN'],
} satisfies Operation

export const LIST_USERS = {
  operationId: 'listUsers',
  route: 'GET /user',
  scope: 'read',
  tag,
  summary: 'List people',
  description:
    'Lists people page by page, each with the next message and the last one. They are in order of creation, but for people created with an `Idempotency-Key`. A page may have fewer people than `limit`, or none, and still a `nextCursor`: continue until it is null.',
  query: usersQuery,
  responses: { 200: { description: 'One page.', schema: pageSchema(ListedUserJson) } },
} satisfies Operation

/** Of a person who is read, by whichever id. */
export const READ_RESPONSES = {
  200: { description: 'The person.', schema: UserJson, headers: z.object(etag) },
  304: { description: 'Not modified.', headers: z.object(etag) },
} as const

export const READ_USER = {
  operationId: 'readUser',
  route: 'GET /user/{id}',
  scope: 'read',
  tag,
  summary: 'Read a person',
  description: 'Returns one person. With If-None-Match, returns 304 if they have not changed.',
  ...ofUser,
  headers: ifNoneMatch,
  responses: READ_RESPONSES,
} satisfies Operation

export const ChangedJson = z.object({
  user: UserJson,
  rescheduled: z.int().openapi({
    description: 'How many messages were planned or planned again. Some of them may keep their time.',
    example: 1,
  }),
  skipped: z.int().openapi({ description: 'How many were claimed before and not rescheduled.', example: 0 }),
  moves: z
    .array(MoveJson)
    .openapi({ description: 'The pending messages that were planned again or skipped.' }),
  dryRun,
})

export const CHANGE_USER = {
  operationId: 'changeUser',
  route: 'PUT /user/{id}',
  scope: 'write',
  audit: null,
  tag,
  summary: 'Change a person',
  description:
    'Changes the given fields; `email: null` clears the address. A new date of birth or timezone reschedules pending messages, and plans the message of an occasion that had none and whose time is ahead again. A message that was claimed before (in flight or waiting for a retry) goes out as planned and is counted as skipped. With `dryRun=true`, returns what would be rescheduled and changes nothing. The body may have at most 64 KiB.',
  ...ofUser,
  query: dryRunQuery,
  headers: ifMatch,
  body: { schema: changeDraft, documentedAs: UserChangeJson },
  responses: {
    200: {
      description: 'Changed.',
      headers: z.object(etag),
      schema: ChangedJson,
    },
  },
  problems: ['NOTHING_TO_CHANGE', 'INVALID_HEADER', 'EXTERNAL_ID_TAKEN', 'OUTDATED'],
} satisfies Operation

export const DELETE_USER = {
  operationId: 'deleteUser',
  route: 'DELETE /user/{id}',
  scope: 'write',
  audit: { action: 'person.erased', kind: 'user' },
  tag,
  summary: 'Delete a person',
  description:
    'Permanently deletes a person, and their events. A second after the response, no message to them starts; a message in flight still arrives.',
  ...ofUser,
  responses: { 204: { description: 'Deleted.' } },
} satisfies Operation
