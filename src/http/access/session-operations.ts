// The session operations, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { SCOPES } from '../../domain/settings/api-key.ts'
import type { Operation } from '../server/operation.ts'
import { BODY_PROBLEMS } from '../server/problem.ts'

const tag = 'Dashboard'

const SessionJson = z.object({
  open: z.boolean().openapi({ description: 'No key exists: this computer has full access.' }),
  scope: z
    .enum(SCOPES)
    .nullable()
    .openapi({ description: 'The scope of the caller; null if not signed in.' }),
  inbox: z.boolean().openapi({ description: 'Whether there is a built-in inbox.' }),
  retries: z
    .array(z.number())
    .openapi({ description: 'The shortest wait before each retry, in milliseconds.' }),
  deliverAt: z.string().openapi({ example: '09:00' }),
  version: z.string(),
})

export const READ_SESSION = {
  operationId: 'readSession',
  method: 'get',
  path: '/session',
  scope: 'open',
  tag,
  summary: 'Get the session',
  description: 'Returns the scope of the caller, for the dashboard.',
  responses: { 200: { description: 'The session.', schema: SessionJson } },
  problems: ['DATABASE_UNAVAILABLE'],
} satisfies Operation

export const SignIn = z
  .strictObject({ key: z.string().min(1, 'Must not be empty.').max(300, 'Must be at most 300 characters.') })
  .openapi('SignIn')

export const SIGN_IN = {
  operationId: 'signIn',
  method: 'post',
  path: '/session',
  scope: 'open',
  tag,
  summary: 'Sign in',
  description: 'Stores an API key in an HttpOnly cookie that other sites cannot use.',
  rateLimited: true,
  body: { schema: SignIn },
  responses: { 200: { description: 'Signed in.', schema: SessionJson } },
  problems: ['INVALID_INPUT', 'UNAUTHORIZED', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE', ...BODY_PROBLEMS],
} satisfies Operation

export const SIGN_OUT = {
  operationId: 'signOut',
  method: 'delete',
  path: '/session',
  scope: 'open',
  tag,
  summary: 'Sign out',
  description: 'Deletes the cookie.',
  responses: { 204: { description: 'Signed out.' } },
  problems: [],
} satisfies Operation
