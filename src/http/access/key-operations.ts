// What the operations on API keys promise, for the OpenAPI document and the reference page.
import { z } from '@hono/zod-openapi'
import { KEY_NAME, SCOPES } from '../../domain/settings/api-key.ts'
import { id, idInput, instant } from '../server/fields.ts'
import type { Operation } from '../server/operation.ts'
import { BODY_PROBLEMS, Problem } from '../server/problem.ts'

const tag = 'API keys'
const KEY_ID = '019a84f1-8c00-7000-8000-2f6e1c9d3e4a'

export const NewKeyJson = z
  .strictObject({
    name: z
      .string()
      .trim()
      .regex(KEY_NAME, 'Give 1 to 100 characters, none of them control characters.')
      .openapi({ description: 'What it is for.', example: 'ci' }),
    scope: z.enum(SCOPES, `Give one of ${SCOPES.join(', ')}.`).openapi({
      description: 'read looks, write changes people, templates and events, admin also channels and keys.',
      example: 'write',
    }),
  })
  .openapi('NewApiKey')

export const ApiKeyJson = z
  .object({
    id: id('Made by the service; never changes.', KEY_ID),
    name: z.string(),
    scope: z.enum(SCOPES),
    createdAt: instant('When it was made.'),
    lastUsedAt: instant('When it was last used, to the minute.').nullable(),
    revokedAt: instant('When it was revoked.').nullable(),
  })
  .openapi('ApiKey', { description: 'A key, without the key itself: of that only a hash is kept.' })

export function keyNotFound(): Problem {
  return new Problem('KEY_NOT_FOUND', 'GET /key lists those there are.')
}

export const LIST_KEYS = {
  operationId: 'listKeys',
  method: 'get',
  path: '/key',
  scope: 'admin',
  tag,
  summary: 'List API keys',
  description: 'Every stored key, revoked ones too. Those of TERCE_API_KEYS are not stored.',
  responses: { 200: { description: 'All of them.', schema: z.object({ items: z.array(ApiKeyJson) }) } },
  problems: [],
} satisfies Operation

export const CREATE_KEY = {
  operationId: 'createKey',
  method: 'post',
  path: '/key',
  scope: 'admin',
  tag,
  summary: 'Make an API key',
  description:
    'The key is shown in this answer and never again. From the first key on every request needs one.',
  body: { schema: NewKeyJson },
  responses: {
    201: {
      description: 'Made.',
      schema: z.object({ apiKey: ApiKeyJson, key: z.string().openapi({ example: 'terce_…' }) }),
    },
  },
  problems: [...BODY_PROBLEMS, 'INVALID_INPUT'],
} satisfies Operation

export const REVOKE_KEY = {
  operationId: 'revokeKey',
  method: 'delete',
  path: '/key/{id}',
  scope: 'admin',
  tag,
  summary: 'Revoke an API key',
  description: 'It is let in no more, in every process within seconds.',
  params: z.object({ id: idInput('The id of the key.', KEY_ID) }),
  notFound: keyNotFound,
  responses: { 204: { description: 'Revoked.' } },
  problems: ['KEY_NOT_FOUND'],
} satisfies Operation
