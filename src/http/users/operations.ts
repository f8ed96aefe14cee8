// What the operations on people promise, for the OpenAPI document and the reference page.
import { z } from '@hono/zod-openapi'
import { MoveJson } from '../occasions/json.ts'
import { BULK_BODY_LIMIT } from '../server/body.ts'
import { dryRunQuery, etag, ifMatch, ifNoneMatch } from '../server/fields.ts'
import { idempotencyHeader, KEY_PROBLEMS, replayedHeader } from '../server/idempotency.ts'
import type { Operation } from '../server/operation.ts'
import { BODY_PROBLEMS, FieldProblemJson } from '../server/problem.ts'
import { pageQuery, pageSchema } from '../server/query.ts'
import { changeDraft, NewUserJson, UserChangeJson, userDraft } from './input.ts'
import { CreatedJson, ofUser, UserJson } from './json.ts'

const tag = 'People'
const CREATE_PROBLEMS = ['INVALID_INPUT', ...KEY_PROBLEMS, ...BODY_PROBLEMS, 'EXTERNAL_ID_TAKEN'] as const

export const CREATE_USER = {
  operationId: 'createUser',
  method: 'post',
  path: '/user',
  scope: 'write',
  tag,
  summary: 'Create a person',
  description:
    "Creates a person and plans their next birthday message for nine o'clock their time, both or neither. The body may have at most 64 KiB.",
  headers: idempotencyHeader,
  body: { schema: userDraft, documentedAs: NewUserJson },
  responses: {
    201: {
      description: 'Created.',
      schema: CreatedJson,
      headers: z.object({
        Location: z.string().openapi({ description: 'The path of the new user.' }),
        ...etag,
        ...replayedHeader,
      }),
    },
  },
  problems: CREATE_PROBLEMS,
} satisfies Operation

export const BulkJson = z
  .strictObject({
    users: z
      .array(userDraft)
      .min(1, 'Give at least one person.')
      .max(1000, 'Give at most 1000 people; send the rest in another request.')
      .openapi({
        type: 'array',
        items: { $ref: '#/components/schemas/NewUser' },
        minItems: 1,
        maxItems: 1000,
        description: '1 to 1000 people.',
      }),
  })
  .openapi('NewUsers', {
    example: {
      users: [
        { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'America/Vancouver' },
        { firstName: 'Raden', lastName: 'Kartini', dateOfBirth: '1979-04-21', timezone: 'Asia/Jakarta' },
      ],
    },
  })

const index = z.int().openapi({ description: 'The place of the person in the request, from 0.', example: 0 })

export const CREATE_USERS = {
  operationId: 'createUsers',
  method: 'post',
  path: '/user/bulk',
  scope: 'write',
  tag,
  summary: 'Create many people',
  description:
    'Creates up to 1000 people at once. Each is accepted or refused on its own; `results` has one entry per person, in the order given. The body may have at most 1 MiB.',
  headers: idempotencyHeader,
  body: { schema: BulkJson, limit: BULK_BODY_LIMIT },
  responses: {
    200: {
      description: 'Done; look into `results` for who was refused.',
      headers: z.object(replayedHeader),
      schema: z.object({
        created: z.int().openapi({ description: 'How many were created.', example: 2 }),
        refused: z.int().openapi({ description: 'How many were not.', example: 0 }),
        results: z.array(
          z.discriminatedUnion('status', [
            CreatedJson.extend({ index, status: z.literal('created') }),
            z.object({ index, status: z.literal('refused'), problems: z.array(FieldProblemJson) }),
          ]),
        ),
      }),
    },
  },
  problems: CREATE_PROBLEMS,
} satisfies Operation

export const usersQuery = z.strictObject({
  ...pageQuery,
  search: z
    .string()
    .regex(/^\P{Cc}{1,100}$/u, 'Give 1 to 100 characters, none of them control characters.')
    .optional()
    .openapi({ description: 'Only people with this in their name, in any letter case.', example: 'love' }),
  timezone: z.string().optional().openapi({
    description: 'Only people who live by this IANA timezone, in any letter case.',
    example: 'America/Vancouver',
  }),
  externalId: z.string().optional().openapi({
    description: 'Only the person whom you know by this: the externalId that you gave.',
    example: 'hr-1042',
  }),
})

export const LIST_USERS = {
  operationId: 'listUsers',
  method: 'get',
  path: '/user',
  scope: 'read',
  tag,
  summary: 'List people',
  description: 'All people, or those that match, a page at a time, in the order they were created.',
  query: usersQuery,
  responses: { 200: { description: 'One page.', schema: pageSchema(UserJson) } },
  problems: ['INVALID_QUERY'],
} satisfies Operation

export const READ_USER = {
  operationId: 'readUser',
  method: 'get',
  path: '/user/{id}',
  scope: 'read',
  tag,
  summary: 'Read a person',
  description: 'One person. With If-None-Match, one that has not changed is not sent again.',
  ...ofUser,
  headers: ifNoneMatch,
  responses: {
    200: { description: 'The person.', schema: UserJson, headers: z.object(etag) },
    304: { description: 'You have this version already.', headers: z.object(etag) },
  },
  problems: ['USER_NOT_FOUND'],
} satisfies Operation

export const CHANGE_USER = {
  operationId: 'changeUser',
  method: 'put',
  path: '/user/{id}',
  scope: 'write',
  tag,
  summary: 'Change a person',
  description:
    'Changes the fields given and leaves the others; `email: null` clears the address. A message still to come moves with a new date of birth or timezone. One that is being delivered at that moment goes out as it was planned and is counted as skipped. With `dryRun=true` the answer tells what would move, and nothing is changed. The body may have at most 64 KiB.',
  ...ofUser,
  query: dryRunQuery,
  headers: ifMatch,
  body: { schema: changeDraft, documentedAs: UserChangeJson },
  responses: {
    200: {
      description: 'Changed.',
      headers: z.object(etag),
      schema: z.object({
        user: UserJson,
        rescheduled: z.int().openapi({ description: 'How many messages moved.', example: 1 }),
        skipped: z.int().openapi({ description: 'How many were on their way and stayed.', example: 0 }),
        moves: z.array(MoveJson).openapi({ description: 'Each of them, from when to when.' }),
      }),
    },
  },
  problems: [
    'INVALID_INPUT',
    'INVALID_QUERY',
    'NOTHING_TO_CHANGE',
    'INVALID_HEADER',
    ...BODY_PROBLEMS,
    'USER_NOT_FOUND',
    'EXTERNAL_ID_TAKEN',
    'OUTDATED',
  ],
} satisfies Operation

export const DELETE_USER = {
  operationId: 'deleteUser',
  method: 'delete',
  path: '/user/{id}',
  scope: 'write',
  tag,
  summary: 'Delete a person',
  description: 'Deletes a person, their events, and every kept answer that tells of them. For good.',
  ...ofUser,
  responses: { 204: { description: 'Deleted.' } },
  problems: ['USER_NOT_FOUND'],
} satisfies Operation
